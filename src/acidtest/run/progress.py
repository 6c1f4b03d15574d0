"""How far a run is: what a watcher is told while it goes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from acidtest.run.meter import Meter

BETWEEN_S = 0.1
"""Between two cases a watcher hears of judgements at most this often."""


@dataclass(frozen=True)
class Progress:
    """How far a run is, and what judging has taken.

    `doing` is "answering" while the pipeline is asked, and judges over the network beside it, then
    "scoring". `done` counts the cases of `total` that are through with it, `failed` those among them
    that the pipeline failed.

    `judged` counts the judgements made of all `judgements` (judged metrics x cases x repeats, of earlier
    executions too), `judge_failed` those of this execution that gave no score although the pipeline
    had answered.

    `calls`, `cached`, `tokens` and `cost_usd` are those that the finished run has as
    `operations.judge`: calls are what the judge was asked, apart from what the cache knew, and
    `cost_usd` is None once one price was unknown. `elapsed_s` counts from the start of this execution.
    """

    done: int
    total: int
    failed: int
    doing: str
    judged: int = 0
    judgements: int = 0
    judge_failed: int = 0
    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0
    elapsed_s: float = 0.0


Watcher = Callable[[Progress], None]


class Tally:
    """The counters of one execution; tells a watcher.

    Args:
        cases: How many cases there are.
        judgements: How many judgements the run has in all.
        judged: How many of them it already holds.
        meter: Counts what the judge takes.
        watch: Who is told: at the start of each phase, after each case, and between cases ten times a
            second at most.
    """

    def __init__(
        self, cases: int, judgements: int, judged: int, meter: Meter, watch: Watcher | None
    ) -> None:
        self._cases, self._judgements, self._judged = cases, judgements, judged
        self._meter, self._watch = meter, watch
        self._now = asyncio.get_running_loop().time
        self._start = self._told = self._now()
        self._done = self._failed = self._judge_failed = 0
        self._doing = ""

    def begin(self, doing: str) -> None:
        """Count cases anew, for the next phase."""
        self._doing = doing
        self._done = self._failed = 0
        self.tell()

    def case(self, *, failed: bool) -> None:
        """Count a case that is through."""
        self._done += 1
        self._failed += failed
        self.tell()

    def judgement(self, *, failed: bool) -> None:
        """Count a judgement."""
        self._judged += 1
        self._judge_failed += failed
        if self._watch is not None and self._now() - self._told >= BETWEEN_S:
            self.tell()

    def tell(self) -> None:
        """Tell how far the run is."""
        if self._watch is None:
            return
        self._told = self._now()
        use = self._meter.use
        self._watch(
            Progress(
                done=self._done,
                total=self._cases,
                failed=self._failed,
                doing=self._doing,
                judged=self._judged,
                judgements=self._judgements,
                judge_failed=self._judge_failed,
                calls=use.calls,
                cached=use.cached,
                tokens=use.tokens,
                cost_usd=use.cost_usd,
                elapsed_s=self._told - self._start,
            )
        )
