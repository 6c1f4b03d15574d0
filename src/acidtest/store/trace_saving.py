"""Saving traces as they were understood: what is due, and what became of it, with its jobs and documents.

Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import BigInteger, ColumnElement, case, delete, func, literal, select, update

from acidtest.data.traces import Trace
from acidtest.store.again import again
from acidtest.store.database import IN
from acidtest.store.trace_hold import held_traces
from acidtest.store.trace_job import NewJob, put_jobs
from acidtest.store.trace_rows import TraceRows, rows_of
from acidtest.store.trace_tables import (
    pending_traces,
    seen_documents,
    spans,
    trace_bodies,
    trace_jobs,
    trace_scores,
    trace_tags,
    traces,
)
from acidtest.store.trace_usual import TraceUsual

_DAY_MS = 86_400_000
_USUAL = 5
"""How urgent scoring is, if nothing says."""


class Pending(NamedTuple):
    """A trace that is due to be understood.

    `last` tells whether something came meanwhile; `spans` and `size` are the number of its spans and their
    bytes.
    """

    trace_id: str
    last: int
    spans: int
    size: int


class Understood(Struct, frozen=True, kw_only=True):
    """A trace to be saved.

    Attributes:
        trace: What was understood.
        digest: The hash of what metrics read of it.
        last: Of its `Pending`; None where it was not waited for.
        why: By which rule it is to be scored; None: it is not.
        priority: Of its scoring, smaller first.
        documents: Hashes of the documents that were retrieved.
        declined: Whether the answer declines, where the system itself does not say.
    """

    trace: Trace
    digest: str
    last: int | None = None
    why: str | None = None
    priority: int = _USUAL
    documents: tuple[str, ...] = ()
    declined: bool | None = None


class TraceSaving(TraceUsual):
    """Says which traces of one store are due, and saves them. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def claim(
        self, now_ms: int, *, limit: int, hold_ms: int, within_ms: int = _DAY_MS
    ) -> list[Pending]:
        """Return traces that are due, the longest first; others do not get them for `hold_ms`.

        Args:
            now_ms: The time.
            limit: How many at most.
            hold_ms: For how long they are this caller's.
            within_ms: Nothing is due later than this from now: what is was put there by a clock that is ahead, or
                has been set back since, and is due now.
        """
        due = pending_traces.c.due
        far = now_ms + max(within_ms, hold_ms)
        with self._begin() as connection:
            held = _held(connection, due <= now_ms, limit, now_ms + hold_ms)
            if len(held) < limit:
                held |= _held(connection, due > far, limit - len(held), now_ms + hold_ms)
        sizes = self._sizes(list(held))
        return [Pending(i, last, *sizes.get(i, (0, 0))) for i, last in sorted(held.items())]

    def drop(self, pending: Sequence[Pending]) -> None:
        """Forget that traces are due to which nothing came meanwhile."""
        with self._begin() as connection:
            _settled(connection, {one.trace_id: one.last for one in pending})

    def waiting(self, now_ms: int) -> tuple[int, int]:
        """Return how many traces are still to be understood, and how many of these are due."""
        due = func.count().filter(pending_traces.c.due <= now_ms)
        row = self._rows(
            select(func.count().label("all"), due.label("due")).select_from(pending_traces)
        )[0]
        return int(row["all"]), int(row["due"])

    def pending(self, *, after: str = "", limit: int = 50) -> list[Pending]:
        """Return a page of the traces that are still to be understood, due or not, by id.

        Args:
            after: The last id of the page before.
            limit: How many at most.
        """
        table = pending_traces
        query = select(table.c.trace_id, table.c.last).where(table.c.trace_id > after)
        rows = self._rows(query.order_by(table.c.trace_id).limit(limit))
        sizes = self._sizes([row["trace_id"] for row in rows])
        return [
            Pending(row["trace_id"], row["last"], *sizes.get(row["trace_id"], (0, 0)))
            for row in rows
        ]

    @again
    def save(self, batch: Sequence[Understood | tuple[Trace, str]], *, now_ms: int) -> list[str]:
        """Save traces, and put those to be scored in the queue, in one transaction.

        A trace whose digest changed loses the scores that it had. One that has scores or a job of the same
        digest is not put in the queue again; a rule that is more urgent moves it forward.

        Returns:
            The ids of those that were saved: not of those to which something came meanwhile, or which
            somebody deleted; these stay, or are no longer, due.
        """
        # Made before the transaction: while it lasts, all who write to a store in SQLite wait.
        some = sorted((_prepared(each, now_ms) for each in batch), key=lambda one: one[0].trace.id)
        if not some:
            return []
        unseen = self.unseen([h for each, _ in some for h in each.documents])
        with self._begin() as connection:
            due = {each.trace.id: each.last for each, _ in some if each.last is not None}
            settled = _settled(connection, due)
            kept = {
                each.trace.id: (each, rows)
                for each, rows in some
                if each.last is None or each.trace.id in settled
            }
            if kept:
                self._save(connection, kept, unseen, now_ms)
        return list(kept)

    def _save(
        self,
        connection: Any,
        whole: dict[str, tuple[Understood, TraceRows]],
        unseen: set[str],
        now_ms: int,
    ) -> None:
        ids, kept = list(whole), {i: each for i, (each, _) in whole.items()}
        made = [rows for _, rows in whole.values()]
        before = held_traces(connection, ids)
        query = self._insert(traces)
        columns = {c.name: query.excluded[c.name] for c in traces.columns if c.name != "id"}
        connection.execute(
            query.on_conflict_do_update(index_elements=["id"], set_=columns),
            [rows.columns for rows in made],
        )
        self._put(connection, trace_bodies, [rows.body for rows in made], over=True)
        connection.execute(delete(trace_tags).where(trace_tags.c.trace_id.in_(ids)))
        self._put(connection, trace_tags, [tag for rows in made for tag in rows.tags])
        changed = [i for i, digest in before.items() if digest != kept[i].digest]
        again = _chosen_before(connection, changed)
        for table in (trace_scores, trace_jobs):
            connection.execute(delete(table).where(table.c.trace_id.in_(changed)))
        scored = select(trace_scores.c.trace_id).where(trace_scores.c.trace_id.in_(ids)).distinct()
        have = {row.trace_id for row in connection.execute(scored)}
        jobs = [
            NewJob(i, each.digest, each.why, each.priority)
            if each.why is not None
            else NewJob(i, each.digest, *again[i])
            for i, each in kept.items()
            if (each.why is not None or i in again) and i not in have
        ]
        put_jobs(connection, self._insert(trace_jobs), jobs, now_ms)
        wanted = sorted({h for each in kept.values() for h in each.documents} & unseen)
        self._put(connection, seen_documents, [{"hash": h, "first": now_ms} for h in wanted])

    def _sizes(self, ids: list[str]) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for start in range(0, len(ids), IN):
            query = (
                select(
                    spans.c.trace_id,
                    func.count().label("n"),
                    func.sum(func.length(spans.c.body)).label("size"),
                )
                .where(spans.c.trace_id.in_(ids[start : start + IN]))
                .group_by(spans.c.trace_id)
            )
            for row in self._rows(query):
                found[row["trace_id"]] = (int(row["n"]), int(row["size"]))
        return found


def _held(connection: Any, due: ColumnElement[bool], limit: int, until_ms: int) -> dict[str, int]:
    """Keep some traces that are due from others until a moment; return when the last of each came."""
    t = pending_traces.c
    query = select(t.trace_id).where(due).order_by(t.due, t.trace_id).limit(limit)
    some = query.with_for_update(skip_locked=True).cte("some")
    hold = (
        update(pending_traces)
        .where(t.trace_id.in_(select(some.c.trace_id)), due)
        .values(due=until_ms)
        .returning(t.trace_id, t.last)
    )
    return {row.trace_id: row.last for row in connection.execute(hold)}


def _prepared(given: Understood | tuple[Trace, str], now_ms: int) -> tuple[Understood, TraceRows]:
    each = given if isinstance(given, Understood) else Understood(trace=given[0], digest=given[1])
    return each, rows_of(each.trace, each.digest, now_ms, declined=each.declined)


def _chosen_before(connection: Any, ids: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return why traces were to be scored, and how urgently, of those that were, or that have scores."""
    found = select(trace_scores.c.trace_id).where(trace_scores.c.trace_id.in_(ids)).distinct()
    chosen = {row.trace_id: ("scored before", _USUAL) for row in connection.execute(found)}
    t = trace_jobs.c
    query = select(t.trace_id, t.why, t.priority).where(t.trace_id.in_(ids))
    return chosen | {row.trace_id: (row.why, row.priority) for row in connection.execute(query)}


def _settled(connection: Any, due: Mapping[str, int]) -> set[str]:
    """Take traces from those that are due, and return which: to the others something came meanwhile."""
    t, gone = pending_traces.c, set[str]()
    ids = sorted(due)
    for start in range(0, len(ids), IN):
        some = ids[start : start + IN]
        last = case({i: literal(due[i], BigInteger) for i in some}, value=t.trace_id)
        # One statement: whoever brings more comes before or after it. In order, so that none wait for each other.
        query = select(t.trace_id).where(t.trace_id.in_(some), t.last == last)
        found = query.order_by(t.trace_id).with_for_update().cte("found")
        gone_now = delete(pending_traces).where(t.trace_id.in_(select(found.c.trace_id)))
        gone.update(row.trace_id for row in connection.execute(gone_now.returning(t.trace_id)))
    return gone
