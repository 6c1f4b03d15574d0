"""What one worker has in hand: traces that it leased, being scored, and what becomes of them."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from acidtest.data.outcomes import Skip
from acidtest.errors import BudgetSpent, OutsideError, StoreError
from acidtest.online.calls import Calls, cancelled
from acidtest.online.emit import Emitter
from acidtest.online.journal import Journals
from acidtest.online.rooms import Rooms
from acidtest.online.score import Scored, Settings, score_trace
from acidtest.online.spend import Clock, Ledger
from acidtest.online.summary import Counts
from acidtest.store.trace_job import LONGEST_RETRY_MS, Job, seems_free

_WAIT_S = 0.5
_FIRST_RETRY_MS = 30_000
_AWAY_S = 60.0
"""So long nothing is scored when the judge's endpoint is gone."""


@dataclass
class Hand:
    """The jobs that one worker holds; `running` is what is being scored.

    Args:
        name: The worker's: nobody else has it.
        rooms: The store's.
        settings: What is scored, with what.
        ledger: Where calls of the judge are taken from.
        journals: Where verdicts are kept.
        emitter: Where results are sent back to.
        calls: How the store is called.
        counts: Where it is counted what was done.
        clock: Tells the time in milliseconds since 1970.
        share: Says which part of the time the worker may take: below 1 one trace is scored at a time.
        tell: Called with a sentence when the judge goes away, and when it answers again.
    """

    name: str
    rooms: Rooms
    settings: Settings
    ledger: Ledger
    journals: Journals
    emitter: Emitter | None
    calls: Calls
    counts: Counts
    clock: Clock
    share: Callable[[], float]
    tell: Callable[[str], None]
    running: dict[asyncio.Task[None], Job] = field(default_factory=dict)
    _leased: list[Job] = field(default_factory=list)
    _away_until: float | None = None

    @property
    def away(self) -> bool:
        """Whether the judge's endpoint was gone when it was last asked."""
        return self._away_until is not None

    async def take(self) -> int:
        """Lease as many jobs as there is room for, and begin them; return how many."""
        config = self.settings.config
        free = config.concurrency - len(self.running)
        resting = self._away_until is not None and time.monotonic() < self._away_until
        alone = self.share() < 1
        if free < 1 or resting or (alone and self.running):
            return 0
        await self.calls.aside(self._lease, 1 if alone else free, [*self.running.values()])
        jobs, self._leased = self._leased, []
        for job in jobs:
            self.running[asyncio.create_task(self._score(job))] = job
        return len(jobs)

    async def settle_some(self) -> None:
        """Wait until something is scored, or for a while."""
        if not self.running:
            return
        done, _ = await asyncio.wait(
            self.running, timeout=_WAIT_S, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            self.running.pop(task)
            task.result()

    async def renew(self) -> None:
        """Keep what is being scored for longer."""
        # One that cannot be renewed now may be the next time; if not, another takes it.
        with suppress(StoreError):
            jobs, seconds = list(self.running.values()), self.settings.config.lease_s
            await self.calls.aside(self.rooms.jobs.renew, jobs, seconds, now_ms=self.clock())

    async def give_back(self) -> None:
        """Stop what is being scored, and give it back."""
        await cancelled(list(self.running))
        # What is on its way to the store gets there: jobs that were leased just now are given back too.
        await self.calls.ended()
        jobs = [*self.running.values(), *self._leased]
        self.running.clear()
        if jobs:
            await self._released(jobs)

    def rest(self) -> None:
        """Score nothing for a while: the judge's endpoint is gone."""
        self._away_until = time.monotonic() + _AWAY_S

    def _lease(self, n: int, running: list[Job]) -> None:
        config, now = self.settings.config, self.clock()
        # By a clock that jumped, what is being scored here may seem left behind: it would be taken once more.
        if any(seems_free(job, now) for job in running):
            self.rooms.jobs.renew(running, config.lease_s, now_ms=now)
        self._leased = self.rooms.jobs.lease(
            self.name,
            n,
            config.lease_s,
            now_ms=now,
            attempts=config.attempts,
            limits=self.settings.limits,
        )

    async def _released(self, jobs: list[Job]) -> None:
        release, limits = self.rooms.jobs.release, self.settings.limits
        await self.calls.aside(release, jobs, now_ms=self.clock(), limits=limits)

    async def _score(self, job: Job) -> None:
        stored = await self.calls.aside(self.rooms.traces.trace, job.trace_id)
        if stored is None or stored.digest != job.digest:
            return  # deleted, or understood anew: the job is gone, or another
        journal = self.journals.of(job.trace_id)
        try:
            scored = await score_trace(stored.trace, self.settings, journal, self.ledger)
        except BudgetSpent as error:
            out = self.rooms.jobs.leave_out
            await self.calls.aside(out, job, error.what, now_ms=self.clock())
            return
        except OutsideError as error:
            if self._away_until is None:
                self.tell(f"The judge is away, and is waited for: {error}")
            self.rest()
            await self._released([job])
            return
        if self._away_until is not None and scored.verdict_keys:
            self._away_until = None
            self.tell("The judge answers again.")
        # What was scored is stored also if somebody tells this worker to stop just now.
        stored_now = await self.calls.finished(self._store(job, scored))
        if self.emitter is not None and stored_now:
            self.emitter.offer(stored.trace, stored.digest, scored.scores)

    async def _store(self, job: Job, scored: Scored) -> bool:
        """Store what came of a job; return whether its scores count: another may have it meanwhile."""
        config = self.settings.config
        jobs, settings = self.rooms.jobs, self.settings
        if scored.error is not None:
            wait = min(_FIRST_RETRY_MS * 2 ** (job.attempts - 1), LONGEST_RETRY_MS)
            state = await self.calls.aside(
                jobs.failed,
                job,
                scored.error,
                now_ms=self.clock(),
                retry_ms=wait,
                attempts=config.attempts,
                scores=scored.scores,
                judges=settings.judges,
                versions=settings.versions,
            )
            self.counts.died += state == "dead"
            self.counts.failed += state == "waiting"
            return False
        done = await self.calls.aside(
            jobs.done,
            job,
            scored.scores,
            now_ms=self.clock(),
            judges=settings.judges,
            versions=settings.versions,
            verdict_keys=scored.verdict_keys,
        )
        self.counts.scored += done
        if done:
            self.counts.skipped += sum(isinstance(o, Skip) for o in scored.scores.values())
        return done
