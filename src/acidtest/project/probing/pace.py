"""How far a probe is, told after each of its questions."""

import time

from acidtest.run.meter import Meter
from acidtest.run.progress import Progress, Watcher


class Pace:
    """Counts what was asked of all that there is to ask.

    Args:
        meter: Counts what it takes.
        watch: Told after every step.
    """

    def __init__(self, meter: Meter, watch: Watcher | None) -> None:
        self._meter = meter
        self._watch = watch
        self._began = time.monotonic()
        self._done = self._total = self._failed = 0

    def more(self, n: int) -> None:
        """Count in what is to be asked besides."""
        self._total += n

    def step(self, *, failed: bool) -> None:
        """Count one that came back, and tell."""
        self._failed += failed
        self._done += 1
        if self._watch is None:
            return
        use = self._meter.use
        self._watch(
            Progress(
                done=self._done,
                total=self._total,
                failed=0,
                doing="asking",
                judged=self._done,
                judgements=self._total,
                judge_failed=self._failed,
                calls=use.calls,
                cached=use.cached,
                tokens=use.tokens,
                cost_usd=use.cost_usd,
                elapsed_s=time.monotonic() - self._began,
            )
        )
