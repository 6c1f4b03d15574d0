"use strict";
for (const list of document.querySelectorAll("[data-cases]")) {
  const form = list.querySelector("form.filter");
  const cases = [...list.querySelectorAll("details.case")];
  const all = form.elements.all;
  const apply = () => {
    const verdict = form.elements.verdict.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of cases) {
      const hit = (!verdict || item.dataset.verdict === verdict)
        && words.every((word) => item.dataset.search.includes(word));
      item.hidden = !hit;
      shown += hit;
    }
    form.querySelector("output").textContent = `${shown} of ${cases.length} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  all.addEventListener("click", () => {
    const open = all.textContent === "Open all";
    for (const item of cases) item.open = open && !item.hidden;
    all.textContent = open ? "Close all" : "Open all";
  });
  apply();
}
