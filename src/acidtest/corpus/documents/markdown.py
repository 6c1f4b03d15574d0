"""Markdown: the text as it is written, its headings found, its front matter left out."""

import re
from collections.abc import Iterator
from pathlib import Path

from acidtest.corpus.documents.page import Heading, Page, shortened
from acidtest.corpus.documents.plain import text_of

_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\n(.*?\n)?\1[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title[ \t]*[:=][ \t]*(['"]?)(.+?)\1[ \t]*$""", re.MULTILINE)
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_NO_HEADING = re.compile(r" {0,3}(?:[-*+>|]|\d+[.)] )|[ \t]*$| {4}|\t")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_MARKS = re.compile(r"`|\*\*|__|\{#[^}]*\}")


def read_markdown(path: Path, *, limit: int) -> Page:
    """Read a Markdown file; the front matter gives the title, else the first heading of level 1.

    Raises:
        BadData: It cannot be read, is over the limit, or is no text.
    """
    return page_of(text_of(path, limit=limit))


def page_of(markdown: str) -> Page:
    """Find the headings of a Markdown text: `#` marks and underlines, outside of code blocks."""
    front = _FRONT.match(markdown)
    text = markdown[front.end() :] if front else markdown
    named = _TITLE.search(front[2] or "") if front else None
    found = list(_headings(text))
    first = next((heading.words for level, heading in found if level == 1), None)
    return Page(
        text=text,
        title=named[2].strip() if named else first,
        headings=tuple(heading for _, heading in found if heading.words),
    )


def _headings(text: str) -> Iterator[tuple[int, Heading]]:
    fence = ""
    at = 0
    before, before_at = "", 0  # the line above, which an underline makes a heading
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            before = ""
        elif mark:
            fence, before = mark[1], ""
        elif atx := _ATX.match(line):
            yield len(atx[1]), Heading(at, at + len(line), _bare(atx[2] or ""))
            before = ""
        elif before and _UNDERLINE.match(line):
            yield 1 if "=" in line else 2, Heading(before_at, at + len(line), _bare(before))
            before = ""
        else:
            before, before_at = ("" if _NO_HEADING.match(line) else line), at
        at += len(line) + 1


def _bare(words: str) -> str:
    return shortened(_MARKS.sub("", _LINK.sub(r"\1", words)))
