"""Intervals of p10, the border of the worst tenth: of one run, and of the change between two."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]

_BLOCK = 4_000_000


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


def worst_tenth_change(
    base: Sequence[float],
    candidate: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    lower_is_better: bool = False,
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> Interval | None:
    """Return an interval of the change of p10 between paired runs.

    The percentile bootstrap over cases, or groups: p10 of both runs on the same drawn cases.

    Returns:
        (low, high), or None with fewer than ten units, where p10 is the worst case alone.
    """
    one, other = (np.asarray(x, dtype=np.float64) for x in (base, candidate))
    members = _members(len(one), groups)
    if len(members) < 10:
        return None
    rng = np.random.default_rng(seed)
    changes = np.empty(resamples)
    if groups is None:
        place = _place(len(one), lower_is_better=lower_is_better)
        rows = max(1, _BLOCK // len(one))
        for start in range(0, resamples, rows):
            stop = min(start + rows, resamples)
            drawn = rng.integers(0, len(one), size=(stop - start, len(one)))
            tenths = [np.partition(x[drawn], place, axis=1)[:, place] for x in (one, other)]
            changes[start:stop] = tenths[1] - tenths[0]
    else:
        for n in range(resamples):
            drawn = np.concatenate(
                [members[i] for i in rng.integers(0, len(members), len(members))]
            )
            changes[n] = worst_tenth(other[drawn], lower_is_better=lower_is_better) - worst_tenth(
                one[drawn], lower_is_better=lower_is_better
            )
    tail = (1 - level) / 2
    low, high = np.quantile(changes, [tail, 1 - tail])
    return float(low), float(high)


def _place(n: int, *, lower_is_better: bool) -> int:
    return n - 1 - n // 10 if lower_is_better else n // 10


def _members(n: int, groups: Sequence[Hashable] | None) -> list[NDArray[np.int64]]:
    if groups is None:
        return [np.array([i]) for i in range(min(n, 10))]
    found: dict[Hashable, list[int]] = {}
    for i, group in enumerate(groups):
        found.setdefault(group, []).append(i)
    return [np.array(some) for some in found.values()]


def _binomial(n: int) -> NDArray[np.float64]:
    """Return P(B = k) for k = 0..n, B binomial(n, 0.1)."""
    k = np.arange(1, n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(n - k + 1) - np.log(k) + np.log(1 / 9))])
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)
