"""The worker: understands traces that are due, scores what was chosen, and keeps house.

Several may work on one store, in one process or on several machines. A worker that is told to stop gives
back what it has not finished; of one that is killed others take it when its leases end.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeVar

from acidtest.data.outcomes import Skip
from acidtest.errors import BudgetSpent, OutsideError, StoreError
from acidtest.online.assemble import assemble_due
from acidtest.online.emit import Emitter
from acidtest.online.journal import Journals
from acidtest.online.rooms import Rooms, open_rooms
from acidtest.online.score import Scored, Settings, score_trace
from acidtest.online.spend import Clock, Ledger
from acidtest.online.summary import Counts, Summary
from acidtest.store.owner import ownership
from acidtest.store.trace_job import Job

P = ParamSpec("P")
R = TypeVar("R")

_POLL_S = 0.5
_BUSY_POLL_S = 1.0
_BUSY_TRACES = 5
"""Traces that are understood between two pauses while whatever shares the machine is busy."""

_HOUSE_S = 60.0
_RETENTION_S = 3600.0
_DAY_MS = 86_400_000
_FIRST_RETRY_MS = 30_000
_LAST_RETRY_MS = 3_600_000
_LONGEST_PAUSE_S = 30.0
_AWAY_S = 60.0
"""So long nothing is scored when the judge's endpoint is gone."""


class Stop(Protocol):
    """Whether to stop: such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Say whether to stop."""


Alerting = Callable[[Rooms, int], Awaitable[int]]
"""Looks for alerts at a time in milliseconds; returns how many are open."""


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def never() -> bool:
    """Say that nothing else needs the machine."""
    return False


async def run_worker(
    store_url: str,
    settings: Settings,
    *,
    stop: Stop | None = None,
    busy: Callable[[], bool] = never,
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
        busy: Says whether whatever shares the machine needs it; then little is understood at a time.
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
        worker = _Worker(
            rooms, settings, ledger, journals, emitter, name, clock, busy, alerting, told
        )
        if away:
            worker.rest()
        try:
            await (worker.once() if once else worker.until(stop))
        finally:
            await asyncio.shield(worker.give_back())
        if emitter is not None:
            await emitter.drained()
        return await worker.aside(worker.summary)


@dataclass
class _Worker:
    """One worker: the rooms that it works on, and what it has in hand."""

    rooms: Rooms
    settings: Settings
    ledger: Ledger
    journals: Journals
    emitter: Emitter | None
    name: str
    clock: Clock
    busy: Callable[[], bool]
    alerting: Alerting | None
    told: Callable[[str], None] | None
    counts: Counts = field(default_factory=Counts)
    running: dict[asyncio.Task[None], Job] = field(default_factory=dict)
    away_until: float | None = None
    unfinished: set[asyncio.Future[Any]] = field(default_factory=set)
    leased: list[Job] = field(default_factory=list)

    async def once(self) -> None:
        """Do what is due."""
        while await self.assemble():
            pass
        async with _beside(self._renewing()):
            while (self.away_until is None and await self.take()) or self.running:
                await self.settle_some()
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
            await _ended(tasks)

    async def give_back(self) -> None:
        """Stop what is being scored, and give it back."""
        await _ended(list(self.running))
        # What is on its way to the store gets there: jobs that were leased just now are given back too.
        while self.unfinished:
            await asyncio.gather(*self.unfinished, return_exceptions=True)
        jobs = [*self.running.values(), *self.leased]
        self.running.clear()
        if jobs:
            await self._released(jobs)

    async def aside(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
        """Call the store in a thread; it ends before the store is closed, whoever is cancelled meanwhile."""
        return await self._finished(asyncio.to_thread(call, *args, **more))

    async def _finished(self, work: Coroutine[Any, Any, R]) -> R:
        task = asyncio.ensure_future(work)
        self.unfinished.add(task)
        task.add_done_callback(self.unfinished.discard)
        return await asyncio.shield(task)

    async def _released(self, jobs: list[Job]) -> None:
        release, limits = self.rooms.jobs.release, self.settings.limits
        await self.aside(release, jobs, now_ms=self.clock(), limits=limits)

    def summary(self) -> Summary:
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
            sent=self.emitter.sent if self.emitter else 0,
            unsent=self.emitter.failed if self.emitter else 0,
            alerts=counts.alerts,
            waiting=health.waiting,
            away=self.away_until is not None,
            spent=self.rooms.spending.day(now),
        )

    # ------------------------------------------------------------------------------ what is done

    async def assemble(self) -> int:
        """Understand some traces that are due; return how many there were."""
        more = {"limit": _BUSY_TRACES} if self.busy() else {}
        config = self.settings.config
        done = await self.aside(assemble_due, self.rooms, config, self.clock(), **more)
        self.counts.traces += done
        return done

    async def take(self) -> int:
        """Lease as many jobs as there is room for, and begin them; return how many."""
        config = self.settings.config
        free = config.concurrency - len(self.running)
        resting = self.away_until is not None and time.monotonic() < self.away_until
        if free < 1 or resting or (self.busy() and self.running):
            return 0
        await self.aside(self._lease, 1 if self.busy() else free)
        jobs, self.leased = self.leased, []
        for job in jobs:
            self.running[asyncio.create_task(self._score(job))] = job
        return len(jobs)

    async def settle_some(self) -> None:
        """Wait until something is scored, or for a while."""
        if not self.running:
            return
        done, _ = await asyncio.wait(
            self.running, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            self.running.pop(task)
            task.result()

    async def retire(self) -> None:
        """Delete what is older than it may be."""
        days = self.settings.config.retention_days
        if days is not None:
            before = self.clock() - int(days * _DAY_MS)
            self.counts.deleted += await self.aside(self.rooms.traces.delete_older, before)

    async def look(self) -> None:
        """Look for alerts."""
        if self.alerting is not None:
            self.counts.alerts = await self.alerting(self.rooms, self.clock())

    def _lease(self, n: int) -> None:
        config = self.settings.config
        self.leased = self.rooms.jobs.lease(
            self.name,
            n,
            config.lease_s,
            now_ms=self.clock(),
            attempts=config.attempts,
            limits=self.settings.limits,
        )

    def rest(self) -> None:
        """Score nothing for a while: the judge's endpoint is gone."""
        self.away_until = time.monotonic() + _AWAY_S

    async def _score(self, job: Job) -> None:
        stored = await self.aside(self.rooms.traces.trace, job.trace_id)
        if stored is None or stored.digest != job.digest:
            return  # deleted, or understood anew: the job is gone, or another
        journal = self.journals.of(job.trace_id)
        try:
            scored = await score_trace(stored.trace, self.settings, journal, self.ledger)
        except BudgetSpent as error:
            out = self.rooms.jobs.leave_out
            await self.aside(out, job, error.what, now_ms=self.clock())
            return
        except OutsideError as error:
            if self.away_until is None:
                self._tell(f"The judge is away, and is waited for: {error}")
            self.rest()
            await self._released([job])
            return
        finally:
            await self.ledger.embedded(self.settings.embedder)
        if self.away_until is not None and scored.verdict_keys:
            self.away_until = None
            self._tell("The judge answers again.")
        # What was scored is stored also if somebody tells this worker to stop just now.
        await self._finished(self._store(job, scored))
        if self.emitter is not None and scored.error is None:
            self.emitter.offer(stored.trace, stored.digest, scored.scores)

    async def _store(self, job: Job, scored: Scored) -> None:
        config = self.settings.config
        jobs, judges = self.rooms.jobs, self.settings.judges
        if scored.error is not None:
            wait = min(_FIRST_RETRY_MS * 2 ** (job.attempts - 1), _LAST_RETRY_MS)
            state = await self.aside(
                jobs.failed,
                job,
                scored.error,
                now_ms=self.clock(),
                retry_ms=wait,
                attempts=config.attempts,
                scores=scored.scores,
                judges=judges,
            )
            self.counts.died += state == "dead"
            self.counts.failed += state == "waiting"
            return
        done = await self.aside(
            jobs.done,
            job,
            scored.scores,
            now_ms=self.clock(),
            judges=judges,
            verdict_keys=scored.verdict_keys,
        )
        self.counts.scored += done
        if done:
            self.counts.skipped += sum(isinstance(o, Skip) for o in scored.scores.values())

    # ------------------------------------------------------------------------------ when it is done

    async def _assembling(self) -> None:
        done = await self.assemble()
        if self.busy():
            await asyncio.sleep(_BUSY_POLL_S)
        elif not done:
            await asyncio.sleep(_POLL_S)

    async def _scoring(self) -> None:
        await self.take()
        if self.running:
            await self.settle_some()
        else:
            await asyncio.sleep(_POLL_S)

    async def _keeping_house(self) -> None:
        await self.retire()
        for _ in range(round(_RETENTION_S / _HOUSE_S)):
            await self.look()
            await asyncio.sleep(_HOUSE_S)

    async def _renewing(self) -> None:
        lease_s = self.settings.config.lease_s
        while True:
            await asyncio.sleep(lease_s / 3)
            # One that cannot be renewed now may be the next time; if not, another takes it.
            with suppress(StoreError):
                jobs = list(self.running.values())
                await self.aside(self.rooms.jobs.renew, jobs, lease_s, now_ms=self.clock())

    async def _over_and_over(self, duty: Callable[[], Awaitable[None]]) -> None:
        pause = 0.0
        while True:
            try:
                await duty()
            except StoreError as error:
                if not pause:
                    self._tell(f"The store fails, and is waited for: {error}")
                pause = min(max(pause * 2, 1.0), _LONGEST_PAUSE_S)
                await asyncio.sleep(pause)
            else:
                if pause:
                    self._tell("The store works again.")
                pause = 0.0

    def _tell(self, line: str) -> None:
        if self.told is not None:
            self.told(line)


class _beside:  # noqa: N801 - used like a function
    """Runs a coroutine beside a block, and ends it with the block."""

    def __init__(self, work: "Awaitable[None]") -> None:
        self._work = work
        self._task: asyncio.Future[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.ensure_future(self._work)

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await _ended([self._task])


async def _ended(tasks: "list[asyncio.Future[None]] | list[asyncio.Task[None]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
