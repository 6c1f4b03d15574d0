"""Traces as they were understood, with their scores: finding them; saving, feedback and deleting are beside.

Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Select, func, or_, select

from acidtest.store.database import IN
from acidtest.store.trace_deletion import TraceDeletion
from acidtest.store.trace_feedback import TraceFeedback
from acidtest.store.trace_filter import TraceFilter, conditions
from acidtest.store.trace_rows import StoredScore, StoredTrace, stored_score, stored_trace
from acidtest.store.trace_saving import TraceSaving
from acidtest.store.trace_tables import trace_bodies, trace_scores, traces
from acidtest.store.trace_usual import TraceUsual

# A body that is missing is told as damage, and hides nothing.
_WHOLE = select(
    traces.c.id, traces.c.digest, traces.c.started, traces.c.updated, trace_bodies.c.body
).join_from(traces, trace_bodies, isouter=True)

_ROOM = 16 * 2**20
"""Bytes of traces that one page holds; one larger is a page of its own."""

Cursor = tuple[int, str]
"""Where a page of a list ended: when its last trace began, and its id."""


class TraceStore(TraceSaving, TraceFeedback, TraceUsual, TraceDeletion):
    """The traces of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def trace(self, trace_id: str) -> StoredTrace | None:
        """Return a trace with its scores; None where there is none of this id."""
        return self.get([trace_id]).get(trace_id)

    def get(self, trace_ids: Sequence[str]) -> dict[str, StoredTrace]:
        """Return traces with their scores by id, of those that are there."""
        found: dict[str, StoredTrace] = {}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            found |= {t.trace.id: t for t in self._read(_WHOLE.where(traces.c.id.in_(some)))}
        return found

    def listed(
        self, chosen: TraceFilter | None = None, *, after: Cursor | None = None, limit: int = 50
    ) -> list[StoredTrace]:
        """Return a page of traces with their scores, the newest first; see `page`."""
        return self.page(chosen, after=after, limit=limit)[0]

    def page(
        self, chosen: TraceFilter | None = None, *, after: Cursor | None = None, limit: int = 50
    ) -> tuple[list[StoredTrace], Cursor | None]:
        """Return traces with their scores, the newest first, and where the next page begins.

        A page holds fewer than asked for where they are huge: anybody may send such, and they are to be
        looked at all the same. None says that nothing follows.

        Args:
            chosen: Which; by default all.
            after: Where the page before ended; None for the first page.
            limit: How many at most.
        """
        query = select(traces.c.id, traces.c.started)
        query = query.where(*conditions(chosen or TraceFilter()))
        if after is not None:
            started, trace_id = after
            # So said an index leads straight there; that two may begin at once comes second.
            later = or_(traces.c.started < started, traces.c.id < trace_id)
            query = query.where(traces.c.started <= started, later)
        query = query.order_by(traces.c.started.desc(), traces.c.id.desc()).limit(limit + 1)
        rows = self._tuples(query)
        sizes = self._lengths([row.id for row in rows[:limit]])
        shown, room = 0, _ROOM
        for row in rows[:limit]:
            room -= sizes.get(row.id, 0)
            if shown and room < 0:
                break
            shown += 1
        found = self.get([row.id for row in rows[:shown]])
        last = rows[shown - 1] if shown < len(rows) else None
        return (
            [found[row.id] for row in rows[:shown] if row.id in found],
            None if last is None else (last.started, last.id),
        )

    def each(
        self, chosen: TraceFilter | None = None, *, at_once: int = 200
    ) -> Iterator[StoredTrace]:
        """Yield traces with their scores, the newest first, a page at a time."""
        some, after = self.page(chosen, limit=at_once)
        yield from some
        while after is not None:
            some, after = self.page(chosen, after=after, limit=at_once)
            yield from some

    def questions(self, trace_ids: Sequence[str], *, most: int = 1_000) -> dict[str, str]:
        """Return the beginnings of questions by trace id, of the traces that are there; empty for none."""
        found: dict[str, str] = {}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(traces.c.id, func.substr(traces.c.question, 1, most).label("question"))
            rows = self._rows(query.where(traces.c.id.in_(some)))
            found |= {row["id"]: row["question"] or "" for row in rows}
        return found

    def count(self, chosen: TraceFilter | None = None) -> int:
        """Return how many traces there are."""
        where = conditions(chosen or TraceFilter())
        query = select(func.count().label("n")).select_from(traces).where(*where)
        return int(self._rows(query)[0]["n"])

    def scores(self, trace_ids: Sequence[str]) -> dict[str, dict[str, StoredScore]]:
        """Return the scores of traces by trace id and metric."""
        found: dict[str, dict[str, StoredScore]] = {trace_id: {} for trace_id in trace_ids}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(trace_scores).where(trace_scores.c.trace_id.in_(some))
            for row in self._rows(query.order_by(trace_scores.c.metric)):
                found[row["trace_id"]][row["metric"]] = stored_score(row, self._where)
        return found

    def _lengths(self, trace_ids: Sequence[str]) -> dict[str, int]:
        """Return the bytes of bodies, of traces that were chosen: not of all that a filter lets through."""
        b, found = trace_bodies.c, dict[str, int]()
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(b.trace_id, func.length(b.body)).where(b.trace_id.in_(some))
            found |= {trace_id: int(size) for trace_id, size in self._tuples(query)}
        return found

    def _read(self, query: Select[Any]) -> list[StoredTrace]:
        rows = self._rows(query)
        scores = self.scores([row["id"] for row in rows])
        return [stored_trace(row, scores[row["id"]], self._where) for row in rows]
