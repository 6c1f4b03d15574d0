"""A job of the queue of traces to be scored, its rows, and how the queue is doing."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from sqlalchemy import ColumnElement, and_, case, or_

from acidtest.store.database import storable
from acidtest.store.trace_rows import fitted
from acidtest.store.trace_tables import trace_jobs

_ERROR = 2_000
"""Characters of an error that are kept."""

LONGEST_LEASE_MS = 86_400_000
LONGEST_RETRY_MS = 3_600_000
"""No job is leased, or left alone after it failed, for longer."""

State = Literal["waiting", "dead", "out"]
"""`dead` has failed too often; `out` was left out, since the day's budget was spent."""


class NewJob(NamedTuple):
    """A trace to be scored: by which rule, and how urgently (smaller first)."""

    trace_id: str
    digest: str
    why: str
    priority: int = 5


class Job(Struct, frozen=True, kw_only=True):
    """A job of the queue; `attempts` counts the leases, this one included."""

    trace_id: str
    digest: str
    why: str
    priority: int
    created: int
    due: int
    attempts: int
    leased: int | None
    worker: str | None
    state: State
    error: str | None


class Health(Struct, frozen=True, kw_only=True):
    """How the queue is doing.

    Attributes:
        pending: Traces that are still to be understood.
        overdue: Of these, how many are due.
        waiting: Jobs that wait to be scored, those that are being scored included.
        due: Of these, how many could be taken now.
        leased: How many are being scored.
        retrying: How many have failed before.
        dead: How many have failed too often.
        out: How many were left out for the budget.
        oldest_ms: How long the oldest job that could be taken has waited; 0 where there is none.
        workers: How many jobs each worker has.
    """

    pending: int
    overdue: int
    waiting: int
    due: int
    leased: int
    retrying: int
    dead: int
    out: int
    oldest_ms: int
    workers: dict[str, int] = {}


def put_jobs(connection: Any, query: Any, jobs: Sequence[NewJob], now_ms: int) -> None:
    """Put jobs in the queue within a transaction; see `TraceJobs.enqueue`.

    Args:
        connection: The transaction's.
        query: An insert into `trace_jobs` of the database's dialect.
        jobs: What is to be scored.
        now_ms: The time.
    """
    rows = [
        {
            "trace_id": job.trace_id,
            "digest": job.digest,
            "why": fitted(job.why),
            "priority": job.priority,
            "created": now_ms,
            "due": now_ms,
            "attempts": 0,
            "leased": None,
            "worker": None,
            "state": "waiting",
            "error": None,
        }
        for job in jobs
    ]
    if not rows:
        return
    new, t = query.excluded, trace_jobs.c
    other = t.digest != new.digest
    urgent = or_(other, and_(t.state == "waiting", new.priority < t.priority))
    values = {c: case((other, new[c]), else_=t[c]) for c in rows[0] if c != "trace_id"}
    values |= {c: case((urgent, new[c]), else_=t[c]) for c in ("why", "priority")}
    connection.execute(query.on_conflict_do_update(index_elements=["trace_id"], set_=values), rows)


def free(now_ms: int) -> ColumnElement[bool]:
    """Return the condition that nobody has leased a job.

    A lease that ends later than any may was taken by a clock that has been set back since.
    """
    leased = trace_jobs.c.leased
    return or_(leased.is_(None), leased <= now_ms, leased > now_ms + LONGEST_LEASE_MS)


def seems_free(job: Job, now_ms: int) -> bool:
    """Say whether a job that was leased is free by the time that it is now, unless its lease was renewed."""
    return job.leased is None or not now_ms < job.leased <= now_ms + LONGEST_LEASE_MS


def held(job: Job) -> list[ColumnElement[bool]]:
    """Return the conditions that a job is still as it was leased."""
    # The number of attempts too: the same worker may have leased it again after its lease had ended.
    t = trace_jobs.c
    return [
        t.trace_id == job.trace_id,
        t.digest == job.digest,
        t.worker == job.worker,
        t.attempts == job.attempts,
        t.state == "waiting",
    ]


def storable_error(error: str) -> str:
    """Return an error as a column holds it."""
    return str(storable({"error": error[:_ERROR]})["error"]).replace("\0", "\ufffd")


def job_of(row: Mapping[Any, Any]) -> Job:
    """Read a row."""
    return Job(**{name: row[name] for name in Job.__struct_fields__})
