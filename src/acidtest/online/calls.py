"""Calls to the store from the loop, which end before the store is closed; and tasks that end with their block."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Calls:
    """Calls to one store: each is made in a thread, and ends, whoever is cancelled meanwhile."""

    def __init__(self) -> None:
        self._unfinished: set[asyncio.Future[Any]] = set()

    async def aside(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
        """Call in a thread."""
        return await self.finished(asyncio.to_thread(call, *args, **more))

    async def finished(self, work: Coroutine[Any, Any, R]) -> R:
        """Await what ends also when the caller is cancelled."""
        task = asyncio.ensure_future(work)
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)
        return await asyncio.shield(task)

    async def ended(self) -> None:
        """Wait until nothing is under way."""
        while self._unfinished:
            await asyncio.gather(*self._unfinished, return_exceptions=True)


class beside:  # noqa: N801 - used like a function
    """Runs a coroutine beside a block, and ends it with the block."""

    def __init__(self, work: Awaitable[None]) -> None:
        self._work = work
        self._task: asyncio.Future[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.ensure_future(self._work)

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await cancelled([self._task])


async def cancelled(tasks: Sequence[asyncio.Future[None]]) -> None:
    """Cancel tasks, and wait for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
