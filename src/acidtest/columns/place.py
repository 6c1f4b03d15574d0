"""Finding the ranks of the judged ids in ranked lists and in scored runs.

Order of a scored run: higher score first, equal scores by id, larger id first (as trec_eval breaks
ties). Ids without a judgement keep their rank and are not relevant.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsFloat

from acidtest.columns.ids import refuse_no_ids
from acidtest.columns.labels import Labels, checked, named
from acidtest.columns.table import Places, Ranked, tabulate
from acidtest.errors import BadData

FEW = 32
"""Up to so many ids or scores it takes longer to choose than to go through all."""


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
        BadData: An id came twice and must not, a grade is not a whole number, or something else stands
            where a list of ids belongs.
    """
    grades, patterns = checked(labels, names)
    refuse_no_ids(grades, rankings, names)
    places = Places([], [], [])
    queries, ranks, graded = places.query, places.rank, places.grade
    retrieved: list[int] = []
    for i, judged, ranking in zip(range(len(grades)), grades, rankings, strict=True):
        ids = ranking if type(ranking) is list else _ids(ranking, i, names)
        if depth is not None:
            ids = ids[:depth]
        present = set(ids)
        if len(present) != len(ids):
            ids = _once(ids, i, names, repeats=repeats)
        retrieved.append(len(ids))
        found = [id_ for id_ in ids if id_ in judged] if len(judged) > FEW else judged
        start, last = len(ranks), 0
        for id_ in found:
            if id_ in present:
                rank = ids.index(id_) + 1
                queries.append(i)
                if rank > last:
                    ranks.append(rank)
                    graded.append(judged[id_])
                    last = rank
                else:
                    _insert(places, start, rank, judged[id_])
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
        BadData: A score is NaN or not a number, a grade is not a whole number, or something else stands
            where labels belong.
    """
    grades, patterns = checked(labels, names)
    refuse_no_ids(grades, runs, names)
    if max(map(len, grades), default=0) > FEW:
        grades = list(map(_within, grades, runs))
    retrieved = list(map(len, runs))
    long = max(retrieved, default=0) > FEW
    places = Places([], [], [])
    queries, ranks, graded = places.query, places.rank, places.grade
    total: float = 0
    try:
        for i, judged, scores in zip(range(len(grades)), grades, runs, strict=True):
            values = list(scores.values())
            if long and values and not values[0] >= values[len(values) >> 1] >= values[-1]:
                values = _reaching(values, judged, scores)
            values.sort()
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
                    else:
                        _insert(places, start, rank, judged[id_])
    except TypeError:
        _refuse_bad_scores(runs, names)
        raise
    if total != total:  # noqa: PLR0124 - NaN somewhere, or infinities of both signs
        _refuse_bad_scores(runs, names)
    return tabulate(patterns, retrieved, places, level=level, depth=depth, judged_only=judged_only)


def _within(judged: dict[str, int], scores: Mapping[str, float]) -> dict[str, int]:
    """Keep the labels of what came back: quicker than looking each of many up."""
    return {id_: judged[id_] for id_ in judged.keys() & scores.keys()}


def _reaching(
    values: list[float], judged: Iterable[str], scores: Mapping[str, float]
) -> list[float]:
    """Keep the scores from the lowest judged one up: less to sort. NaNs stay, to be refused."""
    lowest = min([scores[id_] for id_ in judged if id_ in scores], default=math.inf)
    return [value for value in values if not value < lowest]


def _insert(places: Places, start: int, rank: int, grade: int) -> None:
    """Put a hit among those of its query, from `start` on: the labels are in no order."""
    at = bisect_right(places.rank, rank, start)
    places.rank.insert(at, rank)
    places.grade.insert(at, grade)


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


def _refuse_bad_scores(runs: Sequence[Mapping[str, float]], names: Sequence[str] | None) -> None:
    for i, scores in enumerate(runs):
        for id_, score in scores.items():
            if not isinstance(score, SupportsFloat) or math.isnan(score):
                raise BadData(
                    f"the score of {id_!r} is {score!r}, which has no place in an order",
                    where=named(i, names),
                    fix="Give every score as a number.",
                )


def _ids(ranking: Iterable[str], i: int, names: Sequence[str] | None) -> list[str]:
    if isinstance(ranking, str):
        raise BadData(
            f"the ranking is the string {ranking!r}",
            where=named(i, names),
            fix="Give a list of ids, best first.",
        )
    return list(ranking)


def _once(ids: list[str], i: int, names: Sequence[str] | None, *, repeats: bool) -> list[str]:
    first = dict.fromkeys(ids)
    if not repeats:
        twice = next(id_ for id_ in first if ids.count(id_) > 1)
        raise BadData(
            f"the id {twice!r} comes twice", where=named(i, names), fix="Rank every id once."
        )
    return list(first)
