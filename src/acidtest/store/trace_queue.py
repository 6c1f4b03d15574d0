"""Looking at the queue of traces to be scored: its jobs, and how it is doing."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, case, func, select

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

    def priorities(self) -> list[int]:
        """Return how urgent jobs that wait are, each once: one look into the index for each."""
        t, found = trace_jobs.c, list[int]()
        while True:
            query = select(func.min(t.priority).label("next")).where(t.state == "waiting")
            if found:
                query = query.where(t.priority > found[-1])
            following = self._rows(query)[0]["next"]
            if following is None:
                return found
            found.append(following)

    def health(self, *, now_ms: int) -> Health:
        """Return how the queue is doing."""
        t, p = trace_jobs.c, pending_traces.c
        waiting = t.state == "waiting"
        # Indexes alone are looked at: the queue may be very long.
        states = dict(
            self._tuples(select(t.state, func.count(t.state)).group_by(t.state).order_by(t.state))
        )
        due = self._count(waiting, t.due <= now_ms)
        workers = dict(
            self._tuples(
                select(t.worker, func.count()).where(waiting, t.leased > now_ms).group_by(t.worker)
            )
        )
        pending = self._rows(
            select(
                func.count(p.trace_id).label("all"),
                func.count(case((p.due <= now_ms, 1))).label("due"),
            )
        )[0]
        oldest = self._oldest(now_ms)
        return Health(
            pending=int(pending["all"]),
            overdue=int(pending["due"]),
            waiting=states.get("waiting", 0),
            due=due - self._count(waiting, t.due <= now_ms, t.leased > now_ms),
            leased=sum(workers.values()),
            retrying=self._count(waiting, t.error.is_not(None)),
            dead=states.get("dead", 0),
            out=states.get("out", 0),
            oldest_ms=0 if oldest is None else now_ms - oldest,
            workers=workers,
        )

    def _count(self, *which: ColumnElement[bool]) -> int:
        return int(self._tuples(select(func.count(trace_jobs.c.state)).where(*which))[0][0])

    def _oldest(self, now_ms: int) -> int | None:
        """Return since when the job has been due that could be taken and waits longest; None where there is none."""
        t, found = trace_jobs.c, list[int]()
        for priority in self.priorities():
            query = select(t.due).where(t.state == "waiting", t.priority == priority)
            query = query.where(t.due <= now_ms, free(now_ms)).order_by(t.due).limit(1)
            found += [due for (due,) in self._tuples(query)]
        return min(found, default=None)
