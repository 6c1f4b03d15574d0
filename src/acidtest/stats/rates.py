"""Intervals of shares: of yes among cases, and of the change of a share between paired runs."""

import math
from statistics import NormalDist

Interval = tuple[float, float]


def wilson(successes: float, n: int, *, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a share; right at 0 and at n, where others have no width.

    E. B. Wilson, JASA 22 (1927).
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    # At the ends the algebra is exact; rounding is not.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def paired_rate_change(gained: int, lost: int, n: int, *, level: float = 0.95) -> Interval:
    """Return an interval of the change of a share between two runs on the same cases.

    The adjusted Wald interval of D. G. Bonett and R. M. Price, Statistics in Medicine 31 (2012): with
    one change added each way and two cases, g = (gained + 1) / (n + 2), l likewise,
    (g - l) +- z sqrt((g + l - (g - l)^2) / (n + 2)). It keeps its level with few cases and few changes,
    where a bootstrap has no width.

    Args:
        gained: Cases that were no and are yes.
        lost: Cases that were yes and are no.
        n: All cases.
        level: The confidence level.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    half = z * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    return max(-1.0, up - down - half), min(1.0, up - down + half)
