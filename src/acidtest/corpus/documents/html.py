"""HTML to text, through selectolax (extra `documents`).

The text is that of `<main>` where there is exactly one, else of the body; scripts, styles, navigation,
footers, forms and what is marked hidden are left out. Every block is a paragraph, items of a list and rows
of a table are lines, and the cells of a row are parted by ` | `.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from acidtest.codec.rows.lines import opened, too_big
from acidtest.corpus.documents.flow import Flow
from acidtest.corpus.documents.page import Page, shortened
from acidtest.errors import BadData
from acidtest.extras import need

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LEFT_OUT = frozenset(
    (
        *(
            "script",
            "style",
            "template",
            "noscript",
            "svg",
            "math",
            "head",
            "nav",
            "footer",
            "form",
        ),
        *("button", "select", "iframe", "object", "canvas", "audio", "video", "dialog"),
    )
)
_PARAGRAPHS = (
    *("address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt"),
    *("fieldset", "figcaption", "figure", "header", "hr", "main", "ol", "p", "pre", "section"),
    *("summary", "table", "ul", *_HEADINGS),
)
_GAPS = (
    dict.fromkeys(_PARAGRAPHS, "\n\n")
    | dict.fromkeys(("br", "li", "tr", "caption", "thead", "tbody", "tfoot"), "\n")
    | dict.fromkeys(("td", "th"), " | ")
)
_CHARSET = re.compile(rb"""<meta[^>]{1,200}charset\s*=\s*["']?\s*([\w\-]+)""", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_NEVER_CLOSED = (
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
    *("track", "wbr"),
)
_MAY_STAY_OPEN = (
    *("p", "li", "dd", "dt", "td", "th", "tr", "thead", "tbody", "tfoot", "option", "colgroup"),
    *("html", "head", "body"),
)
_NO_END = frozenset((*_NEVER_CLOSED, *_MAY_STAY_OPEN))
_LOOK = 2_048
_MAX_DEPTH = 2_000  # the parser takes quadratic time in it


def read_html(path: Path, *, limit: int) -> Page:
    """Read an HTML file: UTF-8, or in the encoding that its `<meta charset>` names.

    Raises:
        BadData: It cannot be read, is over the limit, is in another encoding than it says, or nests
            too deep.
        MissingExtra: selectolax is not installed.
    """
    with opened(path, BadData) as stream:
        raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise too_big(str(path), limit, BadData)
    return page_of(_decoded(raw, str(path)), where=str(path))


def page_of(html: str, *, where: str | None = None) -> Page:
    """Return the text and the headings of an HTML document.

    Raises:
        BadData: It nests too deep.
        MissingExtra: selectolax is not installed.
    """
    parser = need("selectolax.lexbor", extra="documents")
    if _depth(html) > _MAX_DEPTH:
        raise BadData(
            f"its elements nest more than {_MAX_DEPTH:,} deep",
            where=where,
            fix="Leave the document out with exclude in [corpus], or write it as Markdown.",
        )
    tree = parser.LexborHTMLParser(html)
    mains = tree.css("main, [role=main]")
    top = mains[0] if len(mains) == 1 else tree.body
    flow = Flow()
    for node, ends in _walk(top):
        _write(flow, node, ends=ends)
    title = tree.css_first("head title")
    named = shortened(title.text()) if title is not None else ""
    return Page(text=flow.text(), title=named or flow.title, headings=tuple(flow.headings))


def _walk(top: Any) -> Iterator[tuple[Any, bool]]:
    # Each node at its start and, where it has children, at its end; without recursion.
    left = [(top, False)] if top is not None else []
    while left:
        node, ends = left.pop()
        yield node, ends
        if ends or _hidden(node):
            continue
        left.append((node, True))
        child = node.last_child
        while child is not None:
            left.append((child, False))
            child = child.prev


def _hidden(node: Any) -> bool:
    if node.tag in _LEFT_OUT:
        return True
    if node.tag.startswith("-"):
        return False
    attributes = node.attributes
    return "hidden" in attributes or attributes.get("aria-hidden") == "true"


def _write(flow: Flow, node: Any, *, ends: bool) -> None:
    tag = node.tag
    if tag == "-text":
        if not ends:
            flow.words(node.text_content or "")
        return
    flow.gap(_GAPS.get(tag, ""))
    if tag == "pre":
        flow.kept(ends=ends)
    if tag in _HEADINGS and not _hidden(node):
        flow.heading(tag, ends=ends)


def _depth(html: str) -> int:
    depth = deepest = 0
    for match in _TAG.finditer(html):
        if match[2].lower() not in _NO_END:
            depth += -1 if match[1] else 1
            deepest = max(deepest, depth)
    return deepest


def _decoded(raw: bytes, where: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        named = _CHARSET.search(raw[:_LOOK])
        encoding = named[1].decode() if named else "utf-8"
        try:
            if encoding.lower().replace("-", "") != "utf8":
                return raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            pass
        raise BadData(
            f"is not in the encoding {encoding}, which it says"
            if named
            else "is not UTF-8, and names no encoding",
            where=where,
            fix="Save it as UTF-8.",
        ) from fault
