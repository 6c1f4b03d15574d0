"use strict";
for (const list of document.querySelectorAll("[data-cases]")) {
  const form = list.querySelector("form.filter");
  const box = list.querySelector(".list");
  const cases = [...box.querySelectorAll(":scope > details.case")].map((item, place) => ({
    item, place,
    id: item.querySelector("summary code").textContent,
    tags: item.dataset.tags.split(" "),
    steps: new Map(item.dataset.steps.split(" ").filter(Boolean).map((step) => step.split(":")).map(([n, by]) => [n, Number(by)])),
  }));
  const all = form.elements.all;
  const value = (name) => form.elements[name] ? form.elements[name].value : "";
  const total = (one, metric) => metric ? one.steps.get(metric) || 0 : [...one.steps.values()].reduce((sum, by) => sum + by, 0);
  const kind = (one, metric) => {
    if (!metric) return one.item.dataset.kind;
    const by = one.steps.get(metric);
    return by > 0 ? "better" : by < 0 ? "worse" : "same";
  };
  const orders = {
    "": (metric) => (a, b) => metric ? Math.abs(total(b, metric)) - Math.abs(total(a, metric)) : 0,
    worse: (metric) => (a, b) => total(a, metric) - total(b, metric),
    better: (metric) => (a, b) => total(b, metric) - total(a, metric),
    id: () => (a, b) => a.id.localeCompare(b.id, "en", { numeric: true }),
  };
  let sorted = "/";
  const apply = () => {
    const words = value("text").toLowerCase().split(/\s+/).filter(Boolean);
    const [flow, metric, way, tag] = ["flow", "metric", "kind", "tag"].map(value);
    let shown = 0;
    for (const one of cases) {
      const data = one.item.dataset;
      const hit = (!flow || (flow === "any" ? data.flow !== "" : data.flow === flow))
        && (!metric || one.steps.has(metric))
        && (!way || kind(one, metric) === way)
        && (!tag || one.tags.includes(tag))
        && (!form.elements.different.checked || data.different)
        && words.every((word) => data.search.includes(word));
      one.item.hidden = !hit;
      shown += hit;
    }
    const order = `${value("sort")}/${metric}`;
    if (order !== sorted) {
      const by = orders[value("sort")](metric);
      box.append(...[...cases].sort((a, b) => by(a, b) || a.place - b.place).map((one) => one.item));
      sorted = order;
    }
    form.querySelector("output").textContent = `${shown} of ${cases.length} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  all.addEventListener("click", () => {
    const open = all.textContent === "Open all";
    for (const { item } of cases) item.open = open && !item.hidden;
    all.textContent = open ? "Close all" : "Open all";
  });
  apply();
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  const target = link && document.getElementById(link.hash.slice(1));
  const item = target && target.closest("details.case");
  if (!item) return;
  item.hidden = false;
  for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
});
