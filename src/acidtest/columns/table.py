"""The hit table itself, and the columns that metrics make of it."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import truediv

from acidtest.columns.labels import Patterns

Column = list[float | None]
"""One value a query; None where the query has no labels."""


@dataclass(frozen=True, slots=True)
class Places:
    """Chunks that came back: whose they are, where they stand, and their grades.

    Three lists of one length, ordered by query (its number in the table), then by rank (from 1).
    """

    query: list[int]
    rank: list[int]
    grade: list[int]

    def __len__(self) -> int:
        return len(self.rank)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The hit table of any number of queries.

    Attributes:
        patterns: The grades of all labels of each query, whatever came back.
        relevant: How many chunks are relevant to each query (grade at or above the level); 0
            without labels.
        nonrelevant: How many were judged not relevant (from 0 up to the level; a negative grade is
            no judgement).
        retrieved: How many chunks came back for each query.
        hits: The relevant chunks that came back.
        graded: The chunks with a positive grade that came back: the hits, unless the level is
            above 1.
        rejected: The chunks judged not relevant that came back.
    """

    patterns: Patterns
    relevant: list[int]
    nonrelevant: list[int]
    retrieved: list[int]
    hits: Places
    graded: Places
    rejected: Places
    _found: dict[int | None, list[int]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.relevant)

    @property
    def labels(self) -> list[tuple[int, ...]]:
        """The grades of all labels, the highest first, query by query."""
        return self.patterns.spread(self.patterns.distinct)

    def found(self, k: int | None = None) -> list[int]:
        """Return how many relevant chunks each query got, within the first k where k is given."""
        counts = self._found.get(k)
        if counts is None:
            limit = sys.maxsize if k is None else k
            counts = self._found[k] = [0] * len(self)
            for query, rank in zip(self.hits.query, self.hits.rank, strict=True):
                if rank <= limit:
                    counts[query] += 1
        return counts

    def labelled(self, values: Sequence[float]) -> Column:
        """Return the values as a column: None where a query has no relevant chunk."""
        if all(self.relevant):
            return list(values)
        return [v if n else None for v, n in zip(values, self.relevant, strict=True)]


def ratio(above: Sequence[float], below: Sequence[float]) -> Column:
    """Divide two columns; None where the lower one is 0 (no labels)."""
    if all(below):
        return list(map(truediv, above, below))
    return [a / b if b else None for a, b in zip(above, below, strict=True)]


def tabulate(
    patterns: Patterns,
    retrieved: list[int],
    places: Places,
    *,
    level: int,
    depth: int | None,
    judged_only: bool,
) -> Ranked:
    """Make the table from the places of all judged ids that came back, whatever their grades.

    Args:
        patterns: The grades of every query's labels.
        retrieved: How many ids came back for each query.
        places: The judged ids among them.
        level: As for `from_rankings`, and so are `depth` and `judged_only`.
        depth: Only the first so many ids of a ranking count.
        judged_only: Drop ids without a judgement from the ranking first.
    """
    if depth is not None:
        retrieved = [min(n, depth) for n in retrieved]
        places = _where(places, [rank <= depth for rank in places.rank])
    if judged_only:
        places = _where(places, [grade >= 0 for grade in places.grade])
        retrieved = [0] * len(patterns)
        for at, query in enumerate(places.query):
            retrieved[query] += 1
            places.rank[at] = retrieved[query]
    distinct = patterns.distinct
    if level == 1 and min(map(min, filter(None, distinct)), default=1) > 0:
        # All that was judged is relevant: nothing to sort out.
        relevant, none = patterns.spread(list(map(len, distinct))), Places([], [], [])
        return Ranked(patterns, relevant, [0] * len(patterns), retrieved, places, places, none)
    return Ranked(
        patterns,
        patterns.spread([sum(g >= level for g in grades) for grades in distinct]),
        patterns.spread([sum(0 <= g < level for g in grades) for grades in distinct]),
        retrieved,
        hits=_where(places, [g >= level for g in places.grade]),
        graded=_where(places, [g > 0 for g in places.grade]),
        rejected=_where(places, [0 <= g < level for g in places.grade]),
    )


def _where(places: Places, keep: Sequence[bool]) -> Places:
    return Places(
        list(compress(places.query, keep)),
        list(compress(places.rank, keep)),
        list(compress(places.grade, keep)),
    )
