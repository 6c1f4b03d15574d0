"""The worker: understands traces that are due, scores what was chosen, and keeps house.

Several may work on one store, in one process or on several machines. A worker that is told to stop gives
back what it has not finished; of one that is killed others take it when its leases end.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Protocol

from acidtest.errors import StoreError
from acidtest.online.assemble import assemble_due
from acidtest.online.calls import Calls, beside, cancelled
from acidtest.online.emit import Emitter
from acidtest.online.hand import Hand
from acidtest.online.journal import Journals
from acidtest.online.rooms import Rooms, open_rooms
from acidtest.online.score import Settings
from acidtest.online.spend import Clock, Ledger
from acidtest.online.summary import Counts, Summary
from acidtest.store.owner import ownership

_POLL_S = 0.5
_PIECE = 10
"""Traces that are understood between two pauses while something else needs the machine."""

_HOUSE_S = 60.0
_RETENTION_S = 3600.0
_DAY_MS = 86_400_000
_LONGEST_PAUSE_S = 30.0


class Stop(Protocol):
    """Whether to stop: such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Say whether to stop."""


Alerting = Callable[[Rooms, int], Awaitable[int]]
"""Looks for alerts at a time in milliseconds; returns how many are open."""


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def all_of_it() -> float:
    """Say that nothing else needs the machine."""
    return 1.0


async def run_worker(
    store_url: str,
    settings: Settings,
    *,
    stop: Stop | None = None,
    share: Callable[[], float] = all_of_it,
    once: bool = False,
    away: bool = False,
    alerting: Alerting | None = None,
    clock: Clock = now_ms,
    told: Callable[[str], None] | None = None,
) -> Summary:
    """Work on a store until told to stop, or until nothing is due.

    Args:
        store_url: The store.
        settings: What is scored, with what, for how much.
        stop: Looked at twice a second; what is not finished then is given back. Being cancelled does the same.
        share: Says which part of the time the worker may take, as others need the machine too: 1 is all of it.
            Below that it works in small pieces, and scores one trace at a time.
        once: Do what is due, and return.
        away: The judge's endpoint is known to be gone at the start.
        alerting: Looks for alerts: every minute, and at the end.
        clock: Tells the time in milliseconds since 1970.
        told: Called with a sentence when the store fails, and when it works again.

    Returns:
        What was done.

    Raises:
        StoreError: The store failed: at the start, or with `once`. Otherwise it is waited for.
        MissingExtra: Traces are protobuf, and the package that reads them is not installed.
    """
    async with AsyncExitStack() as stack:
        rooms = stack.enter_context(open_rooms(store_url))
        name = stack.enter_context(ownership())
        address = settings.config.emit
        emitter = (
            None if address is None else await stack.enter_async_context(Emitter(address, clock))
        )
        ledger = await stack.enter_async_context(Ledger(rooms.spending, settings.limits, clock))
        journals = await stack.enter_async_context(Journals(rooms, clock))
        calls, counts, tell = Calls(), Counts(), told or _nobody
        hand = Hand(
            name, rooms, settings, ledger, journals, emitter, calls, counts, clock, share, tell
        )
        if away:
            hand.rest()
        worker = _Worker(rooms, settings, hand, calls, counts, clock, share, alerting, tell)
        try:
            await (worker.once() if once else worker.until(stop))
        finally:
            await asyncio.shield(hand.give_back())
        if emitter is not None:
            await emitter.drained()
        return await calls.aside(worker.summary, emitter)


@dataclass
class _Worker:
    """One worker: the rooms that it works on, and what it does there in turn."""

    rooms: Rooms
    settings: Settings
    hand: Hand
    calls: Calls
    counts: Counts
    clock: Clock
    share: Callable[[], float]
    alerting: Alerting | None
    tell: Callable[[str], None]

    async def once(self) -> None:
        """Do what is due."""
        while await self.assemble():
            pass
        async with beside(self._renewing()):
            while (not self.hand.away and await self.hand.take()) or self.hand.running:
                await self.hand.settle_some()
        await self.retire()
        await self.look()

    async def until(self, stop: Stop | None) -> None:
        """Do what becomes due until told to stop."""
        duties = [
            self._over_and_over(self._assembling),
            self._over_and_over(self._scoring),
            self._over_and_over(self._keeping_house),
            self._renewing(),
        ]
        tasks = [asyncio.ensure_future(duty) for duty in duties]
        try:
            while not (stop is not None and stop.is_set()):
                done, _ = await asyncio.wait(
                    tasks, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    task.result()
        finally:
            await cancelled(tasks)

    def summary(self, emitter: Emitter | None) -> Summary:
        """Return what was done."""
        now = self.clock()
        counts, health = self.counts, self.rooms.jobs.health(now_ms=now)
        return Summary(
            traces=counts.traces,
            scored=counts.scored,
            skipped=counts.skipped,
            failed=counts.failed,
            died=counts.died,
            dead=health.dead,
            left_out=health.out,
            deleted=counts.deleted,
            sent=emitter.sent if emitter else 0,
            unsent=emitter.failed if emitter else 0,
            alerts=counts.alerts,
            waiting=health.waiting,
            away=self.hand.away,
            spent=self.rooms.spending.day(now),
        )

    async def assemble(self) -> int:
        """Understand some traces that are due; return how many there were."""
        more = {"limit": _PIECE} if self.share() < 1 else {}
        config = self.settings.config
        done = await self.calls.aside(assemble_due, self.rooms, config, self.clock(), **more)
        self.counts.traces += done
        return done

    async def retire(self) -> None:
        """Delete what is older than it may be."""
        days = self.settings.config.retention_days
        if days is not None:
            before = self.clock() - int(days * _DAY_MS)
            self.counts.deleted += await self.calls.aside(self.rooms.traces.delete_older, before)

    async def look(self) -> None:
        """Look for alerts."""
        if self.alerting is not None:
            self.counts.alerts = await self.alerting(self.rooms, self.clock())

    async def _assembling(self) -> None:
        began = time.monotonic()
        done = await self.assemble()
        if done:
            await self._make_way(time.monotonic() - began)
        else:
            await asyncio.sleep(_POLL_S)

    async def _scoring(self) -> None:
        # Waiting for a judge far away takes nothing from others here: what this thread works counts.
        began = time.thread_time()
        await self.hand.take()
        if self.hand.running:
            await self.hand.settle_some()
            await self._make_way(time.thread_time() - began)
        else:
            await asyncio.sleep(_POLL_S)

    async def _make_way(self, took: float) -> None:
        """Pause for as long as work of so many seconds is to be followed by, while others need the machine."""
        began = time.monotonic()
        while (share := self.share()) < 1:
            rest = began + took / share - took - time.monotonic()
            if rest <= 0:
                return
            await asyncio.sleep(min(rest, _POLL_S))

    async def _keeping_house(self) -> None:
        await self.retire()
        for _ in range(round(_RETENTION_S / _HOUSE_S)):
            await self.look()
            await asyncio.sleep(_HOUSE_S)

    async def _renewing(self) -> None:
        while True:
            await asyncio.sleep(self.settings.config.lease_s / 3)
            await self.hand.renew()

    async def _over_and_over(self, duty: Callable[[], Awaitable[None]]) -> None:
        pause = 0.0
        while True:
            try:
                await duty()
            except StoreError as error:
                if not pause:
                    self.tell(f"The store fails, and is waited for: {error}")
                pause = min(max(pause * 2, 1.0), _LONGEST_PAUSE_S)
                await asyncio.sleep(pause)
            else:
                if pause:
                    self.tell("The store works again.")
                pause = 0.0


def _nobody(line: str) -> None:
    """Tell nobody."""
