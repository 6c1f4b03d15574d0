"""Figures of many traces at once, for trends: columns without the texts, and the scores beside them."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, select

from acidtest.store.database import Database
from acidtest.store.trace_tables import trace_scores, trace_tags, traces

MOST = 250_000
"""Traces that are read at once; of more the newest."""


class Figures(NamedTuple):
    """What the columns of one trace say; times are milliseconds since 1970."""

    id: str
    started: int
    session: str | None
    service: str | None
    model: str | None
    prompt_version: str | None
    failed: bool
    abstained: bool | None
    feedback: int | None
    latency_ms: float | None
    cost_usd: float | None


class TraceFigures(Database):
    """The figures of one store's traces. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def figures(self, since_ms: int, until_ms: int, *, limit: int = MOST) -> list[Figures]:
        """Return the traces that began in a span of time, its end excluded, the newest first."""
        t = traces.c
        query = select(
            t.id,
            t.started,
            t.session_id,
            t.service,
            t.model,
            t.prompt_version,
            t.failed,
            t.abstained,
            t.feedback,
            t.latency_ms,
            t.cost_usd,
        ).where(_began(since_ms, until_ms))
        rows = self._tuples(query.order_by(t.started.desc(), t.id.desc()).limit(limit))
        return [Figures(*row) for row in rows]

    def scores(self, since_ms: int, until_ms: int) -> list[tuple[str, str, float | None]]:
        """Return trace id, metric and value of the outcomes of such traces.

        The value is None where the metric skipped the trace, or failed.
        """
        s = trace_scores.c
        query = select(s.trace_id, s.metric, s.value).join(traces, traces.c.id == s.trace_id)
        rows = self._tuples(query.where(_began(since_ms, until_ms)))
        return [(row[0], row[1], row[2]) for row in rows]

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


def _began(since_ms: int, until_ms: int) -> ColumnElement[bool]:
    return and_(traces.c.started >= since_ms, traces.c.started < until_ms)
