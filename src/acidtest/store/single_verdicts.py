"""Judges' verdicts one by one, as a run looks them up and keeps them; of all of them see `verdicts`."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select

from acidtest.store import tables
from acidtest.store.database import IN, Database


class SingleVerdicts(Database):
    """The verdicts of one store by key."""

    def save_verdicts(self, rows: Sequence[dict[str, Any]]) -> None:
        """Store judges' verdicts in one commit; a key that is there already stands."""
        with self._begin() as connection:
            self._put(connection, tables.verdicts, rows)

    def verdict(self, key: str) -> bytes | None:
        """Return the verdict that is stored under a key."""
        return self.verdicts([key]).get(key)

    def verdicts(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the verdicts that are stored, of those under some keys."""
        table = tables.verdicts
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), IN):
            some = keys[start : start + IN]
            query = select(table.c.key, table.c.body).where(table.c.key.in_(some))
            found |= {row["key"]: row["body"] for row in self._rows(query)}
        return found

    def lately(self, models: Callable[[str], bool], limit: int) -> list[bytes]:
        """Return the newest verdicts of the models that are meant, at most `limit`."""
        table = tables.verdicts
        names = [row["model"] for row in self._rows(select(table.c.model).distinct())]
        meant = [name for name in names if models(name)][:IN]
        query = select(table.c.body).where(table.c.model.in_(meant))
        rows = self._rows(query.order_by(table.c.created.desc()).limit(limit))
        return [row["body"] for row in rows]
