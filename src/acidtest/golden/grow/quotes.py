"""Quotes: where a span that a model copied stands in its chunk, and the evidence that it stands for."""

from collections.abc import Iterable, Sequence

from acidtest.data.corpus import CorpusChunk
from acidtest.data.golden import Evidence
from acidtest.golden.locate.fold import Folded, fold
from acidtest.text.sentences import spans

LEAST = 6
"""Folded letters of a quote; a shorter one stands in nearly every text."""

_EDGE = " \t\r\n.,;:!?…\"'“”„«»‘’`*_()[]"


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text, but for case, white space and typography; else None."""
    wanted = fold(quote.strip(_EDGE))
    if len(wanted) < LEAST:
        return None
    folded = Folded(text)
    at = folded.text.find(wanted)
    return folded.origin(at, at + len(wanted)) if at >= 0 else None


def evidence_of(
    chunks: Sequence[CorpusChunk], quotes: Iterable[tuple[int, str]]
) -> tuple[Evidence, ...]:
    """Return the sentences that hold the quotes, word for word as their chunks have them.

    A sentence is told apart from others after the next re-chunking; a few words of it may not be.

    Args:
        chunks: What was shown.
        quotes: Number of the chunk, from 1, and a quote that stands in it.
    """
    found: dict[tuple[int, int, int], Evidence] = {}
    for number, quote in quotes:
        chunk = chunks[number - 1]
        place = place_of(quote, chunk.text)
        if place is not None:
            start, end = _sentences(chunk.text, *place)
            found.setdefault((number, start, end), evidence_at(chunk, start, end))
    return tuple(found[key] for key in sorted(found))


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of the whole sentences that a range touches, without outer white space."""
    touched = [(a, b) for a, b in spans(text) if a < end and b > start]
    if touched:
        start, end = touched[0][0], touched[-1][1]
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def evidence_at(chunk: CorpusChunk, start: int, end: int) -> Evidence:
    """Return a range of a chunk as evidence."""
    # The places are the document's where the chunk knows its own.
    known = chunk.start is not None and chunk.end == chunk.start + len(chunk.text)
    base = chunk.start if known else None
    return Evidence(
        text=chunk.text[start:end],
        chunk_id=chunk.id,
        doc_id=chunk.doc_id,
        doc_version=chunk.doc_version,
        start=None if base is None else base + start,
        end=None if base is None else base + end,
    )
