"""Figures of many traces at once, for trends: columns without the texts, and the scores beside them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, and_, func, select

from acidtest.store.database import Database
from acidtest.store.trace_tables import trace_scores, trace_tags, traces

MOST = 250_000
"""Traces that are read at once; of more the newest."""

_NAMED = ("session_id", "service", "model", "prompt_version")
_NUMBERS = ("failed", "abstained", "feedback", "latency_ms", "cost_usd")

Numbers = NDArray[np.float64]


class Names(NamedTuple):
    """A column of names that often are the same: the number of each trace's, and the names by their numbers.

    None is a name like others; they count by first appearance.
    """

    numbers: NDArray[np.int64]
    names: tuple[str | None, ...]


class Figures(NamedTuple):
    """Columns of traces, the oldest first. Among numbers NaN is what is not known; times are ms since 1970.

    `feedback` is 1 for good, -1 for bad, 0 for both. `cut` says that there were more traces, which are older.
    """

    ids: list[str]
    started: NDArray[np.int64]
    session: Names
    service: Names
    model: Names
    prompt_version: Names
    failed: Numbers
    abstained: Numbers
    feedback: Numbers
    latency_ms: Numbers
    cost_usd: Numbers
    cut: bool


ScoreRow = tuple[str, str, float | None, str | None, str | None]


class TraceFigures(Database):
    """The figures of one store's traces. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def figures(self, since_ms: int, until_ms: int, *, limit: int = MOST) -> Figures:
        """Return the traces that began in a span of time, its end excluded; of too many the newest."""
        t = traces.c
        began = _began(since_ms, until_ms)
        there = int(self._tuples(select(func.count()).select_from(traces).where(began))[0][0])
        columns = (t.id, t.started, *(t[name] for name in (*_NAMED, *_NUMBERS)))
        query = select(*columns).where(began).order_by(t.started, t.id)
        ids: list[str] = []
        started = [np.zeros(0, np.int64)]
        named = [_Naming() for _ in _NAMED]
        numbers: list[list[Numbers]] = [[np.zeros(0)] for _ in _NUMBERS]
        for rows in self._raw(query.offset(max(there - limit, 0)).limit(limit)):
            some: list[tuple[Any, ...]] = list(zip(*rows, strict=True))
            ids += some[0]
            started.append(np.array(some[1], np.int64))
            for naming, values in zip(named, some[2:6], strict=True):
                naming.add(values)
            for parts, values in zip(numbers, some[6:], strict=True):
                parts.append(np.array(values, np.float64))  # None becomes NaN
        names = [naming.names() for naming in named]
        figures = [np.concatenate(parts) for parts in numbers]
        return Figures._make([ids, np.concatenate(started), *names, *figures, there > limit])

    def scores(self, since_ms: int, until_ms: int) -> Iterator[ScoreRow]:
        """Yield trace id, metric, value, judge and version of the outcomes of such traces.

        The value is None where the metric skipped the trace, or failed.
        """
        s = trace_scores.c
        query = select(s.trace_id, s.metric, s.value, s.judge, s.version)
        query = query.join(traces, traces.c.id == s.trace_id)
        for rows in self._raw(query.where(_began(since_ms, until_ms))):
            yield from rows

    def tags(self, since_ms: int, until_ms: int, *, limit: int) -> list[tuple[str, int]]:
        """Return the tags of such traces with how many bear them, the most frequent first."""
        n = func.count().label("n")
        query = (
            select(trace_tags.c.tag, n)
            .join(traces, traces.c.id == trace_tags.c.trace_id)
            .where(_began(since_ms, until_ms))
            .group_by(trace_tags.c.tag)
            .order_by(n.desc(), trace_tags.c.tag)
            .limit(limit)
        )
        return [(row[0], int(row[1])) for row in self._tuples(query)]

    def tagged(self, tag: str, since_ms: int, until_ms: int) -> set[str]:
        """Return the ids of such traces that bear a tag."""
        query = (
            select(trace_tags.c.trace_id)
            .join(traces, traces.c.id == trace_tags.c.trace_id)
            .where(trace_tags.c.tag == tag, _began(since_ms, until_ms))
        )
        return {row[0] for row in self._tuples(query)}

    def latest(self) -> int | None:
        """Return when the latest trace began; None where there is none."""
        found = self._tuples(select(func.max(traces.c.started)))[0][0]
        return None if found is None else int(found)


class _Naming:
    """Numbers names as they come."""

    def __init__(self) -> None:
        self._number: dict[str | None, int] = {}
        self._parts = [np.zeros(0, np.int64)]

    def add(self, values: tuple[str | None, ...]) -> None:
        number = self._number
        for value in dict.fromkeys(values):
            number.setdefault(value, len(number))
        self._parts.append(np.fromiter(map(number.__getitem__, values), np.int64, len(values)))

    def names(self) -> Names:
        return Names(np.concatenate(self._parts), tuple(self._number))


def _began(since_ms: int, until_ms: int) -> ColumnElement[bool]:
    return and_(traces.c.started >= since_ms, traces.c.started < until_ms)
