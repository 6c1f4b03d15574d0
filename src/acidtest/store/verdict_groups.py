"""Look-ups and writes of verdicts, many to a trip: what the journal of runs and that of live traces share."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Generic, Self, TypeVar

from acidtest.store.group import GroupCommit, Grouped

Row = TypeVar("Row")

_LINGER_S = 0.01
"""For how long a look-up waits for others; whoever asks has more questions ready than may be in flight."""

_ENOUGH = 16
"""Look-ups that wait for no others."""


class VerdictGroups(Generic[Row]):
    """Two queues before the verdicts of one store; use it as an async context.

    Args:
        verdicts: Returns those that are there, by key.
        commit: Stores rows in one transaction.
    """

    def __init__(
        self,
        verdicts: Callable[[Sequence[str]], Mapping[str, bytes]],
        commit: Callable[[list[Row]], None],
    ) -> None:
        self._verdicts = verdicts
        self._keys: Grouped[str, bytes | None] = Grouped(
            self._look_up, linger_s=_LINGER_S, enough=_ENOUGH
        )
        self._rows: GroupCommit[Row] = GroupCommit(commit)
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

    async def keep(self, row: Row) -> None:
        """Keep a verdict; it is on disk when this returns.

        Raises:
            StoreError: The database could not take it.
        """
        await self._rows.put(row)

    def _look_up(self, keys: list[str]) -> list[bytes | None]:
        found = self._verdicts(keys)
        return [found.get(key) for key in keys]
