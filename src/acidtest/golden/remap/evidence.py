"""Evidence as it is written for the new chunks: the old text, one record a chunk that holds it."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from acidtest.data.corpus import CorpusChunk
from acidtest.data.golden import Evidence
from acidtest.golden.locate.fold import fold
from acidtest.golden.locate.found import Occurrence, Part
from acidtest.golden.remap.place import Placement, Spot

_ENDS = re.compile(r"[.!?:;…。！？؟।]['\"”’»)\]]*\s*\Z")
_SNAP = 10  # characters by which a cut may move to stand between words


def rewritten(old: Evidence, placement: Placement) -> tuple[Evidence, ...]:
    """Return a piece of evidence with the chunks that hold it now.

    What was edited keeps the version that it was made from: it is not the text of today's.

    Held by one chunk it keeps its text. Held by several, its text is cut where the chunks are; what a
    chunk holds that got no label (too little of it) stays with its neighbour, so nothing is lost.
    """
    spots = placement.spots
    if not spots:
        return (old,)
    edited = placement.occurrence is not None and placement.occurrence.how == "fuzzy"
    if len({spot.held.id for spot in spots}) == 1:
        return (_with(old, old.text, spots[0], whole=spots, edited=edited),)
    return tuple(
        _with(old, text, spot, whole=(spot,), edited=edited)
        for spot, text in zip(spots, _texts(old.text, placement), strict=True)
    )


def decided(
    old: Evidence, placement: Placement, chunks: Sequence[CorpusChunk]
) -> tuple[Evidence, ...]:
    """Return a piece of evidence for the chunks that a person chose; none for none.

    Where they hold its text it stays; where they do not, their own texts are the evidence now.
    """
    if not chunks:
        return ()
    ids = {chunk.id for chunk in chunks}
    spots = tuple(spot for spot in placement.spots if spot.held.id in ids)
    if spots:
        return rewritten(old, replace(placement, spots=spots))
    wanted = fold(old.text)
    holder = next((chunk for chunk in chunks if wanted in fold(chunk.text)), None)
    texts = [(holder, old.text)] if holder is not None else [(each, each.text) for each in chunks]
    return tuple(
        replace(
            old,
            text=text,
            chunk_id=chunk.id,
            doc_id=chunk.doc_id,
            doc_version=chunk.doc_version,
            start=None,
            end=None,
        )
        for chunk, text in texts
    )


def _texts(text: str, placement: Placement) -> Iterator[str]:
    spots = placement.spots
    for number, spot in enumerate(spots):
        opens = number == 0 or spots[number - 1].part is not spot.part
        closes = number == len(spots) - 1 or spots[number + 1].part is not spot.part
        first = spot.part.first if opens else _across(text, placement, spot, spot.held.start)
        last = spot.part.last if closes else _across(text, placement, spot, spot.held.end)
        piece = text[first:last].strip()
        yield piece or spot.part.stretch.text[spot.held.start : spot.held.end].strip()


def _across(text: str, placement: Placement, spot: Spot, at: int) -> int:
    """Return the character of the old text that stands at a place of the new one."""
    part = spot.part
    if placement.occurrence is not None and placement.occurrence.how == "exact":
        return len(text) - len(text.lstrip()) + at - part.start
    done = fold(part.stretch.text[part.start : at])
    whole = fold(part.stretch.text[part.start : part.end])
    share = len(done) / max(1, len(whole))
    guess = part.first + round(share * (part.last - part.first))
    near = range(max(0, guess - _SNAP), min(len(text), guess + _SNAP + 1))
    gaps = [place for place in near if text[place].isspace()]
    return min(gaps, key=lambda place: abs(place - guess), default=guess)


def _with(
    old: Evidence, text: str, spot: Spot, *, whole: tuple[Spot, ...], edited: bool
) -> Evidence:
    chunk = spot.held.placed.chunk
    doc_id = chunk.doc_id if chunk.doc_id is not None else old.doc_id
    same = doc_id == old.doc_id
    before = old.doc_version if same else None
    version = before if edited else chunk.doc_version or before
    start, end = _offsets(chunk, whole)
    if start is None and same and version == old.doc_version and text == old.text:
        start, end = old.start, old.end
    return replace(
        old,
        text=text,
        chunk_id=chunk.id,
        doc_id=doc_id,
        doc_version=version,
        start=start,
        end=end,
    )


def _offsets(chunk: CorpusChunk, spots: tuple[Spot, ...]) -> tuple[int | None, int | None]:
    if chunk.start is None:
        return None, None
    first, last = spots[0].held, spots[-1].held
    shift = chunk.start - first.placed.start
    return first.start + shift, last.end + shift


def joined(evidence: list[tuple[Evidence, Placement | None]]) -> tuple[Evidence, ...]:
    """Return evidence with sentences put together that were cut in two and are in one chunk again.

    What somebody wrote apart stays apart: only a piece that ends within a sentence is joined, with one
    of another old chunk that follows it to the letter.
    """
    found: list[tuple[Evidence, Placement | None]] = []
    for each in evidence:
        if any(each[0] == other for other, _ in found):
            continue
        both = _one(found[-1], each) if found else None
        if both is None:
            found.append(each)
        else:
            found[-1] = both
    return tuple(each for each, _ in found)


def _one(
    left: tuple[Evidence, Placement | None], right: tuple[Evidence, Placement | None]
) -> tuple[Evidence, Placement] | None:
    (one, before), (two, after) = left, right
    if before is None or after is None or one.chunk_id != two.chunk_id:
        return None
    first, second = _whole(before), _whole(after)
    old = {before.piece.chunk_id, after.piece.chunk_id}
    if first is None or second is None or len(old) < 2 or None in old:
        return None
    text = first.stretch.text
    follows = first.stretch is second.stretch and first.start < second.start <= second.end
    if not follows or text[first.end : second.start].strip() or _ENDS.search(one.text):
        return None
    part = replace(first, end=max(first.end, second.end))
    merged = replace(
        one,
        text=text[part.start : part.end],
        end=two.end if one.end is not None else None,
    )
    return merged, replace(after, occurrence=Occurrence(parts=(part,), how="exact", similarity=1.0))


def _whole(placement: Placement) -> Part | None:
    """Return where a text stands to the letter in one chunk."""
    found = placement.occurrence
    if found is None or found.how != "exact" or len(placement.spots) != 1:
        return None
    return found.parts[0]
