"""Telling several places of one text apart: by document, by what stood around it, by offset, by id."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from rapidfuzz import fuzz

from acidtest.golden.locate.find import Found
from acidtest.golden.locate.fold import fold
from acidtest.golden.locate.found import Occurrence, Part

CONTEXT = 300
"""Characters before and after a text that are held against each other."""

EQUAL = 0.02
"""Alignments that differ by less than this in similarity are equally good."""

_NEARLY_OWN = (
    0.9  # edited up to this, the text of its own document is preferred to a copy elsewhere
)
_LEAD = 0.1  # by which the best surroundings must beat the next
_JOINT = 2  # characters of white space between texts that follow each other
_SLIGHT = 12  # folded letters under which a text may stand anywhere by chance


class Hints(Struct, frozen=True, kw_only=True):
    """What is known of where a text was taken from.

    Args:
        doc_id: The document.
        start: The offset in it.
        before: What stood before it.
        after: What stood after it.
        chunk_id: The chunk that held it.
        near: Where other texts of the same case stand.
    """

    doc_id: str | None = None
    start: int | None = None
    before: str = ""
    after: str = ""
    chunk_id: str | None = None
    near: tuple[Part, ...] = ()


class Choice(Struct, frozen=True, eq=False, kw_only=True):
    """The place that was chosen.

    Args:
        occurrence: The place.
        certainty: How surely it is this one of all that were found, from 0 to 1.
        others: Places that are as good by their text.
        why: What leaves it open; None when nothing does.
    """

    occurrence: Occurrence
    certainty: float
    others: tuple[Occurrence, ...] = ()
    why: str | None = None


def choose(found: Found, text: str, hints: Hints, renamed: Mapping[str, str]) -> Choice | None:
    """Return the place of a text that the hints point to; None when it was found nowhere.

    Args:
        found: Its places.
        text: The text.
        hints: Where it came from.
        renamed: Documents that have another name now.
    """
    if not found.occurrences:
        return None
    if found.torn:
        return _torn(found, text, hints, renamed)
    best = found.occurrences[0].similarity
    equals = [each for each in found.occurrences if each.similarity >= best - EQUAL]
    return _apart(equals, text, hints, renamed, more=found.more)


def _torn(found: Found, text: str, hints: Hints, renamed: Mapping[str, str]) -> Choice:
    near = next(each for each in found.occurrences if each.doc_id == hints.doc_id)
    there = [each for each in found.occurrences if each.doc_id != hints.doc_id]
    why = f"its document has something like it ({near.similarity:.0%}), another has the text itself"
    if near.similarity >= _NEARLY_OWN:
        return Choice(occurrence=near, certainty=0.75, others=tuple(there), why=why)
    chosen = _apart(there, text, hints, renamed, more=found.more)
    return Choice(
        occurrence=chosen.occurrence,
        certainty=min(0.75, chosen.certainty),
        others=(*chosen.others, near),
        why=why,
    )


def _apart(
    equals: Sequence[Occurrence],
    text: str,
    hints: Hints,
    renamed: Mapping[str, str],
    *,
    more: bool,
) -> Choice:
    everywhere = len(equals)
    home = renamed.get(hints.doc_id, hints.doc_id) if hints.doc_id is not None else None
    at_home = [each for each in equals if home is not None and each.doc_id == home]
    pool = at_home or list(equals)
    slight = not at_home and len(fold(text)) < _SLIGHT
    if len(pool) == 1 and not more:
        why = "so short a text may stand there by chance" if slight else None
        return Choice(occurrence=pool[0], certainty=0.6 if slight else 1.0, why=why)
    picked, certainty = _picked(pool, hints)
    told = f"{'at least ' if more else ''}{len(pool) if at_home else everywhere}"
    return Choice(
        occurrence=picked,
        certainty=certainty,
        others=tuple(each for each in pool if each is not picked),
        why=None if certainty > 0.5 else f"the text stands in {told} places",
    )


def _picked(pool: Sequence[Occurrence], hints: Hints) -> tuple[Occurrence, float]:
    for tell in (_by_context, _by_offset, _by_neighbour, _by_id):
        picked = tell(pool, hints)
        if picked is not None:
            return picked
    return pool[0], min(0.5, 1 / len(pool))


def _by_context(pool: Sequence[Occurrence], hints: Hints) -> tuple[Occurrence, float] | None:
    before, after = fold(hints.before), fold(hints.after)
    if not before and not after:
        return None
    scored = []
    for number, each in enumerate(pool):
        first, last = each.parts[0], each.parts[-1]
        left = fold(first.stretch.text[max(0, first.start - CONTEXT) : first.start])
        right = fold(last.stretch.text[last.end : last.end + CONTEXT])
        likeness = (_alike(before, left) * len(before) + _alike(after, right) * len(after)) / (
            len(before) + len(after)
        )
        scored.append((-likeness, number))
    scored.sort()
    if scored[1][0] - scored[0][0] < _LEAD:
        return None
    return pool[scored[0][1]], 0.98


def _alike(one: str, other: str) -> float:
    return fuzz.ratio(one, other) / 100


def _by_offset(pool: Sequence[Occurrence], hints: Hints) -> tuple[Occurrence, float] | None:
    if hints.start is None or len({each.doc_id for each in pool}) > 1:
        return None
    far = sorted((abs(_offset(each) - hints.start), number) for number, each in enumerate(pool))
    if 2 * far[0][0] >= far[1][0]:
        return None
    return pool[far[0][1]], 0.97


def _offset(each: Occurrence) -> int:
    part = each.parts[0]
    for placed in part.stretch.touching(part.start, part.end):
        if placed.chunk.start is not None:
            return placed.chunk.start + part.start - placed.start
    return part.start


def _by_neighbour(pool: Sequence[Occurrence], hints: Hints) -> tuple[Occurrence, float] | None:
    """Believe a place that begins where another text of the case ends, or the other way round."""
    beside = [each for each in pool if any(_touch(each.parts[0], part) for part in hints.near)]
    return (beside[0], 0.95) if len(beside) == 1 else None


def _touch(one: Part, other: Part) -> bool:
    return one.stretch is other.stretch and (
        abs(one.start - other.end) <= _JOINT or abs(other.start - one.end) <= _JOINT
    )


def _by_id(pool: Sequence[Occurrence], hints: Hints) -> tuple[Occurrence, float] | None:
    """Believe an id that holds the text, by how unlikely it is that it does so by chance."""
    holders: list[set[str]] = [
        {
            placed.chunk.id
            for part in each.parts
            for placed in part.stretch.touching(part.start, part.end)
        }
        for each in pool
    ]
    named = [each for each, ids in zip(pool, holders, strict=True) if hints.chunk_id in ids]
    if len(named) == 0:
        return None
    stretches = {part.stretch for each in pool for part in each.parts}
    chunks = sum(len(stretch.placed) for stretch in stretches)
    certainty = 1 - len(set[str]().union(*holders)) / chunks
    return named[0], max(certainty, min(0.5, 1 / len(pool)))
