"""Cutting a document into chunks: by its headings, then by paragraphs, then by sentences.

A section is a heading and what stands under it; a heading with nothing under it goes to the next one. A
section over the size is cut between paragraphs, a paragraph over it between sentences, and a sentence over
it at white space. Sizes are in characters.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from acidtest.corpus.documents.page import Heading, Page
from acidtest.text.sentences import spans

SIZE = 1_000
_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")

Span = tuple[int, int]


class Piece(Struct, frozen=True):
    """Where a chunk is in its document's text, and the heading that it is under."""

    start: int
    end: int
    section: str | None


def cut(page: Page, *, size: int = SIZE, overlap: int = 0) -> Iterator[Piece]:
    """Yield the chunks of a document in order.

    Args:
        page: The document.
        size: The most characters that a chunk has.
        overlap: The most characters at the end of a chunk, in whole sentences, that the next one of
            the same section begins with; under half the size.
    """
    for start, end, section in _sections(page):
        last: Span | None = None
        for span in _packed(_atoms(page.text, (start, end), size - overlap), size - overlap):
            begin = _back(page.text, last, span[0], overlap) if last and overlap else span[0]
            yield Piece(begin, span[1], section)
            last = span


def _sections(page: Page) -> Iterator[tuple[int, int, str | None]]:
    marks = [Heading(0, 0, ""), *page.headings]
    held: int | None = None  # where a heading began that has nothing under it
    for mark, following in zip(marks, [*page.headings, None], strict=True):
        end = following.start if following else len(page.text)
        if not page.text[mark.start : end].strip():
            continue
        begin = mark.start if held is None else held
        if following is not None and not page.text[mark.end : end].strip():
            held = begin
            continue
        held = None
        yield begin, end, mark.words or None


def _atoms(text: str, span: Span, size: int) -> Iterator[Span]:
    start, end = span
    for gap in _PARAGRAPHS.finditer(text, start, end):
        yield from _paragraph(text, (start, gap.start()), size)
        start = gap.end()
    yield from _paragraph(text, (start, end), size)


def _paragraph(text: str, span: Span, size: int) -> Iterator[Span]:
    start, end = _bare(text, span)
    if end - start <= size:
        if end > start:
            yield start, end
        return
    for first, last in spans(text[start:end]):
        yield from _hard(text, _bare(text, (start + first, start + last)), size)


def _hard(text: str, span: Span, size: int) -> Iterator[Span]:
    start, end = span
    while end - start > size:
        at = max(text.rfind(mark, start + size // 2, start + size) for mark in (" ", "\n", "\t"))
        stop = at if at > start else start + size
        if (bare := _bare(text, (start, stop)))[1] > bare[0]:
            yield bare
        start, end = _bare(text, (stop, end))
    if end > start:
        yield start, end


def _packed(atoms: Iterable[Span], size: int) -> Iterator[Span]:
    held: Span | None = None
    for start, end in atoms:
        if held and end - held[0] > size:
            yield held
            held = None
        held = (held[0], end) if held else (start, end)
    if held:
        yield held


def _back(text: str, last: Span, start: int, overlap: int) -> int:
    # The earliest sentence of the last chunk that is near enough to where the next one starts.
    begin = max(last[0], last[1] - 2 * overlap)
    found = (
        _bare(text, (begin + first, begin + end)) for first, end in spans(text[begin : last[1]])
    )
    whole = (at for at, _ in found if at > begin)
    return next((at for at in whole if start - at <= overlap), start)


def _bare(text: str, span: Span) -> Span:
    start, end = span
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if left < len(piece) else (start, start)
