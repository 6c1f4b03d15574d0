"""Spans on their way into the store: all that waits in one commit, and nobody is told before it is on disk."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from acidtest.data.spans import Arrivals
from acidtest.errors import StoreError
from acidtest.server.counters import Counters
from acidtest.server.settings import Settings
from acidtest.store.group import Grouped
from acidtest.store.spans import SpanStore


class Ingest:
    """The way of spans into one store; use it as an async context.

    Args:
        settings: The server's.
        store: Where spans go; closed by its owner.
        counters: Where commits are counted.
    """

    def __init__(self, settings: Settings, store: SpanStore, counters: Counters) -> None:
        self._settings = settings
        self._store = store
        self._counters = counters
        self._group: Grouped[Arrivals, StoreError | None] = Grouped(self._commit)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._group.__aexit__(kind, error, trace)

    async def put(self, arrivals: Arrivals) -> None:
        """Store spans; they are on disk when this returns.

        Raises:
            StoreError: The store could not take them.
        """
        began = time.perf_counter()
        failed = await self._group.put(arrivals)
        self._counters.commits.add(time.perf_counter() - began)
        if failed is not None:
            self._counters.commits_failed += 1
            raise failed

    def _commit(self, waiting: list[Arrivals]) -> list[StoreError | None]:
        failed = self._add(waiting)
        if failed is None or failed.passing or len(waiting) == 1:
            return [failed] * len(waiting)
        # One request that the store cannot take must not cost the others theirs.
        return [self._add([arrivals]) for arrivals in waiting]

    def _add(self, waiting: Sequence[Arrivals]) -> StoreError | None:
        try:
            self._store.add(
                waiting,
                now_ms=time.time_ns() // 1_000_000,
                quiet_ms=self._settings.quiet_ms,
                ended_ms=self._settings.ended_ms,
            )
        except StoreError as error:
            return error
        return None
