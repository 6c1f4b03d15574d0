"""p10, the border of the worst tenth, and its interval; for its change see `tenth_change`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]


def worst_tenth(values: NDArray[np.float64], *, lower_is_better: bool = False) -> float:
    """Return element n // 10 of the values from worst to best; at least one value."""
    place = _place(len(values), lower_is_better=lower_is_better)
    return float(np.partition(values, place)[place])


def worst_tenth_interval(
    values: Sequence[float], *, lower_is_better: bool = False, level: float = 0.95
) -> Interval | None:
    """Return the interval of p10 by order statistics.

    With x(1) <= ... <= x(n) and B binomial(n, 0.1), the quantile lies in [x(l), x(u)] with
    probability P(l <= B < u) whatever the distribution (W. J. Conover, "Practical Nonparametric
    Statistics", 3rd ed. 1999, sec. 3.2). None when the cases are too few for a lower border.
    """
    data = np.sort(np.asarray(values, dtype=np.float64))
    if lower_is_better:
        data = -data[::-1]
    n, tail = len(data), (1 - level) / 2
    cumulative = np.cumsum(_binomial(n))
    low = int(np.searchsorted(cumulative, tail, side="right"))  # P(B < low) <= tail
    high = int(np.searchsorted(cumulative, 1 - tail)) + 1
    if low < 1 or high > n:
        return None
    edges = float(data[low - 1]), float(data[high - 1])
    return (-edges[1], -edges[0]) if lower_is_better else edges


def _place(n: int, *, lower_is_better: bool) -> int:
    return n - 1 - n // 10 if lower_is_better else n // 10


def _binomial(n: int) -> NDArray[np.float64]:
    """Return P(B = k) for k = 0..n, B binomial(n, 0.1)."""
    k = np.arange(1, n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(n - k + 1) - np.log(k) + np.log(1 / 9))])
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)
