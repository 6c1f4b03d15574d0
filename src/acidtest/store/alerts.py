"""Alerts as they are kept, and the small state of the watch beside them."""

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import select, update

from acidtest.codec.lossy import encoded
from acidtest.data.watching import Alert
from acidtest.errors import StoreError
from acidtest.store.alone import alone
from acidtest.store.database import Database, storable
from acidtest.store.trace_rows import fitted
from acidtest.store.trace_tables import alerts, watch_state

_ALERT = msgspec.json.Decoder(Alert)
_LARGEST = 2**63 - 1
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError)


class StoredAlert(Struct, frozen=True, kw_only=True):
    """An alert with its number in the store."""

    id: int
    alert: Alert


class Alerts(Database):
    """The alerts of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def listed(self, *, state: str | None = None, limit: int = 100) -> list[StoredAlert]:
        """Return alerts, the newest first.

        Args:
            state: `open` or `ended`; by default both.
            limit: How many at most.
        """
        query = select(alerts).order_by(alerts.c.created.desc(), alerts.c.id.desc()).limit(limit)
        if state is not None:
            query = query.where(alerts.c.state == state)
        return [self._read(row) for row in self._rows(query)]

    def get(self, number: int) -> StoredAlert | None:
        """Return one alert; None where there is none of this number."""
        if abs(number) > _LARGEST:
            return None  # the database would refuse to look
        rows = self._rows(select(alerts).where(alerts.c.id == number))
        return self._read(rows[0]) if rows else None

    def save(self, some: list[Alert]) -> None:
        """Save alerts: one whose key has an open alert takes its place, the others are new."""
        with self._begin() as connection:
            # Of two who save the same one, the second must see what the first has opened.
            alone(connection, "alerts")
            for alert in some:
                key = fitted(alert.key)
                row = storable({"key": key, "state": alert.state, "body": encoded(alert)})
                is_open = (alerts.c.key == row["key"], alerts.c.state == "open")
                if not connection.execute(update(alerts).where(*is_open).values(row)).rowcount:
                    connection.execute(alerts.insert(), [{**row, "created": alert.opened_ms}])

    def state(self, key: str) -> bytes | None:
        """Return what is kept under a key."""
        rows = self._rows(select(watch_state.c.body).where(watch_state.c.key == key))
        return bytes(rows[0]["body"]) if rows else None

    def swap(self, key: str, before: bytes | None, after: bytes) -> bool:
        """Keep something under a key, if nobody else has since `before` was read."""
        table = watch_state
        with self._begin() as connection:
            if before is None:
                # What an insertion counts differs between databases; what it gives back does not.
                new = self._insert(table).values(key=key, body=after).on_conflict_do_nothing()
                return connection.execute(new.returning(table.c.key)).first() is not None
            same = update(table).where(table.c.key == key, table.c.body == before)
            return bool(connection.execute(same.values(body=after)).rowcount)

    def _read(self, row: Any) -> StoredAlert:
        try:
            return StoredAlert(id=row["id"], alert=_ALERT.decode(row["body"]))
        except _UNREADABLE as error:
            reason = str(error).replace("`", "'")
            raise StoreError(
                f"alert {row['id']} is damaged: {reason}",
                where=self._where,
                fix="Bring the store back from a copy, or delete its row.",
            ) from error
