"""How fast a run goes of late, and when it will be done."""

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acidtest.run.progress import Progress

WINDOW_S = 20.0
"""The recent past: what went before is forgotten."""

KNOWN_S = 10.0
"""After this time the time left is known."""

STEPS = 4
"""Fewer steps than this say nothing about the next ones: then the recent past reaches further back."""


class Pace:
    """The rate of a counter over the recent past."""

    def __init__(self) -> None:
        self._reached: deque[tuple[float, int]] = deque()
        self._at = 0.0

    def see(self, at: float, count: int) -> None:
        """Take note of the counter; `at` is in seconds and never goes back."""
        reached = self._reached
        self._at = at
        if not reached or reached[-1][1] != count:
            reached.append((at, count))
        while len(reached) > 2 and at - reached[1][0] >= WINDOW_S:
            if count - reached[1][1] < STEPS:
                break
            reached.popleft()

    def rate(self) -> float | None:
        """Return steps a second; None in the first second, and while nothing moves."""
        span, steps = self._moved()
        return steps / span if span >= 1 and steps else None

    def left_s(self, remaining: int) -> float | None:
        """Return the seconds that the remaining steps will take; None while it is anyone's guess."""
        span, steps = self._moved()
        return remaining * span / steps if span >= KNOWN_S and steps >= STEPS else None

    def _moved(self) -> tuple[float, int]:
        # From step to step, so that many that end together do not mislead; but standing still for longer
        # than ever before counts.
        reached = self._reached
        if not reached:
            return 0.0, 0
        (start, low), (end, high) = reached[0], reached[-1]
        longest = max((b - a for (a, _), (b, _) in pairwise(reached)), default=0.0)
        return (self._at if self._at - end > longest else end) - start, high - low


class Gauge:
    """Rate, share and time left of a run, from its progress as seen now and then.

    Where a judge is at work, its judgements measure the share and the time left: they come more often
    than whole cases.
    """

    def __init__(self) -> None:
        self._cases, self._judgements = Pace(), Pace()
        self._first: Progress | None = None
        self._last: Progress | None = None

    def see(self, step: "Progress", at: float) -> None:
        """Take note of the progress at a time in seconds."""
        first, last = self._first, self._last
        if first is None or last is None or first.doing != step.doing:
            self._first = step
            self._cases, self._judgements = Pace(), Pace()
        elif last.calls == first.calls < step.calls and step.cached > first.cached:
            # So far everything came from the cache, which says nothing about a judge that is asked.
            self._cases, self._judgements = Pace(), Pace()
        self._last = step
        self._cases.see(at, step.done)
        self._judgements.see(at, step.judged)

    @property
    def rate(self) -> float | None:
        """Cases a second of late; None while unknown."""
        return self._cases.rate()

    @property
    def left_s(self) -> float | None:
        """Seconds to the end of what the run is doing; None while unknown."""
        done, total = self.share
        return (self._judgements if self._judging else self._cases).left_s(total - done)

    @property
    def share(self) -> tuple[int, int]:
        """How much of what the run is doing is done, of how much."""
        step = self._last
        if step is None:
            return 0, 1
        return (step.judged, step.judgements) if self._judging else (step.done, step.total)

    @property
    def _judging(self) -> bool:
        first, last = self._first, self._last
        return first is not None and last is not None and first.judged < last.judged
