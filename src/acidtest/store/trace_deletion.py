"""Deleting traces with everything that was derived from them, by id, session, user or age."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.exc import DatabaseError

from acidtest.store.again import again
from acidtest.store.database import IN
from acidtest.store.origin_cleaning import OriginCleaning
from acidtest.store.tables import verdicts
from acidtest.store.trace_hold import held_traces
from acidtest.store.trace_rows import fitted
from acidtest.store.trace_tables import (
    pending_traces,
    spans,
    trace_feedback,
    trace_verdicts,
    traces,
)

_WAIT_MS = 100
_TRIES = 5
_AT_ONCE = 200
"""Traces that are deleted in one transaction where there is no end of them."""


class TraceDeletion(OriginCleaning):
    """Deletes traces: spans, what was understood, tags, feedback, scores, jobs, and verdicts that quote them.

    So go the senders that no span names any more. A verdict that another trace uses too stays. SQLite
    overwrites what is deleted in its files, and empties its log; another reader may keep the log for as long
    as it reads.
    """

    def delete(self, trace_ids: Sequence[str]) -> int:
        """Delete traces by id; return how many of them had been understood."""
        senders: set[str] = set()
        gone = self._delete_ids(trace_ids, senders)
        self._ended(senders)
        return gone

    def delete_session(self, session: str) -> int:
        """Delete the traces of a conversation; return how many."""
        return self._delete_where(traces.c.session_id == fitted(session))

    def delete_user(self, user: str) -> int:
        """Delete the traces of a user; return how many."""
        return self._delete_where(traces.c.user_id == fitted(user))

    def delete_older(self, before_ms: int) -> int:
        """Delete what began, or came, before a moment; return how many traces.

        Spans that never became a trace go too.
        """
        # A system's clock may be wrong: what came long ago is old, whenever it says that it began.
        old = or_(traces.c.started < before_ms, traces.c.updated < before_ms)
        gone = 0
        while True:
            query = select(traces.c.id).where(old).limit(_AT_ONCE)
            some = [row["id"] for row in self._rows(query)]
            gone += self._delete_ids(some, set())
            if len(some) < _AT_ONCE:
                break
        parts = self._delete_lost(before_ms)
        # Any sender may be one that nobody names: a span that is sent again may name another.
        self._ended(None if gone or parts else set())
        return gone

    @again
    def _delete_lost(self, before_ms: int) -> int:
        """Delete old spans and feedback that never became a trace; return how many spans."""
        orphans = ~exists(select(1).where(traces.c.id == spans.c.trace_id))
        with self._begin() as connection:
            self._overwriting(connection)
            lost = delete(spans).where(spans.c.received < before_ms, orphans)
            parts = int(connection.execute(lost).rowcount)
            if parts:
                self._note(connection, None)
            unheard = ~exists(select(1).where(traces.c.id == trace_feedback.c.trace_id))
            connection.execute(
                delete(trace_feedback).where(trace_feedback.c.created < before_ms, unheard)
            )
        return parts

    @again
    def _delete_ids(self, trace_ids: Sequence[str], senders: set[str]) -> int:
        with self._begin() as connection:
            _hold(connection, trace_ids)
            return sum(
                self._delete(connection, trace_ids[start : start + IN], senders)
                for start in range(0, len(trace_ids), IN)
            )

    def _delete_where(self, which: ColumnElement[bool]) -> int:
        senders: set[str] = set()
        gone = self._delete_whole(which, senders)
        self._ended(senders)
        return gone

    @again
    def _delete_whole(self, which: ColumnElement[bool], senders: set[str]) -> int:
        """Delete all of somebody's in one transaction."""
        with self._begin() as connection:
            ids = [row.id for row in connection.execute(select(traces.c.id).where(which))]
            _hold(connection, ids)
            for start in range(0, len(ids), IN):
                self._delete(connection, ids[start : start + IN], senders)
        return len(ids)

    def _delete(self, connection: Any, ids: Sequence[str], senders: set[str]) -> int:
        """Delete within a transaction; `senders` gets the hashes of the origins that spans of these named."""
        self._overwriting(connection)
        named = select(spans.c.origin).where(spans.c.trace_id.in_(ids)).distinct()
        ours = {row.origin for row in connection.execute(named)}
        self._note(connection, ours)
        senders |= ours
        return _delete(connection, ids)

    def _ended(self, senders: set[str] | None) -> None:
        self.forget_origins(senders)
        self._empty_log()

    def _empty_log(self) -> None:
        """Bring SQLite's log into its file, and leave nothing of what is deleted in it."""
        if self._engine.dialect.name != "sqlite":
            return
        # Who reads for long keeps the log: it is emptied at the next deletion, or when all are gone. Nobody
        # may write while this waits for readers, so it waits for moments only.
        with suppress(DatabaseError), self._engine.connect() as connection:
            patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_WAIT_MS}")
            try:
                for _ in range(_TRIES):
                    moved = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                    if not moved.busy:
                        return
                    time.sleep(_WAIT_MS / 1000)  # somebody reads, or moves the log just now
            finally:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={int(patience)}")


def _hold(connection: Any, ids: Sequence[str]) -> None:
    """Hold all that is to be deleted, in the order in which who saves traces does."""
    t, ordered = pending_traces.c, sorted(set(ids))
    for start in range(0, len(ordered), IN):
        due = select(t.trace_id).where(t.trace_id.in_(ordered[start : start + IN]))
        connection.execute(due.order_by(t.trace_id).with_for_update()).all()
    held_traces(connection, ordered, "deletion")


def _delete(connection: Any, ids: Sequence[str]) -> int:
    # First what is due: whoever is at understanding one of these now will not save it.
    connection.execute(delete(pending_traces).where(pending_traces.c.trace_id.in_(ids)))
    connection.execute(delete(spans).where(spans.c.trace_id.in_(ids)))
    connection.execute(delete(trace_feedback).where(trace_feedback.c.trace_id.in_(ids)))
    ours = select(trace_verdicts.c.key).where(trace_verdicts.c.trace_id.in_(ids))
    # Two who delete the two that one verdict quotes would each leave it to the other.
    quoting = select(verdicts.c.key).where(verdicts.c.key.in_(ours)).order_by(verdicts.c.key)
    connection.execute(quoting.with_for_update()).all()
    others = trace_verdicts.alias("others")
    used = exists(select(1).where(others.c.key == verdicts.c.key, others.c.trace_id.not_in(ids)))
    connection.execute(delete(verdicts).where(verdicts.c.key.in_(ours), ~used))
    # Tags, scores, jobs and the list of verdicts go with their trace.
    return int(connection.execute(delete(traces).where(traces.c.id.in_(ids))).rowcount)
