"""What a server has done so far, in numbers; written by the event loop alone."""

import bisect
import math
import time
from collections import Counter
from itertools import accumulate

BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the classes that durations are counted in."""


class Durations:
    """How long something took: counted by class, and summed."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self._counts[bisect.bisect_left(BOUNDS_S, seconds)] += 1
        self.total_s += seconds

    def cumulative(self) -> list[int]:
        """Return how many took at most each bound, and at last how many there were."""
        return list(accumulate(self._counts))


class Rate:
    """How many come in a second, of late: a mean that fades within about a second."""

    _FADES_S = 1.0

    def __init__(self) -> None:
        self._state = (time.monotonic(), 0.0)

    def add(self, n: int) -> None:
        """Count some that came now."""
        self._state = (time.monotonic(), self.now() + n / self._FADES_S)

    def now(self) -> float:
        """Return the rate; from any thread."""
        at, rate = self._state
        return rate * math.exp((at - time.monotonic()) / self._FADES_S)


class Counters:
    """The numbers of one server."""

    def __init__(self) -> None:
        self.started = time.time()
        self.spans_accepted = 0
        self.spans_refused = 0
        self.export_requests: Counter[int] = Counter()
        self.export_seconds = Durations()
        self.commits = Durations()
        self.commits_failed = 0
        self.other_requests: Counter[int] = Counter()
        self.incoming = Rate()
        self.in_flight = 0  # export requests that are not answered yet

    def exported(self, status: int, seconds: float) -> None:
        """Count an export request that was answered."""
        self.export_requests[status] += 1
        self.export_seconds.add(seconds)

    def took(self, accepted: int, refused: int) -> None:
        """Count the spans of a request that was taken."""
        self.spans_accepted += accepted
        self.spans_refused += refused
        self.incoming.add(accepted)
