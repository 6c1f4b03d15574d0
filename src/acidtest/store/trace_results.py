"""What came of scoring traces: their scores, what failed, and the verdicts that were used.

A result is stored only while its job is still the worker's and about the same trace, so that nothing counts
twice. Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, update

from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Outcome, Score
from acidtest.store.again import again
from acidtest.store.database import Database, storable
from acidtest.store.tables import verdicts
from acidtest.store.trace_hold import held_traces
from acidtest.store.trace_job import Job, State, held, storable_error
from acidtest.store.trace_quotes import quote
from acidtest.store.trace_tables import trace_jobs, trace_scores


class TraceResults(Database):
    """Stores results of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    @again
    def done(
        self,
        job: Job,
        scores: Mapping[str, Outcome],
        *,
        now_ms: int,
        judges: Mapping[str, str] | None = None,
        versions: Mapping[str, str] | None = None,
        verdict_keys: Sequence[str] = (),
    ) -> bool:
        """Store the scores of a trace and take its job from the queue.

        Args:
            job: As it was leased.
            scores: By metric.
            now_ms: The time.
            judges: The judge's fingerprint by metric, where one judged.
            versions: The version by metric.
            verdict_keys: Keys of the verdicts that were used.

        Returns:
            False, and nothing was stored, if the job is no longer this worker's, or the trace is another.
        """
        with self._begin() as connection:
            # Who saves the trace meanwhile must see its scores once the job is gone, or it makes another.
            held_traces(connection, [job.trace_id])
            if not connection.execute(delete(trace_jobs).where(*held(job))).rowcount:
                return False
            self._scores(connection, job, scores, now_ms, judges or {}, versions or {})
            quote(connection, self._insert, [(job.trace_id, key) for key in verdict_keys])
        return True

    @again
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
        versions: Mapping[str, str] | None = None,
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
            versions: Likewise.

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
            held_traces(connection, [job.trace_id])
            query = update(trace_jobs).where(*held(job)).values(**values)
            if not connection.execute(query).rowcount:
                return None
            if state == "dead":
                self._scores(connection, job, scores or {}, now_ms, judges or {}, versions or {})
        return state

    @again
    def keep_verdicts(self, rows: Sequence[tuple[str, str, str, bytes]], *, created: str) -> None:
        """Store verdicts that quote traces: trace id, key, model and body of each.

        Of a trace that is deleted meanwhile nothing is kept.
        """
        with self._begin() as connection:
            there = quote(connection, self._insert, [(row[0], row[1]) for row in rows])
            bodies = [
                {"key": key, "model": model, "created": created, "body": body}
                for trace_id, key, model, body in sorted(rows, key=lambda row: row[1])
                if (trace_id, key) in there
            ]
            self._put(connection, verdicts, bodies)

    def _scores(
        self,
        connection: Any,
        job: Job,
        scores: Mapping[str, Outcome],
        now_ms: int,
        judges: Mapping[str, str],
        versions: Mapping[str, str],
    ) -> None:
        ours = trace_scores.c.trace_id == job.trace_id
        connection.execute(delete(trace_scores).where(ours))
        rows = [
            {
                "trace_id": job.trace_id,
                "metric": metric,
                "digest": job.digest,
                "judge": judges.get(metric),
                "version": versions.get(metric),
                "created": now_ms,
                "value": outcome.value if isinstance(outcome, Score) else None,
                "body": encoded(outcome),
            }
            for metric, outcome in scores.items()
        ]
        if rows:
            connection.execute(trace_scores.insert(), [storable(row) for row in rows])
