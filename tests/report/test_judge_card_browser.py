"""A judge's report card in a real browser: widths and schemes, with names that mean harm."""

from pathlib import Path

import pytest
from tests.report.browsing import Visit, launched
from tests.report.judged import whole

from acidtest.report.judge_card_page import judge_card_html

pytestmark = pytest.mark.browser

browser = pytest.fixture(launched, scope="module")


@pytest.fixture(params=["plain", "nasty"])
def report(request, nasty_run, tmp_path) -> Path:
    path = tmp_path / "card.html"
    name = "gpt-5-mini-2026-11-01" if request.param == "plain" else nasty_run.name
    path.write_text(judge_card_html(whole(name)), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
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
