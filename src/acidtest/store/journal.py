"""Verdicts by the hash of their question, durable before they are used."""

import asyncio
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from acidtest.store.group import GroupCommit
from acidtest.store.runs import Store

_Row = tuple[str, str, bytes]


class StoredJournal:
    """The journal of one store (`ports.Journal`); use it as an async context."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: GroupCommit[_Row] = GroupCommit(self._commit)

    async def __aenter__(self) -> Self:
        await self._rows.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._rows.__aexit__(kind, error, trace)

    async def get(self, key: str) -> bytes | None:
        """Return the verdict that is kept under a key."""
        return await asyncio.to_thread(self._store.verdict, key)

    async def put(self, key: str, model: str, body: bytes) -> None:
        """Keep a verdict; it is on disk when this returns.

        Raises:
            StoreError: The database could not take it.
        """
        await self._rows.put((key, model, body))

    def _commit(self, rows: list[_Row]) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.save_verdicts(
            [
                {"key": key, "model": model, "created": now, "body": body}
                for key, model, body in rows
            ]
        )
