"""The queue of traces to be scored: leases, retries, what has failed for good, and what the budget left out.

Several workers, in one process or on several machines, take from it. A job belongs to the worker that has
leased it until the lease ends; what comes of it is stored only while it is still that worker's and about the
same trace, so that nothing counts twice. Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, or_, select, update

from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Outcome, Score
from acidtest.store.database import IN, Database, storable
from acidtest.store.spending import Limits, take, took
from acidtest.store.tables import verdicts
from acidtest.store.trace_job import (
    Health,
    Job,
    NewJob,
    State,
    free,
    held,
    job_of,
    put_jobs,
    storable_error,
)
from acidtest.store.trace_quotes import quote
from acidtest.store.trace_tables import (
    pending_traces,
    trace_jobs,
    trace_scores,
)


class TraceJobs(Database):
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

    def done(
        self,
        job: Job,
        scores: Mapping[str, Outcome],
        *,
        now_ms: int,
        judges: Mapping[str, str] | None = None,
        verdict_keys: Sequence[str] = (),
    ) -> bool:
        """Store the scores of a trace and take its job from the queue.

        Args:
            job: As it was leased.
            scores: By metric.
            now_ms: The time.
            judges: The judge's fingerprint by metric, where one judged.
            verdict_keys: Keys of the verdicts that were used.

        Returns:
            False, and nothing was stored, if the job is no longer this worker's, or the trace is another.
        """
        with self._begin() as connection:
            if not connection.execute(delete(trace_jobs).where(*held(job))).rowcount:
                return False
            self._scores(connection, job, scores, now_ms, judges or {})
            quote(connection, self._insert, [(job.trace_id, key) for key in verdict_keys])
        return True

    def failed(
        self,
        job: Job,
        error: str,
        *,
        now_ms: int,
        retry_ms: int,
        attempts: int = 5,
        scores: Mapping[str, Outcome] | None = None,
        judges: Mapping[str, str] | None = None,
    ) -> State | None:
        """Note that scoring failed: the job is due again later, or dead after the last attempt.

        Args:
            job: As it was leased.
            error: Why.
            now_ms: The time.
            retry_ms: How long it is left alone.
            attempts: How often a job is tried.
            scores: What was had all the same; it is stored when the job is dead.
            judges: As for `done`.

        Returns:
            What became of it; None if it is no longer this worker's.
        """
        state: State = "dead" if job.attempts >= attempts else "waiting"
        values = {
            "state": state,
            "leased": None,
            "worker": None,
            "due": now_ms + retry_ms,
            "error": storable_error(error),
        }
        with self._begin() as connection:
            query = update(trace_jobs).where(*held(job)).values(**values)
            if not connection.execute(query).rowcount:
                return None
            if state == "dead":
                self._scores(connection, job, scores or {}, now_ms, judges or {})
        return state

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

    def keep_verdicts(self, rows: Sequence[tuple[str, str, str, bytes]], *, created: str) -> None:
        """Store verdicts that quote traces: trace id, key, model and body of each.

        Of a trace that is deleted meanwhile nothing is kept.
        """
        with self._begin() as connection:
            there = quote(connection, self._insert, [(row[0], row[1]) for row in rows])
            bodies = [
                {"key": key, "model": model, "created": created, "body": body}
                for trace_id, key, model, body in rows
                if (trace_id, key) in there
            ]
            self._put(connection, verdicts, bodies)

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

    def _scores(
        self,
        connection: Any,
        job: Job,
        scores: Mapping[str, Outcome],
        now_ms: int,
        judges: Mapping[str, str],
    ) -> None:
        ours = trace_scores.c.trace_id == job.trace_id
        connection.execute(delete(trace_scores).where(ours))
        rows = [
            {
                "trace_id": job.trace_id,
                "metric": metric,
                "digest": job.digest,
                "judge": judges.get(metric),
                "created": now_ms,
                "value": outcome.value if isinstance(outcome, Score) else None,
                "body": encoded(outcome),
            }
            for metric, outcome in scores.items()
        ]
        if rows:
            connection.execute(trace_scores.insert(), [storable(row) for row in rows])
