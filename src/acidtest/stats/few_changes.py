"""The interval of a mean difference of yes and no, or where few units changed.

Three changes among fifty are too few to draw from. But with yes and no two counts say all: how many
changed up, and how many down. Tango's score interval (T. Tango, Statistics in Medicine 17, 1998) is made
of them: it holds each mean difference against the spread that the counts would most likely have if it were
true, so that it is right near 0 and near 1 too, where intervals from the observed spread are not.

Changes of different sizes, where they are few, are taken as so many changes of one size that have the same
sum and the same sum of squares.
"""

import math
from statistics import NormalDist

import numpy as np

from acidtest.stats.permutation import EXACT
from acidtest.stats.rates import Interval
from acidtest.stats.units import Column

FEW = EXACT
"""Up to so many changes are few, if they are also at most `SHARE` of the units."""

SHARE = 1 / 4


def few_changes(
    sums: Column, counts: Column, *, level: float = 0.95, typical: float = 1.0
) -> Interval | None:
    """Return the interval of a mean difference where counts of changes serve better than drawing.

    Args:
        sums: The sum of each unit's differences.
        counts: How many differences each unit has, at least one.
        level: The confidence level.
        typical: By how much a case would change where none did: 1 for scores from 0 to 1.

    Returns:
        (low, high); None where many units changed, and not from no to yes or back, or there are no two.
    """
    moved = sums[sums != 0]
    n, many = len(sums), len(moved)
    if n < 2:
        return None
    size = float(counts.mean())
    if not many:
        low, high = tango(0.0, 0.0, n, level=level)  # as if a unit changed in each of its cases
        return low * typical + 0.0, high * typical
    step = float(np.sqrt(np.mean(moved**2)))
    yes_or_no = bool(np.all(counts == 1) and np.all(np.abs(moved) == 1))
    if not yes_or_no and not (many <= FEW and many <= SHARE * n):
        return None
    total = min(1.0, max(-1.0, float(moved.sum()) / (step * many))) * many
    low, high = tango((many + total) / 2, (many - total) / 2, n, level=level)
    return low * step / size, high * step / size


def tango(up: float, down: float, n: int, *, level: float = 0.95) -> Interval:
    """Return Tango's score interval of (up - down) / n, for paired yes and no.

    Args:
        up: Cases that changed up; it need not be whole.
        down: Cases that changed down.
        n: All cases.
        level: The confidence level.

    Returns:
        (low, high): the differences at which the score statistic is at most the normal quantile.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    observed = (up - down) / n
    high = _border(up, down, n, z, observed)
    low = -_border(down, up, n, z, -observed)
    return low, high


def _border(up: float, down: float, n: int, z: float, observed: float) -> float:
    """Return the highest difference that is held, by bisection: beyond the observed one the score falls."""
    low, high = observed, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _far(up, down, n, middle) <= z:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _far(up: float, down: float, n: int, difference: float) -> float:
    """Return by how many standard errors a difference lies above the observed one.

    The chance of a change down is the likeliest one at that difference: the larger root of
    2 n q^2 - (up + down - (2 n - up + down) d) q - down d (1 - d) = 0, for d = `difference`.
    """
    b = -(up + down) + (2 * n - up + down) * difference
    c = -down * difference * (1 - difference)
    q = (math.sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
    spread = n * (2 * q + difference * (1 - difference))
    apart = n * difference - (up - down)
    return apart / math.sqrt(spread) if spread > 0 else math.inf
