"""The HTML report in a real browser: no request, no error, no overflow; dark, narrow, without JavaScript."""

from pathlib import Path

import pytest
from tests.report.browsing import CONTRASTS, Visit, contrast, launched, luminance
from tests.report.compared import comparison_of

from acidtest.report.html import html_report

pytestmark = pytest.mark.browser

browser = pytest.fixture(launched, scope="module")


@pytest.fixture
def report(run, card, make_run, nasty_run, nasty_card, tmp_path) -> Path:
    path = tmp_path / "report.html"
    runs = [run, make_run("reranked"), nasty_run]
    compared = [comparison_of(run, new, notes=(nasty_run.name,)) for new in runs[1:]]
    html = html_report(runs, [card, card, nasty_card], compared)
    path.write_text(html, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_asked_nothing_fails_and_nothing_overflows(browser, report, width, scheme):
    size = {"width": width, "height": 800}
    with Visit(browser, report, viewport=size, color_scheme=scheme) as visit:
        visit.open_all()
        assert [url for url in visit.requests if not url.startswith(("file:", "data:"))] == []
        assert visit.said == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        assert visit.too_wide() == []


def test_hostile_text_runs_nothing(browser, report):
    with Visit(browser, report) as visit:
        visit.open_all()
        assert visit.page.evaluate("document.scripts.length") == 1
        assert visit.page.evaluate("document.images.length") == 0
        assert "alert(1)" in visit.page.inner_text("main")
        assert visit.said == []


def test_it_reads_without_javascript(browser, report):
    with Visit(browser, report, java_script_enabled=False) as visit:
        page = visit.page
        assert page.locator("form.filter").first.is_hidden()
        first = page.locator("details.case").first
        first.locator("> summary").click()
        assert first.locator(".body").is_visible()
        text = page.inner_text("main")
        assert "Retrieval breaks first" in text
        assert "What changed" in text


def test_cases_open_from_the_keyboard(browser, report):
    with Visit(browser, report) as visit:
        visit.page.keyboard.press("Tab")
        assert visit.page.evaluate("document.activeElement.className") == "skip"
        visit.page.locator("details.case > summary").first.press("Enter")
        assert visit.page.locator("details.case").first.get_attribute("open") is not None


def test_dark_is_dark_and_light_is_light_and_both_have_contrast(browser, report):
    for scheme in ("light", "dark"):
        with Visit(browser, report, color_scheme=scheme) as visit:
            visit.open_all()
            paper = luminance(
                visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
            )
            assert (paper < 0.05) == (scheme == "dark")
            pairs = visit.page.evaluate(CONTRASTS)
            assert len(pairs) > 100
            low = [p for p in pairs if contrast(p["ink"], p["paper"]) < 4.5]
            assert low == []


def test_the_filter_hides_and_counts(browser, report):
    with Visit(browser, report) as visit:
        first = visit.page.locator("[data-cases]").first
        first.locator("select").select_option("lost in reranking")
        assert first.locator("details.case:visible").count() == 1
        assert first.locator("output").inner_text() == "1 of 4 shown"
        first.locator("select").select_option("")
        first.locator("input").fill("warranty hard")
        assert first.locator("details.case:visible").count() == 1
        first.locator("input").fill("")
        first.get_by_role("button", name="Open all").click()
        assert first.locator("details.case[open]").count() == 4
        assert visit.said == []


def test_a_claim_leads_to_its_passage(browser, report):
    with Visit(browser, report) as visit:
        case = visit.page.locator("details.case", has_text="warranty-battery").first
        case.locator("> summary").click()
        case.locator(".claims a", has_text="passage 1").first.click()
        assert case.locator(".chunks li:target").count() == 1
