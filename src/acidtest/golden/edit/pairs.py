"""Which piece of evidence of one version is which of the other."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence

from acidtest.data.golden import Evidence

_ALIKE: tuple[Callable[[Evidence], Hashable], ...] = (
    lambda piece: (
        piece.text,
        piece.chunk_id,
        piece.doc_id,
        piece.doc_version,
        piece.start,
        piece.end,
    ),
    lambda piece: (piece.text, piece.chunk_id),
    lambda piece: piece.text,
    lambda piece: None if piece.chunk_id is None else (piece.chunk_id, piece.start),
    lambda piece: piece.chunk_id,
)
"""By what two pieces are held to be the same, the surest first; None says nothing."""


def paired(before: Sequence[Evidence], after: Sequence[Evidence]) -> list[tuple[int, int]]:
    """Return pairs of places that hold the same piece, ascending by the first.

    The same is what is equal, has the same text, or is of the same chunk; where several are, they are
    paired in their order. Each place is in one pair at most.
    """
    found: list[tuple[int, int]] = []
    old, new = list(range(len(before))), list(range(len(after)))
    for alike in _ALIKE:
        now = list(_by(alike, before, after, old, new))
        found += now
        gone, come = {a for a, _ in now}, {b for _, b in now}
        old = [place for place in old if place not in gone]
        new = [place for place in new if place not in come]
    return sorted(found)


def _by(
    alike: Callable[[Evidence], Hashable],
    before: Sequence[Evidence],
    after: Sequence[Evidence],
    old: Sequence[int],
    new: Sequence[int],
) -> Iterator[tuple[int, int]]:
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place in new:
        places[alike(after[place])].append(place)
    for place in old:
        key = alike(before[place])
        if key is not None and places.get(key):
            yield place, places[key].pop(0)
