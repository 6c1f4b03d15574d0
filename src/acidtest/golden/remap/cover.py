"""The fewest chunks that hold a piece of evidence.

A quote is held whole: each word of it may be the answer. Of a longer text, which may be a whole old
chunk with ends where the knife fell, a chunk that has little of an end and no whole sentence does not
count; a chunk with nothing but evidence always does.

With overlapping chunks the same text stands in several of them. A label for each would ask the
retriever for all, where one is enough: so one is chosen, and the others are named beside it.
"""

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from acidtest.golden.locate.stretches import Placed, Stretch
from acidtest.text.sentences import spans

LEAST_SHARE = 0.2
"""Less than this share of what a text has beyond a quote's length is little."""

QUOTE = 300
"""Characters up to which a text is a quote."""

_WORD = re.compile(r"\w")
_LARGER = 1.5  # a chunk this much longer than the shortest that holds the evidence is not preferred
_CRUMB = 300  # characters of which even a large piece of evidence leaves none out
_AROUND = 400  # characters around a range in which its sentences are looked for


class Held(Struct, frozen=True, eq=False):
    """A chunk and the range of the stretch that it holds of the evidence."""

    placed: Placed
    start: int
    end: int

    @property
    def id(self) -> str:
        """The chunk's id."""
        return self.placed.chunk.id


class Cover(Struct, frozen=True, eq=False):
    """The chosen chunks in the order of the text, the ids that could stand in for one, and the share held."""

    chosen: tuple[Held, ...]
    alternatives: tuple[str, ...]
    share: float


def cover(
    stretch: Stretch,
    start: int,
    end: int,
    *,
    prefer: Collection[str] = (),
    least_share: float = LEAST_SHARE,
    length: int | None = None,
    slack: int = 0,
) -> Cover:
    """Return the fewest chunks that hold a range of a stretch.

    Args:
        stretch: The text and its chunks.
        start: The first character of the evidence.
        end: The character after its last.
        prefer: The evidence's old ids: those that are there again and hold any of it stay.
        least_share: See `LEAST_SHARE`.
        length: Characters of the whole evidence, where this range is a part of it.
        slack: Characters by which the range's ends may be off.
    """
    start, end = _trimmed(stretch.text, start, end)
    held = [
        Held(placed, max(placed.start, start), min(placed.end, end))
        for placed in stretch.touching(start, end)
    ]
    held = [each for each in held if _WORD.search(stretch.text, each.start, each.end)] or held
    if not held:
        return Cover((), (), 0.0)
    most = max(slack, least_share * max(0, (length or end - start) - QUOTE))
    loss = _Loss(stretch, start, end, most)
    full = [each for each in held if loss.bare(start, each.start) and loss.bare(each.end, end)]
    alone = full or _nearly_full(held, loss)
    if alone:
        chosen = [_best(alone, start, end, prefer)]
    else:
        chosen = _without_crumbs(_fewest(held, start, end, prefer), loss)
    chosen += [each for each in held if each.id in prefer and each not in chosen]
    chosen.sort(key=lambda each: (each.start, each.end))
    taken = {each.id for each in chosen}
    rest = alone or [each for each in held if not loss.small(each.start, each.end)]
    return Cover(
        tuple(chosen),
        tuple(each.id for each in rest if each.id not in taken),
        _covered(chosen) / max(1, end - start),
    )


class _Loss:
    """What may be left out at the ends of the evidence."""

    def __init__(self, stretch: Stretch, start: int, end: int, most: float) -> None:
        self.text, self.start, self.end, self.most = stretch.text, start, end, most

    def bare(self, start: int, end: int) -> bool:
        """Say whether a range has no word, but signs at most."""
        return not _WORD.search(self.text, start, end)

    def small(self, start: int, end: int) -> bool:
        """Say whether a range is too little to count: a small share, and no whole sentence."""
        start, end = _trimmed(self.text, start, end)
        if not _WORD.search(self.text, start, end):
            return True
        return end - start < min(self.most, _CRUMB) and not self._whole_sentence(start, end)

    def bearable(self, chosen: Sequence[Held]) -> bool:
        """Say whether all that some chunks leave out is together too little to count."""
        left_out = self.end - self.start - _covered(chosen)
        return left_out < self.most or not any(
            _WORD.search(self.text, *each) for each in self._gaps(chosen)
        )

    def _gaps(self, chosen: Sequence[Held]) -> list[tuple[int, int]]:
        return [(self.start, chosen[0].start), (chosen[-1].end, self.end)]

    def inside(self, each: Held) -> bool:
        """Say whether a chunk has nothing but evidence."""
        return self.start <= each.placed.start and each.placed.end <= self.end

    def _whole_sentence(self, start: int, end: int) -> bool:
        low = max(0, start - _AROUND)
        window = self.text[low : end + _AROUND]
        for number, span in enumerate(spans(window)):
            first, last = _trimmed(window, *span)
            cut = number == 0 and low > 0  # it may have begun before the window
            if start <= first + low and last + low <= end and not cut:
                return True
        return False


def _nearly_full(held: Sequence[Held], loss: _Loss) -> list[Held]:
    """Return the chunks that alone hold all that counts."""
    found = [
        each
        for each in held
        if loss.bearable([each])
        and loss.small(loss.start, each.start)
        and loss.small(each.end, loss.end)
    ]
    return [
        each
        for each in found
        if all(
            each.start <= other.start and other.end <= each.end
            for other in held
            if loss.inside(other)
        )
    ]


def _best(alone: Sequence[Held], start: int, end: int, prefer: Collection[str]) -> Held:
    """Return the chunk that holds most, of those the named one, of those the one with it in its middle."""
    most = max(each.end - each.start for each in alone)
    full = [each for each in alone if each.end - each.start == most]
    named = [each for each in full if each.id in prefer]
    if named:
        return named[0]
    shortest = min(each.placed.end - each.placed.start for each in full)
    fit = [each for each in full if each.placed.end - each.placed.start <= _LARGER * shortest]
    return max(fit, key=lambda each: min(start - each.placed.start, each.placed.end - end))


def _fewest(held: Sequence[Held], start: int, end: int, prefer: Collection[str]) -> list[Held]:
    """Return the fewest chunks that leave nothing out that any chunk has: always the one reaching furthest."""
    chosen: list[Held] = []
    at, number = start, 0
    best: Held | None = None
    while at < end:
        while number < len(held) and held[number].start <= at:
            best = _further(best, held[number], prefer)
            number += 1
        if best is None or best.end <= at:
            if number == len(held):
                break
            at = held[number].start  # nothing holds what lies between
            continue
        chosen.append(best)
        at = best.end
    return chosen


def _further(best: Held | None, other: Held, prefer: Collection[str]) -> Held:
    if best is None or (other.end, other.id in prefer) > (best.end, best.id in prefer):
        return other
    return best


def _without_crumbs(chosen: list[Held], loss: _Loss) -> list[Held]:
    """Leave out the ends that hold too little, the smaller first; a chunk wholly inside stays."""
    while len(chosen) > 1:
        ends = sorted(
            (
                (chosen[1].start - chosen[0].start, 0, chosen[0].start, chosen[1].start),
                (chosen[-1].end - chosen[-2].end, -1, chosen[-2].end, chosen[-1].end),
            ),
            key=lambda each: each[0],
        )
        for _, at, first, last in ends:
            rest = chosen[1:] if at == 0 else chosen[:-1]
            if not loss.inside(chosen[at]) and loss.small(first, last) and loss.bearable(rest):
                chosen = rest
                break
        else:
            break
    return chosen


def _covered(chosen: Sequence[Held]) -> int:
    total, at = 0, 0
    for each in chosen:
        total += max(0, each.end - max(at, each.start))
        at = max(at, each.end)
    return total


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    return (
        (start + left, end - (len(part) - len(part.rstrip()))) if left < len(part) else (end, end)
    )
