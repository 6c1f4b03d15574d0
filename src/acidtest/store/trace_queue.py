"""Looking at the queue of traces to be scored: its jobs, and how it is doing."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, select

from acidtest.store.database import IN, Database
from acidtest.store.trace_job import Health, Job, State, free, job_of
from acidtest.store.trace_tables import pending_traces, trace_jobs


class TraceQueue(Database):
    """Looks at the queue of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def jobs(self, trace_ids: Sequence[str]) -> dict[str, Job]:
        """Return the jobs of traces by trace id, of those that have one."""
        found: dict[str, Job] = {}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            rows = self._rows(select(trace_jobs).where(trace_jobs.c.trace_id.in_(some)))
            found |= {row["trace_id"]: job_of(row) for row in rows}
        return found

    def listed(self, state: State, *, limit: int = 100) -> list[Job]:
        """Return jobs in a state, the newest first."""
        query = select(trace_jobs).where(trace_jobs.c.state == state)
        query = query.order_by(trace_jobs.c.created.desc(), trace_jobs.c.trace_id).limit(limit)
        return [job_of(row) for row in self._rows(query)]

    def health(self, *, now_ms: int) -> Health:
        """Return how the queue is doing."""
        t, p = trace_jobs.c, pending_traces.c
        waiting = t.state == "waiting"
        taken = and_(waiting, t.leased > now_ms)
        due = and_(waiting, t.due <= now_ms, free(now_ms))

        def count(which: ColumnElement[bool]) -> Any:
            return func.count(case((which, 1)))

        row = self._rows(
            select(
                count(waiting).label("waiting"),
                count(due).label("due"),
                count(taken).label("leased"),
                count(and_(waiting, t.error.is_not(None))).label("retrying"),
                count(t.state == "dead").label("dead"),
                count(t.state == "out").label("out"),
                func.min(case((due, t.due))).label("oldest"),
            )
        )[0]
        pending = self._rows(
            select(func.count(p.trace_id).label("pending"), count(p.due <= now_ms).label("overdue"))
        )[0]
        workers = self._rows(
            select(t.worker, func.count().label("n")).where(taken).group_by(t.worker)
        )
        figures = dict(row)
        oldest = figures.pop("oldest")
        return Health(
            **{name: int(n) for name, n in (*figures.items(), *pending.items())},
            oldest_ms=0 if oldest is None else now_ms - oldest,
            workers={w["worker"]: w["n"] for w in workers},
        )
