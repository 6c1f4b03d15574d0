"""Verdicts by the hash of their question, durable before they are used."""

from datetime import UTC, datetime

from acidtest.store.runs import Store
from acidtest.store.verdict_groups import VerdictGroups

_Row = tuple[str, str, bytes]


class StoredJournal(VerdictGroups[_Row]):
    """The journal of one store (`ports.Journal`); use it as an async context."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.verdicts, self._commit)
        self._store = store

    async def put(self, key: str, model: str, body: bytes) -> None:
        """Keep a verdict; it is on disk when this returns.

        Raises:
            StoreError: The database could not take it.
        """
        await self.keep((key, model, body))

    def _commit(self, rows: list[_Row]) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.save_verdicts(
            [
                {"key": key, "model": model, "created": now, "body": body}
                for key, model, body in rows
            ]
        )
