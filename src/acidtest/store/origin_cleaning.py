"""Forgetting senders that no span names any more: what they say of a machine or its user goes with their spans.

No index leads from an origin to its spans: it would slow every span that comes in. So spans are looked
through instead, beside all who write, and what is left is looked at once more before it is deleted.

That comes after the spans are gone, so whoever takes them away notes in the same transaction whose they were: a
program that ends in between leaves the rest to the next deletion.
"""

from secrets import token_bytes
from typing import Any

from sqlalchemy import delete, func, or_, select

from acidtest.store.database import IN, Database
from acidtest.store.trace_tables import origins, spans, watch_state

_NOTE = "sender:"
"""What the keys of notes begin with: the hash of an origin follows, or `*` for any."""

_NEWEST = 5_000
"""Spans that are looked at first: they name most of what is still named."""


class OriginCleaning(Database):
    """Deletes origins that no span names. Methods raise `StoreError` when it fails."""

    def forget_origins(self, hashes: set[str] | None = None) -> int:
        """Delete origins that no span names; return how many.

        Args:
            hashes: Which may have lost their last span, besides those that are noted; None for any.
        """
        notes = self._notes()
        if hashes is not None:
            hashes = None if f"{_NOTE}*" in notes else {*hashes, *(k[len(_NOTE) :] for k in notes)}
        newest = select(spans.c.origin).order_by(spans.c.id.desc()).limit(_NEWEST).subquery()
        latest = select(func.max(spans.c.id).label("id"), func.max(spans.c.received).label("at"))
        last = self._rows(latest)[0]
        left = self._unnamed(hashes, select(newest.c.origin).distinct())
        left = left and self._unnamed(left, select(spans.c.origin).distinct())
        if not left and not notes:
            return 0
        gone = 0
        with self._begin() as connection:
            if left:
                self._alone(connection)
            for some in _parts(left):
                # What came meanwhile may name one of them.
                ours = select(spans.c.origin).where(spans.c.origin.in_(some))
                if self._engine.dialect.name == "sqlite":
                    # A span that is sent again keeps its number.
                    late = spans.c.received >= (last["at"] or 0)
                    ours = ours.where(or_(spans.c.id > (last["id"] or 0) - _NEWEST, late))
                named = {row.origin for row in connection.execute(ours.distinct())}
                dead = [hash_ for hash_ in some if hash_ not in named]
                gone += connection.execute(delete(origins).where(origins.c.hash.in_(dead))).rowcount
            for key, body in sorted(notes.items()):
                # One that somebody has noted again meanwhile is another.
                old = (watch_state.c.key == key, watch_state.c.body == body)
                connection.execute(delete(watch_state).where(*old))
        return gone

    def _note(self, connection: Any, hashes: set[str] | None) -> None:
        """Note whose spans a transaction takes away; None for anybody's."""
        body = token_bytes(8)
        names = ["*"] if hashes is None else sorted(hashes)
        rows = [{"key": f"{_NOTE}{name}", "body": body} for name in names]
        self._put(connection, watch_state, rows, over=True)

    def _notes(self) -> dict[str, bytes]:
        table = watch_state
        noted = table.c.key.startswith(_NOTE, autoescape=True)
        return {row.key: bytes(row.body) for row in self._tuples(select(table).where(noted))}

    def _unnamed(self, hashes: set[str] | None, named: Any) -> set[str]:
        if hashes is None:
            hashes = {row.hash for row in self._tuples(select(origins.c.hash))}
        return hashes - {row.origin for row in self._tuples(named)} if hashes else hashes

    def _alone(self, connection: Any) -> None:
        """Keep others from naming an origin until the end of the transaction."""
        if self._engine.dialect.name == "sqlite":
            self._overwriting(connection)  # nobody else writes: SQLite has one lock
        else:
            # Whoever stores a span writes its origin in the same transaction, after it.
            connection.exec_driver_sql("LOCK TABLE origins IN EXCLUSIVE MODE")

    def _overwriting(self, connection: Any) -> None:
        """Have SQLite overwrite what is deleted: else it stays in the file until its page is used again."""
        if self._engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete=ON")


def _parts(hashes: set[str]) -> list[list[str]]:
    ordered = sorted(hashes)
    return [ordered[start : start + IN] for start in range(0, len(ordered), IN)]
