"""The hit table: where the judged chunks stand in each ranking, and nothing else.

A run is never ranked whole. Of every query only the ranks of the judged chunks are found, once; each
label metric, at each cut-off, is then a function of this table. Standard library only, so that
scoring a ranking imports nothing.

Order of a scored run: higher score first, equal scores by id, larger id first (as trec_eval breaks
ties). Chunks without a judgement keep their rank and are not relevant.
"""

import math
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from typing import Any, SupportsFloat

from acidtest.errors import BadData

Column = list[float | None]
"""One value a query; None where the query has no labels."""

Labels = Mapping[str, int] | Collection[str]
"""The judged ids with their grades, or just the relevant ids (grade 1)."""

MAX_GRADE = 2**63 - 1


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
        labels: The grades of all labels of each query, whatever came back.
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

    labels: list[tuple[int, ...]]
    relevant: list[int]
    nonrelevant: list[int]
    retrieved: list[int]
    hits: Places
    graded: Places
    rejected: Places
    _found: dict[int | None, list[int]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.labels)

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


def ratio(above: Iterable[float], below: Iterable[float]) -> Column:
    """Divide two columns; None where the lower one is 0 (no labels)."""
    return [a / b if b else None for a, b in zip(above, below, strict=True)]


def one_query(retrieved: Sequence[str], relevant: Labels) -> Ranked:
    """Build the table of one ranking; an id that comes twice counts once, at its first place."""
    return from_rankings([retrieved], [relevant])


def from_rankings(
    rankings: Sequence[Sequence[str]],
    labels: Sequence[Labels | None],
    *,
    level: int = 1,
    depth: int | None = None,
    judged_only: bool = False,
    repeats: bool = True,
    names: Sequence[str] | None = None,
) -> Ranked:
    """Build the table from ranked lists.

    Args:
        rankings: The ids of each query, best first.
        labels: The labels of each query, in the same order; None or empty: not labelled.
        level: The lowest grade that is relevant.
        depth: Only the first so many ids of a ranking count.
        judged_only: Drop ids without a judgement from the ranking first.
        repeats: Whether an id may come twice; it then counts once, at its first place.
        names: What to call each query in an error.

    Raises:
        BadData: An id came twice and must not, a grade is not a whole number, or a string stands
            where a list of ids belongs.
    """
    grades, patterns = checked(labels, names)
    places = Places([], [], [])
    queries, ranks, graded = places.query, places.rank, places.grade
    retrieved: list[int] = []
    for judged, ranking in zip(grades, rankings, strict=True):
        i = len(retrieved)
        ids = ranking if type(ranking) is list else _ids(ranking, i, names)
        if depth is not None:
            ids = ids[:depth]
        present = set(ids)
        if len(present) != len(ids):
            ids = _once(ids, i, names, repeats=repeats)
        retrieved.append(len(ids))
        if len(judged) > 8 and not present.isdisjoint(judged):
            judged = {id_: judged[id_] for id_ in ids if id_ in judged}  # noqa: PLW2901
        start, last = len(ranks), 0
        for id_ in judged:
            if id_ in present:
                rank = ids.index(id_) + 1
                queries.append(i)
                if rank > last:
                    ranks.append(rank)
                    graded.append(judged[id_])
                    last = rank
                else:
                    at = bisect_right(ranks, rank, start)
                    ranks.insert(at, rank)
                    graded.insert(at, judged[id_])
    return tabulate(patterns, retrieved, places, level=level, depth=depth, judged_only=judged_only)


def from_runs(
    runs: Sequence[Mapping[str, float]],
    labels: Sequence[Labels | None],
    *,
    level: int = 1,
    depth: int | None = None,
    judged_only: bool = False,
    names: Sequence[str] | None = None,
) -> Ranked:
    """Build the table from scored runs.

    Args:
        runs: The scores of each query: id -> score, in any order.
        labels: The labels of each query, in the same order; None or empty: not labelled.
        level: The lowest grade that is relevant.
        depth: Only the first so many ids of a ranking count.
        judged_only: Drop ids without a judgement from the ranking first.
        names: What to call each query in an error.

    Raises:
        BadData: A score is NaN or not a number, a grade is not a whole number, or a string stands
            where labels belong.
    """
    grades, patterns = checked(labels, names)
    places = Places([], [], [])
    queries, ranks, graded = places.query, places.rank, places.grade
    total = 0.0
    i = 0
    try:
        for judged, scores in zip(grades, runs, strict=True):
            values = sorted(scores.values())
            total += sum(values)
            below = len(values) + 1
            start, last = len(ranks), 0
            for id_ in judged:
                if id_ in scores:
                    score = scores[id_]
                    end = bisect_right(values, score)
                    if values[end - 2] == score and end > 1:
                        _place_among_ties(places, start, i, scores, judged)
                        break
                    rank = below - end
                    queries.append(i)
                    if rank > last:
                        last = rank
                        ranks.append(rank)
                        graded.append(judged[id_])
                    else:  # the labels are in no order
                        at = bisect_right(ranks, rank, start)
                        ranks.insert(at, rank)
                        graded.insert(at, judged[id_])
            i += 1
    except TypeError:
        _refuse_bad_scores(runs, names)
        raise
    if total != total:  # noqa: PLR0124 - NaN somewhere, or infinities of both signs
        _refuse_bad_scores(runs, names)
    retrieved = list(map(len, runs))
    return tabulate(patterns, retrieved, places, level=level, depth=depth, judged_only=judged_only)


def _place_among_ties(
    places: Places, start: int, i: int, scores: Mapping[str, float], judged: Mapping[str, int]
) -> None:
    """Place a query in which a judged id shares its score: here ids matter, so rank them all."""
    for column in (places.query, places.rank, places.grade):
        del column[start:]
    order = sorted(scores, reverse=True)
    order.sort(key=scores.__getitem__, reverse=True)
    for rank, id_ in enumerate(order, 1):
        if id_ in judged:
            places.query.append(i)
            places.rank.append(rank)
            places.grade.append(judged[id_])


def tabulate(
    labels: list[tuple[int, ...]],
    retrieved: list[int],
    places: Places,
    *,
    level: int,
    depth: int | None,
    judged_only: bool,
) -> Ranked:
    """Make the table from the places of all judged ids that came back, whatever their grades.

    Args:
        labels: The grades of every query's labels.
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
        retrieved = [0] * len(labels)
        for at, query in enumerate(places.query):
            retrieved[query] += 1
            places.rank[at] = retrieved[query]
    distinct = set(labels)
    if (
        level == 1
        and all(map(all, distinct))
        and min(map(min, filter(None, distinct)), default=1) > 0
    ):
        none = Places([], [], [])
        return Ranked(
            labels, list(map(len, labels)), [0] * len(labels), retrieved, places, places, none
        )
    relevant = {grades: sum(g >= level for g in grades) for grades in distinct}
    nonrelevant = {grades: sum(0 <= g < level for g in grades) for grades in distinct}
    return Ranked(
        labels,
        [relevant[grades] for grades in labels],
        [nonrelevant[grades] for grades in labels],
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


def checked(
    labels: Sequence[Labels | None], names: Sequence[str] | None
) -> tuple[list[Mapping[str, int]], list[tuple[int, ...]]]:
    """Return every query's labels as a mapping from id to grade, and its grades alone.

    Raises:
        BadData: A grade is not a whole number, or a string stands where labels belong.
    """
    found = [x if type(x) is dict else _mapping(x, i, names) for i, x in enumerate(labels)]
    patterns = [tuple(grades.values()) for grades in found]
    try:
        distinct = set(chain.from_iterable(set(patterns)))
    except TypeError:  # a grade that is a list
        distinct = {None}
    if set(map(type, distinct)) - {int} or (distinct and max(map(abs, distinct)) > MAX_GRADE):
        found = [
            {id_: _grade(grade, id_, i, names) for id_, grade in grades.items()}
            for i, grades in enumerate(found)
        ]
        patterns = [tuple(grades.values()) for grades in found]
    return found, patterns


def _grade(grade: Any, id_: str, i: int, names: Sequence[str] | None) -> int:
    try:
        whole = int(grade)
        if whole == grade and abs(whole) <= MAX_GRADE:
            return whole
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadData(
        f"the grade of {id_!r} is {grade!r}, not a whole number",
        where=_name(i, names),
        fix="Grades are 0 (not relevant), 1, 2, 3, ...",
    )


def _refuse_bad_scores(runs: Sequence[Mapping[str, float]], names: Sequence[str] | None) -> None:
    for i, scores in enumerate(runs):
        for id_, score in scores.items():
            if not isinstance(score, SupportsFloat) or math.isnan(score):
                raise BadData(
                    f"the score of {id_!r} is {score!r}, which has no place in an order",
                    where=_name(i, names),
                    fix="Give every score as a number.",
                )


def _mapping(labels: Labels | None, i: int, names: Sequence[str] | None) -> Mapping[str, int]:
    if labels is None:
        return {}
    if isinstance(labels, Mapping):
        return labels
    if isinstance(labels, str):
        raise BadData(
            f"the labels are the string {labels!r}",
            where=_name(i, names),
            fix="Give a list of ids, or a mapping from id to grade.",
        )
    return dict.fromkeys(labels, 1)


def _ids(ranking: Iterable[str], i: int, names: Sequence[str] | None) -> list[str]:
    if isinstance(ranking, str):
        raise BadData(
            f"the ranking is the string {ranking!r}",
            where=_name(i, names),
            fix="Give a list of ids, best first.",
        )
    return list(ranking)


def _once(ids: list[str], i: int, names: Sequence[str] | None, *, repeats: bool) -> list[str]:
    first = dict.fromkeys(ids)
    if not repeats:
        twice = next(id_ for id_ in first if ids.count(id_) > 1)
        raise BadData(
            f"the id {twice!r} comes twice", where=_name(i, names), fix="Rank every id once."
        )
    return list(first)


def _name(i: int, names: Sequence[str] | None) -> str:
    return f"query {i + 1}" if names is None else f"query {names[i]!r}"
