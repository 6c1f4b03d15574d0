"""Verdicts by the hash of their question, durable before they are used."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from acidtest.store.group import GroupCommit, Grouped
from acidtest.store.runs import Store

_LINGER_S = 0.01
"""For how long a look-up waits for others; whoever asks has more questions ready than may be in flight."""

_ENOUGH = 16
"""Look-ups that wait for no others."""

_Row = tuple[str, str, bytes]


class StoredJournal:
    """The journal of one store (`ports.Journal`); use it as an async context."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys: Grouped[str, bytes | None] = Grouped(
            self._look_up, linger_s=_LINGER_S, enough=_ENOUGH
        )
        self._rows: GroupCommit[_Row] = GroupCommit(self._commit)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._rows)
        await self._stack.enter_async_context(self._keys)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    async def get(self, key: str) -> bytes | None:
        """Return the verdict that is kept under a key."""
        return await self._keys.put(key, patient=True)

    async def put(self, key: str, model: str, body: bytes) -> None:
        """Keep a verdict; it is on disk when this returns.

        Raises:
            StoreError: The database could not take it.
        """
        await self._rows.put((key, model, body))

    def _look_up(self, keys: list[str]) -> list[bytes | None]:
        found = self._store.verdicts(keys)
        return [found.get(key) for key in keys]

    def _commit(self, rows: list[_Row]) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.save_verdicts(
            [
                {"key": key, "model": model, "created": now, "body": body}
                for key, model, body in rows
            ]
        )
