"""The demo's corpus: the handbook in chunks of one heading each.

A chunk is a section, or a part of it where it is long. Its id is `docs/PAGE#HEADING-N`, N counting the
section's parts from 1; its document is `docs/PAGE`. Markdown marks are taken out, and every row of a
table becomes a line of its own with the columns' names, so that it can be read without the table.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from acidtest.errors import BadData

TARGET_WORDS = 150
"""A section is cut at the end of the block that reaches this many words."""

_HERE = Path(__file__).resolve().parent
_HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_MARKS = re.compile(r"`|\*\*|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")
_LIST_ITEM = re.compile(r"^(?:[-*]|\d+\.) ")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Passage:
    """One chunk of the handbook."""

    id: str
    doc_id: str
    title: str
    heading: str
    text: str


def demo_folder() -> Path:
    """Return the folder of the demo's `acidtest.toml` and golden set."""
    return _HERE


def docs_folder(package: Path = _HERE) -> Path:
    """Return where the handbook is: in the package when installed, beside it in a checkout.

    Raises:
        BadData: It is in neither place.
    """
    for folder in (package / "docs", package.parents[2] / "docs"):
        if (folder / "index.md").is_file():
            return folder
    raise BadData(
        "the handbook is missing",
        where=str(package / "docs"),
        fix="Install acidtest again, or run from a full checkout.",
    )


@functools.cache
def passages() -> tuple[Passage, ...]:
    """Return every chunk of the handbook, page by page in the order of their names."""
    pages = sorted(docs_folder().glob("*.md"))
    return tuple(
        passage
        for page in pages
        for passage in chunked(f"docs/{page.stem}", page.read_text(encoding="utf-8"))
    )


def chunked(doc_id: str, markdown: str) -> Iterator[Passage]:
    """Cut one page into chunks."""
    title = ""
    seen: dict[str, int] = {}
    for heading, blocks in _sections(_COMMENT.sub("", markdown)):
        title = title or heading
        slug = _slug(heading)
        for text in _packed(blocks):
            seen[slug] = seen.get(slug, 0) + 1
            yield Passage(f"{doc_id}#{slug}-{seen[slug]}", doc_id, title, heading, text)


def _sections(markdown: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines, fenced = "", list[str](), False
    for line in markdown.splitlines():
        fenced ^= line.startswith("```")
        match = None if fenced else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        if heading and (blocks := list(_blocks(lines))):
            yield heading, blocks
        heading, lines = _plain(match[2]), []
    if heading and (blocks := list(_blocks(lines))):
        yield heading, blocks


def _blocks(lines: list[str]) -> Iterator[str]:
    # A paragraph, a list item, a table row and a code block are one block each.
    paragraph: list[str] = []
    header: list[str] | None = None
    code: list[str] | None = None
    for line in [*lines, ""]:
        if line.startswith("```"):
            if code is not None:
                yield "\n".join(code)
            code = [] if code is None else None
        elif code is not None:
            code.append(line)
        elif line.startswith("|"):
            cells = [_plain(cell.strip()) for cell in line.strip().strip("|").split("|")]
            if header is None:
                header = cells
            elif any(cell.strip("-: ") for cell in cells):
                yield _row(header, cells)
        elif line.strip() and not _LIST_ITEM.match(line):
            paragraph.append(line.strip())
        else:
            header = None
            if paragraph:
                yield _plain(" ".join(paragraph))
            paragraph = [line.strip()] if line.strip() else []


def _row(header: list[str], cells: list[str]) -> str:
    named = zip(header, cells, strict=False)
    text = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _packed(blocks: list[str]) -> Iterator[str]:
    held: list[str] = []
    words = 0
    for block in blocks:
        held.append(block)
        words += len(block.split())
        if words >= TARGET_WORDS:
            yield "\n".join(held)
            held, words = [], 0
    if held:
        yield "\n".join(held)


def _plain(markdown: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", markdown))


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
