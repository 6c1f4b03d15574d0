"""Grouping: one trip to the database takes all that waits, so a disk sync does not cost one an item.

While a group is on its way the next one gathers. So groups are as large as the load makes them, and
nobody waits for more than the trip before theirs and their own.
"""

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Grouped(Generic[T, R]):
    """A queue before a trip to the database. `put` returns what came of its item.

    Use it as an async context: leaving it brings what waits, also when the run is interrupted.

    Args:
        trip: Takes some items, and returns as many results; called in a thread, one call at a time.
        linger_s: So long a group of patient items waits for others to join it,
        enough: as long as they are fewer than these.
    """

    def __init__(
        self, trip: Callable[[list[T]], Sequence[R]], *, linger_s: float = 0.0, enough: int = 1
    ) -> None:
        self._trip = trip
        self._linger_s = linger_s
        self._enough = enough
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._wake = asyncio.Event()
        self._ready = asyncio.Event()
        self._hurry = False
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
        self._closing = self._hurry = True
        self._wake.set()
        self._ready.set()
        if self._task is not None:
            # Shielded: a second Ctrl-C must not cut a commit in half.
            await asyncio.shield(self._task)

    async def put(self, item: T, *, patient: bool = False) -> R:
        """Hand an item over and wait for what comes of it.

        Args:
            item: What the trip takes.
            patient: It may wait for others to join it.

        Raises:
            StoreError: The database could not take it.
        """
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, done))
        self._wake.set()
        if not patient or len(self._waiting) >= self._enough:
            self._hurry = True
            self._ready.set()
        return await done  # whoever is cancelled here leaves the item in the queue

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if not self._hurry:
                    await self._gather()
                batch, self._waiting, self._hurry = self._waiting, [], self._closing
                await self._bring(batch)
            if self._closing:
                return

    async def _gather(self) -> None:
        self._ready.clear()
        timer = asyncio.get_running_loop().call_later(self._linger_s, self._ready.set)
        await self._ready.wait()
        timer.cancel()

    async def _bring(self, batch: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            results = await asyncio.to_thread(self._trip, [item for item, _ in batch])
        except Exception as error:  # noqa: BLE001 - whoever waits for these items is told
            for _, done in batch:
                if not done.done():
                    done.set_exception(error)
                    done.exception()  # looked at: whoever waited may be gone
            return
        for (_, done), result in zip(batch, results, strict=True):
            if not done.done():
                done.set_result(result)


class GroupCommit(Grouped[T, None]):
    """A queue before a commit: `put` returns when its item is on disk.

    Args:
        commit: Stores some items in one transaction; called in a thread, one call at a time.
        linger_s: See `Grouped`; patience is for what could be made again at no cost.
        enough: See `Grouped`.
    """

    def __init__(
        self, commit: Callable[[list[T]], None], *, linger_s: float = 0.0, enough: int = 1
    ) -> None:
        def trip(items: list[T]) -> list[None]:
            commit(items)
            return [None] * len(items)

        super().__init__(trip, linger_s=linger_s, enough=enough)
