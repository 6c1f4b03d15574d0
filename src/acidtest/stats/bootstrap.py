"""Bootstrap intervals of a mean, over cases or over groups of cases that belong together.

Sources: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), for BCa;
A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application" (1997), ch. 2.4 and 5.3,
for resampling whole groups; E. B. Wilson, JASA 22 (1927), for shares of yes.
"""

from collections.abc import Hashable, Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Method = Literal["bca", "percentile"]

MANY = 10_000
"""Above this many units 1,000 resamples do: the interval is narrow and each resample is dear."""

_BLOCK = 4_000_000  # indices drawn at once: 32 MB


def mean_interval(
    values: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    method: Method = "bca",
) -> Interval | None:
    """Return a confidence interval of the mean.

    Cases of one group are drawn together, since they are not independent. Values that are all 0 or
    all 1 get Wilson's interval over the units: a bootstrap of a constant has no width, yet forty
    successes in a row do not prove that the next one is certain.

    Args:
        values: One value a case.
        groups: One key a case; None means that every case is a group of its own.
        level: The confidence level.
        resamples: By default 10,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same interval.
        method: `bca` corrects bias and skew; `percentile` does not.

    Returns:
        (low, high), or None with fewer than two units.
    """
    data = np.asarray(values, dtype=np.float64)
    units = len(_per_group(data, groups)[0])
    if units >= 2 and data.min() == data.max() and data[0] in (0.0, 1.0):
        return wilson(units * float(data[0]), units, level=level)
    return _interval(data, groups, level, resamples, seed, method)


def paired_interval(
    deltas: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    method: Method = "bca",
) -> Interval | None:
    """Return a confidence interval of a mean difference, cases paired.

    As `mean_interval`, but differences that are all alike have no width: two runs that agree in
    every case differ by 0 on this set.

    Args:
        deltas: Candidate minus baseline, one a case.
        groups: One key a case; None means that every case is a group of its own.
        level: The confidence level.
        resamples: By default 10,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same interval.
        method: `bca` corrects bias and skew; `percentile` does not.

    Returns:
        (low, high), or None with fewer than two units.
    """
    return _interval(np.asarray(deltas, dtype=np.float64), groups, level, resamples, seed, method)


def _interval(
    data: NDArray[np.float64],
    groups: Sequence[Hashable] | None,
    level: float,
    resamples: int | None,
    seed: int,
    method: Method,
) -> Interval | None:
    sums, counts = _per_group(data, groups)
    units = len(sums)
    if units < 2:
        return None
    if data.min() == data.max():
        return float(data[0]), float(data[0])
    means = _resample(sums, counts, resamples or (1_000 if units > MANY else 10_000), seed)
    tail = (1 - level) / 2
    low, high = tail, 1 - tail
    if method == "bca":
        low, high = _bca_levels(means, sums, counts, tail)
    edges = np.quantile(means, [low, high])
    return float(edges[0]), float(edges[1])


def wilson(successes: float, n: int, *, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a share; right at 0 and at n, where others have no width."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    # At the ends the algebra is exact; rounding is not.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def _per_group(
    data: NDArray[np.float64], groups: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if groups is None:
        return data, np.ones_like(data)
    place: dict[Hashable, int] = {}
    index = np.fromiter((place.setdefault(g, len(place)) for g in groups), np.int64, len(data))
    return (
        np.bincount(index, weights=data, minlength=len(place)).astype(np.float64),
        np.bincount(index, minlength=len(place)).astype(np.float64),
    )


def _resample(
    sums: NDArray[np.float64], counts: NDArray[np.float64], resamples: int, seed: int
) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    units = len(sums)
    block = max(1, _BLOCK // units)
    means = np.empty(resamples)
    for start in range(0, resamples, block):
        stop = min(start + block, resamples)
        drawn = rng.integers(0, units, size=(stop - start, units))
        means[start:stop] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return means


def _bca_levels(
    means: NDArray[np.float64],
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    tail: float,
) -> tuple[float, float]:
    normal = NormalDist()
    total, n = sums.sum(), counts.sum()
    # Ties with the estimate count half, or a coarse metric would look biased.
    below = float(np.mean(means < total / n) + 0.5 * np.mean(means == total / n))
    if not 0.0 < below < 1.0:
        return tail, 1 - tail
    bias = normal.inv_cdf(below)
    left_out = (total - sums) / (n - counts)
    away = left_out.mean() - left_out
    widest = float(np.abs(away).max())
    skew = 0.0
    if widest > 0:
        away = away / widest  # skew has no scale, and tiny numbers would vanish when squared
        skew = float((away**3).sum()) / (6 * float((away**2).sum()) ** 1.5)

    def level(z: float) -> float:
        shifted = bias + z
        return normal.cdf(bias + shifted / (1 - skew * shifted))

    return level(normal.inv_cdf(tail)), level(normal.inv_cdf(1 - tail))
