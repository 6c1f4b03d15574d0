"""Group commit: one commit takes all that waits, so durability does not cost a disk sync an item."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class GroupCommit(Generic[T]):
    """A queue before a commit. `put` returns when its item is on disk.

    Use it as an async context: leaving it commits what waits, also when the run is interrupted.

    Args:
        commit: Stores some items in one transaction; called in a thread, one call at a time.
    """

    def __init__(self, commit: Callable[[list[T]], None]) -> None:
        self._commit = commit
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            # Shielded: a second Ctrl-C must not cut a commit in half.
            await asyncio.shield(self._task)

    async def put(self, item: T) -> None:
        """Store an item; it is durable when this returns.

        Raises:
            StoreError: The database could not take it.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, done))
        self._wake.set()
        # Shielded: what was handed over is written even when the caller is cancelled.
        await asyncio.shield(done)

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._store(batch)
            if self._closing:
                return

    async def _store(self, batch: list[tuple[T, "asyncio.Future[None]"]]) -> None:
        failure: Exception | None = None
        try:
            await asyncio.to_thread(self._commit, [item for item, _ in batch])
        except Exception as error:  # noqa: BLE001 - whoever waits for these items is told
            failure = error
        for _, done in batch:
            if done.done():
                continue
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)
                done.exception()  # looked at: whoever waited may be gone
