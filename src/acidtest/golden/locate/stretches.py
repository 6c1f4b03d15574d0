"""Stretches: the running text that chunks were cut from, put together from them, with their places.

A piece of evidence may begin in one chunk and end in the next. So the chunks of a document are laid
one after the other, what two of them share only once; chunks that name no document make one stretch
in the order of the file.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from acidtest.data.corpus import Corpus, CorpusChunk

LEAST_SHARED = 8
"""Chunks that share fewer characters than this are not taken for overlapping ones."""

LEAST_INSIDE = 100
"""A shorter chunk that the one before it holds repeats its words; a longer one is a part of it."""

_TRIES = 1_000  # places at which an overlap may begin


class Placed(Struct, frozen=True, eq=False):
    """A chunk and its range in the stretch; `end` is exclusive."""

    chunk: CorpusChunk
    start: int
    end: int


class Stretch(Struct, frozen=True, eq=False, kw_only=True):
    """The running text of a document, or of all chunks that name none.

    Args:
        number: Its place among the stretches.
        doc_id: The document, if it has a name.
        text: The running text.
        placed: The chunks by where they start.
        reach: For each chunk, how far it and those before it reach.
    """

    number: int
    doc_id: str | None
    text: str
    placed: tuple[Placed, ...]
    reach: tuple[int, ...]

    def touching(self, start: int, end: int) -> Iterator[Placed]:
        """Yield the chunks that share a character with a range."""
        for at in range(bisect_right(self.reach, start), len(self.placed)):
            placed = self.placed[at]
            if placed.start >= end:
                return
            if placed.end > start:
                yield placed


def stretches_of(corpus: Corpus) -> list[Stretch]:
    """Return the stretches of a corpus: one a document, and one of the chunks without."""
    loose = [chunk for chunk in corpus if chunk.doc_id is None]
    found = [
        join(number, name, chunks) for number, (name, chunks) in enumerate(corpus.by_doc.items())
    ]
    if loose:
        found.append(join(len(found), None, loose))
    return found


def documents_of(corpus: Corpus) -> list[Stretch]:
    """Return the stretches of a corpus, documents whole where their text is known; those have no chunks."""
    whole = corpus.documents
    return [
        Stretch(
            number=each.number, doc_id=each.doc_id, text=whole[each.doc_id], placed=(), reach=()
        )
        if each.doc_id is not None and each.doc_id in whole
        else each
        for each in stretches_of(corpus)
    ]


def join(number: int, doc_id: str | None, chunks: Sequence[CorpusChunk]) -> Stretch:
    """Lay the chunks of one document out, what they share only once."""
    known = doc_id is not None and all(chunk.start is not None for chunk in chunks)
    if known:
        chunks = sorted(chunks, key=lambda chunk: (chunk.start or 0, -len(chunk.text)))
    parts: list[str] = []
    placed: list[Placed] = []
    size = 0
    last: Placed | None = None  # the chunk that reaches furthest
    shared = False  # the chunk before began within another
    for chunk in chunks:
        shift = _shift(last.chunk, chunk, known=known, shared=shared) if last is not None else None
        shared = last is not None and shift is not None and last.start + shift < size
        if last is not None and shift is not None:
            start = last.start + shift
            more = chunk.text[size - start :]
        else:
            gap = "\n" if size else ""
            parts.append(gap)
            size += len(gap)
            start, more = size, chunk.text
        parts.append(more)
        size += len(more)
        here = Placed(chunk, start, start + len(chunk.text))
        placed.append(here)
        if last is None or here.end >= last.end:
            last = here
    placed.sort(key=lambda each: each.start)
    text = chunks[0].text if len(chunks) == 1 else "".join(parts)
    return Stretch(
        number=number,
        doc_id=doc_id,
        text=text,
        placed=tuple(placed),
        reach=tuple(_running_max(each.end for each in placed)),
    )


def _running_max(ends: Iterable[int]) -> Iterator[int]:
    furthest = 0
    for end in ends:
        furthest = max(furthest, end)
        yield furthest


def _shift(before: CorpusChunk, chunk: CorpusChunk, *, known: bool, shared: bool) -> int | None:
    """Return where a chunk starts, counted from the start of one before it; None: after a gap.

    What the offsets say is believed only where the texts agree. A short chunk that is the end of the one
    before it repeats its words, unless the document is cut with overlaps: then it is the last cut.
    """
    old, new = before.text, chunk.text
    if known:
        shift = (chunk.start or 0) - (before.start or 0)
        if 0 <= shift <= len(old) and _agree(old, new, shift):
            return shift
    if len(new) >= LEAST_INSIDE and (inside := old.rfind(new)) >= 0:
        return inside
    head = new[:LEAST_SHARED]
    at = max(-1, len(old) - len(new) - shared)
    for _ in range(_TRIES if len(head) == LEAST_SHARED and head.strip() else 0):
        at = old.find(head, at + 1)
        if at < 0:
            break
        if _agree(old, new, at):
            return at
    return None


def _agree(old: str, new: str, shift: int) -> bool:
    shared = old[shift : shift + len(new)]
    return new.startswith(shared)
