"""The queue of traces to be scored: leases, what is given back, and what the budget left out.

Several workers, in one process or on several machines, take from it. A job belongs to the worker that has
leased it until the lease ends; what comes of it is stored only while it is still that worker's and about the
same trace, so that nothing counts twice. Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from acidtest.store.database import IN
from acidtest.store.spending import Limits, take, took
from acidtest.store.trace_job import (
    Job,
    NewJob,
    State,
    free,
    held,
    job_of,
    put_jobs,
    storable_error,
)
from acidtest.store.trace_queue import TraceQueue
from acidtest.store.trace_results import TraceResults
from acidtest.store.trace_tables import trace_jobs


class TraceJobs(TraceResults, TraceQueue):
    """The queue of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def enqueue(self, jobs: Sequence[NewJob], *, now_ms: int) -> None:
        """Put traces in the queue; of one that is in it already the more urgent reason stands.

        A job about another state of the trace (another digest) is replaced.
        """
        with self._begin() as connection:
            put_jobs(connection, self._insert(trace_jobs), jobs, now_ms)

    def lease(
        self,
        worker: str,
        n: int,
        seconds: float,
        *,
        now_ms: int,
        attempts: int = 5,
        limits: Limits | None = None,
    ) -> list[Job]:
        """Take up to `n` jobs that are due, the urgent and then the longest waiting first.

        Jobs whose worker went away with the last of its attempts are dead; where the day's number of
        traces is reached, those that are due are left out.

        Args:
            worker: Who takes them: a name that no other worker has.
            n: How many at most.
            seconds: How long they are this worker's.
            now_ms: The time.
            attempts: How often a job is tried.
            limits: What may be spent on this day.
        """
        t = trace_jobs.c
        ready = and_(t.state == "waiting", t.due <= now_ms, free(now_ms))
        query = (
            select(t.trace_id)
            .where(ready)
            .order_by(t.priority, t.due, t.trace_id)
            .limit(n)
            .with_for_update(skip_locked=True)
        )
        with self._begin() as connection:
            lost = "its worker went away each time"
            connection.execute(
                update(trace_jobs)
                .where(ready, t.attempts >= attempts)
                .values(state="dead", leased=None, worker=None, error=func.coalesce(t.error, lost))
            )
            # A second look keeps two workers of SQLite, which locks no rows, apart.
            some = query.cte("some")
            taken = (
                update(trace_jobs)
                .where(t.trace_id.in_(select(some.c.trace_id)), ready)
                .values(leased=now_ms + int(seconds * 1000), worker=worker, attempts=t.attempts + 1)
                .returning(trace_jobs)
            )
            rows = connection.execute(taken).mappings().all()
            jobs = sorted(map(job_of, rows), key=lambda j: (j.priority, j.due, j.trace_id))
            if limits is None:
                return jobs
            return self._within(connection, jobs, limits, now_ms, ready)

    def renew(self, jobs: Sequence[Job], seconds: float, *, now_ms: int) -> None:
        """Keep jobs for longer; those that are no longer this worker's are left."""
        with self._begin() as connection:
            for job in jobs:
                connection.execute(
                    update(trace_jobs).where(*held(job)).values(leased=now_ms + int(seconds * 1000))
                )

    def release(self, jobs: Sequence[Job], *, now_ms: int, limits: Limits | None = None) -> None:
        """Give jobs back that were not finished; the attempt does not count."""
        back = {"leased": None, "worker": None, "attempts": trace_jobs.c.attempts - 1}
        with self._begin() as connection:
            for job in jobs:
                gone = connection.execute(update(trace_jobs).where(*held(job)).values(**back))
                if gone.rowcount and job.attempts == 1 and limits is not None:
                    took(connection, self._insert, now_ms, traces=-1)

    def leave_out(self, job: Job, why: str, *, now_ms: int) -> int:
        """Leave a job out since the budget is spent, and with it all that are due; return how many."""
        t = trace_jobs.c
        due = and_(t.state == "waiting", t.due <= now_ms, free(now_ms))
        out = {"state": "out", "leased": None, "worker": None, "error": storable_error(why)}
        with self._begin() as connection:
            query = update(trace_jobs).where(or_(and_(*held(job)), due)).values(**out)
            return int(connection.execute(query).rowcount)

    def revive(
        self,
        trace_ids: Sequence[str] | None = None,
        *,
        now_ms: int,
        states: Sequence[State] = ("dead",),
    ) -> int:
        """Put jobs that are dead, or were left out, in the queue again; return how many.

        Args:
            trace_ids: Which; None for all.
            now_ms: The time.
            states: `dead`, `out`, or both.
        """
        back = {"state": "waiting", "attempts": 0, "due": now_ms, "error": None}
        query = update(trace_jobs).where(trace_jobs.c.state.in_(set(states) - {"waiting"}))
        with self._begin() as connection:
            if trace_ids is None:
                return int(connection.execute(query.values(**back)).rowcount)
            parts = [trace_ids[i : i + IN] for i in range(0, len(trace_ids), IN)]
            return sum(
                int(
                    connection.execute(
                        query.where(trace_jobs.c.trace_id.in_(p)).values(**back)
                    ).rowcount
                )
                for p in parts
            )

    def _within(
        self,
        connection: Any,
        jobs: list[Job],
        limits: Limits,
        now_ms: int,
        ready: ColumnElement[bool],
    ) -> list[Job]:
        """Return the jobs that the day's number of traces lets through; leave out the others, and all due."""
        # One that was begun before has its place already.
        kept = [
            job
            for job in jobs
            if job.attempts > 1 or take(connection, self._insert, now_ms, limits, traces=1)
        ]
        left = [job.trace_id for job in jobs if job not in kept]
        if left:
            out = {
                "state": "out",
                "leased": None,
                "worker": None,
                "error": limits.spent_words,
                "attempts": 0,
            }
            which = or_(trace_jobs.c.trace_id.in_(left), and_(ready, trace_jobs.c.attempts == 0))
            connection.execute(update(trace_jobs).where(which).values(**out))
        return kept
