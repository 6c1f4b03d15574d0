"""The pages of live traffic in a real browser: nothing fails, nothing overflows, all has contrast and names."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from tests.report.browsing import CONTRASTS, Visit, contrast, launched
from tests.server.pages.conftest import CLAIMS, NASTY, NOW, SCORES, Kept, make
from tests.server.pages.test_trace import put_spans

from acidtest.data.outcomes import Score
from acidtest.data.traces import Feedback
from acidtest.data.watching import Alert, Cause, Drift, Estimate
from acidtest.store.alerts import Alerts
from acidtest.store.spending import Spending

pytestmark = pytest.mark.browser

browser = pytest.fixture(launched, scope="module")

PAGES = (
    "/",
    "/?days=7&model=small-2",
    "/traces",
    "/traces?metric=faithfulness&below=x",
    "/?days=8&sinze=7d",
    "/traces/a1",
    "/traces/n1",
    "/traces/zz",
    "/alerts",
    "/digest",
    "/queue",
)

FAULTS = {"/traces/zz": "404", "below=x": "400", "days=8": "400"}
"""Pages that a browser notes as failed."""

UNNAMED = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a[href], svg[role=img]")]
  .filter((e) => !(e.labels && [...e.labels].some((l) => l.textContent.trim()))
    && !e.getAttribute("aria-label") && !e.textContent.trim())
  .map((e) => e.outerHTML.slice(0, 120))"""

DOUBLED = """() => { const all = [...document.querySelectorAll("[id]")].map((e) => e.id);
  return all.filter((id, n) => all.indexOf(id) !== n); }"""

LOST = """() => [...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute("href").slice(1))
  .filter((id) => !document.getElementById(id))"""


class Address(NamedTuple):
    """An address, as what opens files takes it."""

    url: str

    def as_uri(self):
        return self.url


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A real server over a store with all there can be."""
    folder = tmp_path_factory.mktemp("site")
    kept = Kept(str(folder / "s.db"))
    kept.traces(
        make("a1", feedback=(Feedback(good=False, comment="Drops are not covered!"),)),
        make("a2", 4, question="Within how many days may I return it?"),
        make(
            "n1", 3, question=NASTY * 9, answer="w" * 5000 + NASTY, model="m" * 300, tags=(NASTY,)
        ),
        *(make(f"t{n}", 60 * n) for n in range(60)),
    )
    kept.scores("a1", SCORES)
    kept.scores("n1", {"faithfulness": Score(0.5, NASTY, CLAIMS), "x" * 150: Score(0.2)})
    for n in range(20):
        kept.scores(f"t{n}", {"faithfulness": Score(n % 3 / 2), "citation_validity": Score(1.0)})
    kept.dead("a2", f"ReadTimeout {'x' * 300}")
    with Spending(kept.url) as spending:
        spending.took(now_ms=NOW, usd=12345.67, calls=1_234_567, tokens=123_456_789)
    put_spans(kept.url)
    drift = Drift(
        metric="faithfulness", kind="score", evidence=1830.0, limit=1000.0, alarmed=True,
        rising=False, since_ms=NOW, before=Estimate(value=0.9, low=0.8, high=1.0, n=400),
        after=Estimate(value=0.7, low=0.6, high=0.8, n=90), by="model", of="m" * 200,
    )  # fmt: skip
    cause = Cause(by="model", of="small-2", explains=0.9, after=drift.after, rest=None)
    with Alerts(kept.url) as alerts:
        alerts.save([Alert(key="k", state="open", opened_ms=NOW, title=f"faithfulness fell {NASTY}",
                           drifts=(drift,), cause=cause, worst=("a1", "gone"))])  # fmt: skip
    (folder / "acidtest.toml").write_text('golden = "golden.jsonl"\n')
    command = (sys.executable, "-m", "acidtest", "serve", "--no-worker", "--port", "0")
    with (folder / "err").open("w") as err:
        process = subprocess.Popen(
            [*command, "--store", kept.url], cwd=folder, stdout=subprocess.PIPE, stderr=err,
            text=True, env=os.environ,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Serving on "), (folder / "err").read_text()
            yield line.split()[-1], folder
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_pages_fit_and_say_what_they_are(browser, site, path, width, scheme):
    size = {"width": width, "height": 800}
    address, _ = site
    with Visit(browser, Address(address + path), viewport=size, color_scheme=scheme) as visit:
        page = visit.page
        visit.open_all()
        fault = next((status for part, status in FAULTS.items() if part in path), "none")
        assert [said for said in visit.said if fault not in said] == []
        assert {url.split("/")[2] for url in visit.requests if not url.startswith("data:")} == {
            address.split("/")[2]
        }
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert visit.too_wide() == []
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(DOUBLED) == []
        assert page.evaluate(LOST) == []
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.images.length") == 0
        assert page.evaluate("document.querySelectorAll('script, [style], [onclick]').length") == 0
        low = [p for p in page.evaluate(CONTRASTS) if contrast(p["ink"], p["paper"]) < 4.5]
        assert low == []


@pytest.mark.parametrize(("path", "row"), [("/traces/a1", "tr.skip"), ("/traces", "span.skip")])
def test_why_a_score_does_not_apply_is_on_the_page(browser, site, path, row):
    with Visit(browser, Address(site[0] + path)) as visit:
        box = visit.page.locator(row).first.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["width"] < 1280


def test_every_control_is_reached_from_the_keyboard_and_shows_its_focus(browser, site):
    with Visit(browser, Address(f"{site[0]}/traces/a1")) as visit:
        page = visit.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        names = []
        for _ in range(60):
            page.keyboard.press("Tab")
            names.append(page.evaluate("document.activeElement.textContent.trim()"))
            if names[-1] == "Score now":
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none"
            if names[-1] == "Put it into the golden set":
                break
        assert {"Score now", "Add feedback", "Put it into the golden set"} <= set(names)


def test_a_bad_answer_becomes_a_golden_case_without_javascript(browser, site):
    address, folder = site
    with Visit(browser, Address(f"{address}/traces?feedback=bad"), java_script_enabled=False) as v:
        page = v.page
        page.get_by_role("link", name="How long is the battery covered?").click()
        page.get_by_label("The right answer").fill("Twelve months; drops are not covered.")
        page.get_by_label("warranty#2").select_option("3")
        page.get_by_label("Tags").fill("production")
        page.get_by_role("button", name="Put it into the golden set").click()
        assert "It is in the golden set now" in page.inner_text("main")
        page.get_by_role("button", name="Put it into the golden set").click()
        assert page.get_by_role("alert").first.is_visible()
    (line,) = (folder / "golden.jsonl").read_text().splitlines()
    assert json.loads(line)["relevant"] == {"warranty#2": 3}


def test_traces_are_deleted_and_jobs_tried_again_in_the_browser(browser, site):
    with Visit(browser, Address(f"{site[0]}/traces/t59")) as visit:
        page = visit.page
        page.get_by_text("Delete this trace").click()
        page.get_by_role("button", name="Delete").click()
        assert page.url.endswith("/traces/t59")  # the browser itself asks for the tick
        page.get_by_label("Delete it").check()
        page.get_by_role("button", name="Delete").click()
        page.wait_for_url("**/traces")
        page.goto(f"{site[0]}/queue")
        page.get_by_role("button", name="Try again").first.click()
        assert "1 trace put back" in page.inner_text("main")
        assert visit.said == []
