"""Where a piece of evidence is now: the place that was chosen, how surely, and the chunks that hold it."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from acidtest.data.corpus import CorpusChunk
from acidtest.golden.locate.around import Surroundings
from acidtest.golden.locate.choose import Hints, choose
from acidtest.golden.locate.find import Found
from acidtest.golden.locate.fold import fold
from acidtest.golden.locate.found import Occurrence, Part
from acidtest.golden.locate.stretches import Placed
from acidtest.golden.remap.claims import Piece
from acidtest.golden.remap.cover import Held, cover

SHORT = 40
"""Folded letters under which an alignment must be closer: few words look alike by chance."""

NUMBERS = 0.85
"""What remains of the confidence where numbers differ: the next row of a list looks just like that."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OTHERS = 5
_LEAST_SLACK, _MOST_SLACK = 3, 40


class Spot(Struct, frozen=True, eq=False, kw_only=True):
    """A chunk that holds evidence, and which part of the evidence it belongs to."""

    part: Part
    held: Held


class Placement(Struct, frozen=True, eq=False, kw_only=True):
    """Where one piece of evidence is.

    Args:
        piece: What was looked for.
        occurrence: Where it is; None when it is nowhere.
        spots: The chunks that hold it, in order.
        confidence: From 0 to 1.
        alternatives: Chunks that hold it as well at the same place.
        others: Chunks at other places that may be meant.
        why: What makes it doubtful; None when nothing does.
    """

    piece: Piece
    occurrence: Occurrence | None = None
    spots: tuple[Spot, ...] = ()
    confidence: float = 0.0
    alternatives: tuple[str, ...] = ()
    others: tuple[Placed, ...] = ()
    why: str | None = None


def place(
    piece: Piece,
    hints: Hints,
    found: Found,
    renamed: Mapping[str, str],
    *,
    prefer: Collection[str],
    least_share: float,
) -> Placement:
    """Return where a piece of evidence is.

    Args:
        piece: The evidence.
        hints: Where it came from.
        found: Where its text stands.
        renamed: Documents that have another name now.
        prefer: Chunks that win where they hold it as well as others.
        least_share: See `cover`.
    """
    choice = choose(found, piece.text, hints, renamed)
    if choice is None:
        return Placement(piece=piece, why="its text stands nowhere in the new chunks")
    likeness, why = _likeness(piece.text, choice.occurrence)
    spots: list[Spot] = []
    alternatives: list[str] = []
    length = sum(part.end - part.start for part in choice.occurrence.parts)
    for part in choice.occurrence.parts:
        covered = cover(
            part.stretch,
            part.start,
            part.end,
            prefer=prefer,
            least_share=least_share,
            length=length,
            slack=_slack(part) if choice.occurrence.how == "fuzzy" else 0,
        )
        spots += [Spot(part=part, held=held) for held in covered.chosen]
        alternatives += covered.alternatives
    chosen = {spot.held.id for spot in spots}
    certainty, others, open_why = choice.certainty, choice.others, choice.why
    if others and not found.more and all(_among(other, spots) for other in others):
        certainty, others, open_why = 1.0, (), None  # whichever it is, its chunk is the same
    return Placement(
        piece=piece,
        occurrence=choice.occurrence,
        spots=tuple(spots),
        confidence=likeness * certainty,
        alternatives=tuple(dict.fromkeys(id_ for id_ in alternatives if id_ not in chosen)),
        others=tuple(_holder(other) for other in others[:_OTHERS]),
        why=open_why or why,
    )


def _among(other: Occurrence, spots: Sequence[Spot]) -> bool:
    """Say whether a place lies in the only chosen chunk."""
    if len({spot.held.id for spot in spots}) != 1:
        return False
    stretch, placed = spots[0].part.stretch, spots[0].held.placed
    return all(
        part.stretch is stretch and placed.start <= part.start and part.end <= placed.end
        for part in other.parts
    )


def _slack(part: Part) -> int:
    """Return by how many characters the ends of an alignment may be off."""
    return min(
        _MOST_SLACK, _LEAST_SLACK + round(0.5 * (1 - part.similarity) * (part.end - part.start))
    )


def hints_for(piece: Piece, old: Mapping[str, CorpusChunk], before: Surroundings | None) -> Hints:
    """Return what is known of where a piece came from.

    Args:
        piece: The evidence.
        old: The old chunks by id.
        before: Knows what stood around them; None when they are not given.
    """
    chunk = old.get(piece.chunk_id) if piece.chunk_id is not None else None
    doc_id = piece.doc_id or (chunk.doc_id if chunk is not None else None)
    hints = Hints(doc_id=doc_id, start=piece.start, chunk_id=piece.chunk_id)
    if chunk is None or before is None:
        return hints
    around = before.around(chunk, piece.text)
    if around is None:
        return hints
    left, right = around
    return Hints(
        doc_id=doc_id, start=piece.start, chunk_id=piece.chunk_id, before=left, after=right
    )


def _likeness(text: str, occurrence: Occurrence) -> tuple[float, str | None]:
    if occurrence.how != "fuzzy":
        return occurrence.similarity, None
    likeness = occurrence.similarity
    why = f"the text was edited ({likeness:.0%} alike)"
    if len(fold(text)) < SHORT:
        likeness **= 1.5
    if Counter(_NUMBER.findall(text)) != Counter(_NUMBER.findall(occurrence.text)):
        likeness *= NUMBERS
        why = f"the text was edited, numbers in it too ({occurrence.similarity:.0%} alike)"
    return likeness, why


def _holder(occurrence: Occurrence) -> Placed:
    """Return the chunk that holds most of the first part of a place."""
    part = occurrence.parts[0]
    return max(
        part.stretch.touching(part.start, part.end),
        key=lambda each: min(each.end, part.end) - max(each.start, part.start),
    )
