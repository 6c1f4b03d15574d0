"""A real browser that a page is opened in, and what it had to say."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright import sync_api as playwright


def launched() -> Iterator["playwright.Browser"]:
    """Yield Chromium; skip where there is none, but not in CI."""
    found = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium: a browser test must not be skipped in CI")
        pytest.skip("no Chromium on the path")
    with playwright.sync_playwright() as session:
        browser = session.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Visit:
    """A page that was opened, and what the browser had to say."""

    def __init__(self, browser, path, **context) -> None:
        self.context = browser.new_context(reduced_motion="reduce", **context)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.goto(path.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def open_all(self) -> None:
        self.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

    def too_wide(self) -> list[str]:
        """Return what stands out of the page on its right, without what may be scrolled by itself."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("main *")].filter(e => !e.closest(".scroll, svg, pre, .hidden")
                && e.getClientRects().length && getComputedStyle(e).position !== "absolute"
                && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 120))"""
        )
        return found


def luminance(rgb: str) -> float:
    parts = [float(x) / 255 for x in rgb[rgb.index("(") + 1 : -1].split(",")[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


CONTRASTS = """() => {
  const paper = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (c !== "rgba(0, 0, 0, 0)" && c !== "transparent") return c;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter((e) => e.getClientRects().length && !e.closest("svg, .hidden, .skip, select, option")
      && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((e) => ({ what: e.className, text: e.textContent.slice(0, 30),
      ink: getComputedStyle(e).color, paper: paper(e) }));
}"""
"""Every element with text of its own: its ink and the paper under it."""
