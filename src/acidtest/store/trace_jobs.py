"""The queue of traces to be scored: leases, what is given back, and what the budget left out.

Several workers, in one process or on several machines, take from it. A job belongs to the worker that has
leased it until the lease ends; what comes of it is stored only while it is still that worker's and about the
same trace, so that nothing counts twice. Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Select, Update, func, select, update

from acidtest.store.again import again
from acidtest.store.database import IN
from acidtest.store.spending import Limits, take, took
from acidtest.store.trace_hold import held_traces
from acidtest.store.trace_job import (
    LONGEST_RETRY_MS,
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

_PIECE = 500
"""Jobs that are left out, or put back, in one transaction."""

_LEFT: dict[str, Any] = {"leased": None, "worker": None}


class TraceJobs(TraceResults, TraceQueue):
    """The queue of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    @again
    def enqueue(
        self, trace_ids: Sequence[str], why: str, *, now_ms: int, priority: int = 5
    ) -> None:
        """Put traces in the queue; of one that is in it already the more urgent reason stands.

        A job about an earlier state of the trace (another digest) is replaced; a trace that is gone gets none.

        Args:
            trace_ids: Which.
            why: By which rule.
            now_ms: The time.
            priority: How urgently: smaller first.
        """
        with self._begin() as connection:
            # The digest is the one that is held: one that was read before may be of an earlier state.
            there = sorted(held_traces(connection, trace_ids).items())
            jobs = [NewJob(name, digest, why, priority) for name, digest in there]
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

        Jobs whose worker went away with the last of its attempts are dead when it is their turn; where the day's
        number of traces is reached, those that are due are left out. It takes no longer in a long queue.

        Args:
            worker: Who takes them: a name that no other worker has.
            n: How many at most.
            seconds: How long they are this worker's.
            now_ms: The time.
            attempts: How often a job is tried.
            limits: What may be spent on this day.
        """
        taken: list[Job] = []
        for due in _stretches(self.priorities(), now_ms):
            while len(taken) < n:
                wanted = n - len(taken)
                found, jobs, over = self._some(
                    worker, wanted, seconds, due, now_ms=now_ms, attempts=attempts, limits=limits
                )
                taken += jobs
                if over and limits is not None:
                    self._all_out(limits.spent_words, now_ms, begun=False)
                    return taken
                if found < wanted:
                    break
        return taken

    @again
    def _some(
        self,
        worker: str,
        n: int,
        seconds: float,
        due: Select[Any],
        *,
        now_ms: int,
        attempts: int,
        limits: Limits | None,
    ) -> tuple[int, list[Job], bool]:
        """Take some of those that are due; return how many were found, those to be done, and if others were left out."""
        with self._begin() as connection:
            found = self._taken(connection, worker, n, seconds, now_ms, due)
            jobs, over = self._living(connection, found, attempts), False
            if limits is not None:
                jobs, over = self._within(connection, jobs, limits, now_ms)
        return len(found), jobs, over

    def _taken(
        self, connection: Any, worker: str, n: int, seconds: float, now_ms: int, due: Select[Any]
    ) -> list[Job]:
        t = trace_jobs.c
        some = due.limit(n).cte("some")
        taken = (
            update(trace_jobs)
            # A second look keeps two workers of SQLite, which locks no rows, apart.
            .where(t.trace_id.in_(select(some.c.trace_id)), free(now_ms))
            .values(leased=now_ms + int(seconds * 1000), worker=worker, attempts=t.attempts + 1)
            .returning(trace_jobs)
        )
        rows = connection.execute(taken).mappings().all()
        return sorted(map(job_of, rows), key=lambda job: (job.due, job.trace_id))

    def _living(self, connection: Any, jobs: Sequence[Job], attempts: int) -> list[Job]:
        """Return the jobs that may be tried once more; the workers of the others went away with their last."""
        t = trace_jobs.c
        spent = [job.trace_id for job in jobs if job.attempts > attempts]
        if spent:
            why = func.coalesce(t.error, "its worker went away each time")
            values = _LEFT | {"state": "dead", "error": why, "attempts": t.attempts - 1}
            connection.execute(update(trace_jobs).where(t.trace_id.in_(spent)).values(**values))
        return [job for job in jobs if job.attempts <= attempts]

    @again
    def renew(self, jobs: Sequence[Job], seconds: float, *, now_ms: int) -> None:
        """Keep jobs for longer; those that are no longer this worker's are left."""
        with self._begin() as connection:
            for job in sorted(jobs, key=_name):  # in order, so that none wait for each other
                connection.execute(
                    update(trace_jobs).where(*held(job)).values(leased=now_ms + int(seconds * 1000))
                )

    @again
    def release(self, jobs: Sequence[Job], *, now_ms: int, limits: Limits | None = None) -> None:
        """Give jobs back that were not finished; the attempt does not count."""
        back = {"leased": None, "worker": None, "attempts": trace_jobs.c.attempts - 1}
        with self._begin() as connection:
            for job in sorted(jobs, key=_name):  # in order, so that none wait for each other
                gone = connection.execute(update(trace_jobs).where(*held(job)).values(**back))
                if gone.rowcount and job.attempts == 1 and limits is not None:
                    took(connection, self._insert, now_ms, traces=-1)

    def leave_out(self, job: Job, why: str, *, now_ms: int) -> int:
        """Leave a job out since the budget is spent, and with it all that are due; return how many.

        Those are left out in pieces: nobody else who writes waits long, however many there are.
        """
        out = _LEFT | {"state": "out", "error": storable_error(why)}
        count = self._changed(update(trace_jobs).where(*held(job)).values(**out))
        return count + self._all_out(why, now_ms, begun=True)

    def _all_out(self, why: str, now_ms: int, *, begun: bool) -> int:
        """Leave out all that are due, in pieces; those that were begun before only with `begun`."""
        t, count = trace_jobs.c, 0
        out = _LEFT | {"state": "out", "error": storable_error(why)}
        for which in _stretches(self.priorities(), now_ms):
            while True:
                some = (which if begun else which.where(t.attempts == 0)).limit(_PIECE).cte("some")
                query = update(trace_jobs).where(
                    t.trace_id.in_(select(some.c.trace_id)), free(now_ms)
                )
                gone = self._changed(query.values(**out))
                count += gone
                if gone < _PIECE:
                    break
        return count

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
        t, count, wanted = trace_jobs.c, 0, sorted(set(states) - {"waiting"})
        if trace_ids is not None:
            for start in range(0, len(trace_ids), IN):
                some = trace_ids[start : start + IN]
                query = update(trace_jobs).where(t.state.in_(wanted), t.trace_id.in_(some))
                count += self._changed(query.values(**back))
            return count
        for state in wanted:
            # Along the index: to sort all by name for each piece took most of the time. Who skips what others hold
            # waits for nobody, whatever the order.
            first = (
                select(t.trace_id).where(t.state == state).order_by(t.priority, t.due, t.trace_id)
            )
            piece = first.limit(_PIECE).with_for_update(skip_locked=True).cte("piece")
            query = update(trace_jobs).where(t.trace_id.in_(select(piece.c.trace_id)))
            while True:
                done = self._changed(query.where(t.state == state).values(**back))
                count += done
                if done < _PIECE:
                    break
        return count

    @again
    def _changed(self, query: Update) -> int:
        """Change jobs in a transaction of its own; return how many."""
        with self._begin() as connection:
            return len(connection.execute(query.returning(trace_jobs.c.trace_id)).all())

    def _within(
        self, connection: Any, jobs: list[Job], limits: Limits, now_ms: int
    ) -> tuple[list[Job], bool]:
        """Return the jobs that the day's number of traces lets through; leave out the others, and say if any were."""
        # One that was begun before has its place already.
        kept = [
            job
            for job in jobs
            if job.attempts > 1 or take(connection, self._insert, now_ms, limits, traces=1)
        ]
        left = [job.trace_id for job in jobs if job not in kept]
        if left:
            out = _LEFT | {"state": "out", "error": limits.spent_words, "attempts": 0}
            query = update(trace_jobs).where(trace_jobs.c.trace_id.in_(left))
            connection.execute(query.values(**out))
        return kept, bool(left)


def _name(job: Job) -> str:
    return job.trace_id


def _stretches(priorities: Sequence[int], now_ms: int) -> Iterator[Select[Any]]:
    """Yield queries for the jobs that are due: stretches of the index, the urgent and the longest waiting first.

    Only what is leased is passed over, of which there is no more than workers can hold. What is due later than any
    job may be was put there by a clock that has been set back since: it is due now, and comes last.
    """
    t = trace_jobs.c
    for due in (t.due <= now_ms, t.due > now_ms + LONGEST_RETRY_MS):
        for priority in priorities:
            query = select(t.trace_id).where(t.state == "waiting", t.priority == priority, due)
            query = query.where(free(now_ms)).order_by(t.due, t.trace_id)
            yield query.with_for_update(skip_locked=True)
