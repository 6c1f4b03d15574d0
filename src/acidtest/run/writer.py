"""Writing as it comes: one commit takes all that waits, so durability does not cost a sync a case."""

import asyncio
from collections.abc import Sequence
from typing import Self

from acidtest.data import Answer, Result
from acidtest.store.runs import Store

_Item = tuple[Sequence[Answer], Sequence[Result], "asyncio.Future[None]"]


class Writer:
    """Group commit for one run. `save` returns when its rows are on disk.

    Use it as an async context: leaving it writes what waits, also when the run is interrupted.
    """

    def __init__(self, store: Store, run_id: str) -> None:
        self._store = store
        self._run_id = run_id
        self._waiting: list[_Item] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            # Shielded: a second Ctrl-C must not cut a commit in half.
            await asyncio.shield(self._task)

    async def save(self, answers: Sequence[Answer], results: Sequence[Result]) -> None:
        """Store answers and results; they are durable when this returns.

        Raises:
            StoreError: The database could not take them.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((answers, results, done))
        self._wake.set()
        # Shielded: what was handed over is written even when the caller is cancelled.
        await asyncio.shield(done)

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._commit(batch)
            if self._closing:
                return

    async def _commit(self, batch: list[_Item]) -> None:
        answers = [a for some, _, _ in batch for a in some]
        results = [r for _, some, _ in batch for r in some]
        try:
            await asyncio.to_thread(self._store.save, self._run_id, answers, results)
        except Exception as error:  # noqa: BLE001 - whoever waits for these rows is told
            for _, _, done in batch:
                if not done.done():
                    done.set_exception(error)
                    done.exception()  # the waiter may be gone; the error is not lost twice
            return
        for _, _, done in batch:
            if not done.done():
                done.set_result(None)
