"""The ranking page in a real browser: widths and schemes, contrast, links, keyboard."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.report.browsing import CONTRASTS, Visit, contrast, launched, luminance
from tests.report.ranked import contender, ranked

from acidtest.report.ranking_page import ranking_html

pytestmark = pytest.mark.browser

browser = pytest.fixture(launched, scope="module")


@pytest.fixture
def report(nasty_run, tmp_path) -> Path:
    sweep = ranked()
    many = tuple(
        contender(
            nasty_run.name if n == 3 else f"chunk-size-{128 * n}-overlap-{n}-rerank-{'yes' * n}",
            0.45 - n / 100,
            rank=(3, 24),
            best=False,
            cost_usd=0.001 * n,
            latency_ms=200.0 + 40 * (n % 9),
            values={f"metric_{m}@10": 0.5 for m in range(12)},
        )
        for n in range(1, 22)
    )
    path = tmp_path / "ranking.html"
    whole = replace(sweep, contenders=(*sweep.contenders, *many))
    path.write_text(ranking_html(whole), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [360, 390, 800, 1130, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_asked_nothing_fails_and_nothing_overflows(browser, report, width, scheme):
    size = {"width": width, "height": 800}
    with Visit(browser, report, viewport=size, color_scheme=scheme) as visit:
        visit.open_all()
        assert [url for url in visit.requests if not url.startswith(("file:", "data:"))] == []
        assert visit.said == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        assert visit.too_wide() == []
        assert visit.page.evaluate("document.scripts.length") == 0


def test_both_schemes_have_contrast(browser, report):
    for scheme in ("light", "dark"):
        with Visit(browser, report, color_scheme=scheme) as visit:
            visit.open_all()
            paper = luminance(
                visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
            )
            assert (paper < 0.05) == (scheme == "dark")
            pairs = visit.page.evaluate(CONTRASTS)
            assert len(pairs) > 100
            assert [p for p in pairs if contrast(p["ink"], p["paper"]) < 4.5] == []


def test_no_text_of_a_chart_leaves_it(browser, report):
    with Visit(browser, report) as visit:
        outside = visit.page.evaluate(
            """() => [...document.querySelectorAll(".scatter text")].filter(e => {
                const t = e.getBoundingClientRect(), s = e.closest("svg").getBoundingClientRect();
                return t.left < s.left || t.right > s.right || t.top < s.top || t.bottom > s.bottom;
            }).map(e => e.textContent)"""
        )
        assert outside == []


def test_a_point_and_a_name_lead_to_their_line(browser, report):
    with Visit(browser, report) as visit:
        page = visit.page
        point = page.get_by_role(
            "link", name="2. k=3: mrr 0.790, latency, p95 300\xa0ms, on the front"
        )
        point.focus()
        page.keyboard.press("Enter")
        line = page.locator("tr:target")
        assert line.locator("th").inner_text() == "k=3"
        page.locator(".ranked a", has_text="k=1").click()
        assert page.locator("tr:target th").inner_text() == "k=1"
        assert visit.said == []


def test_charts_are_named_for_those_who_do_not_see_them(browser, report):
    with Visit(browser, report) as visit:
        groups = visit.page.get_by_role("group")
        names = [(groups.nth(n).get_attribute("aria-label") or "").split(";")[0] for n in range(2)]
        assert names == [
            "mrr against cost of a query: 23 runs from $0.0010 to $0.0210",
            "mrr against latency, p95: 23 runs from 200\xa0ms to 900\xa0ms",
        ]
        unnamed = visit.page.evaluate(
            "[...document.querySelectorAll('svg')].filter(s => !s.getAttribute('aria-label')).length"
        )
        assert unnamed == 0


def test_it_reads_without_javascript(browser, report):
    with Visit(browser, report, java_script_enabled=False) as visit:
        text = visit.page.inner_text("main")
        assert "2 of 3 runs may be the best in mrr." in text
        assert "level with 1 other" in text
