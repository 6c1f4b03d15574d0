"""Bootstrap intervals of a mean, over cases or over groups of cases that belong together.

Many means of the same cases (one a metric) are resampled together: the units are drawn once, and how
often each was drawn is a matrix that is multiplied with their sums.

Sources: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), for BCa;
A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application" (1997), ch. 2.4 and 5.3,
for resampling whole groups.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.rates import Interval, wilson
from acidtest.stats.student import t_quantile
from acidtest.stats.units import Column, Places, units

Method = Literal["bca", "percentile", "expanded"]

MANY = 10_000
"""Above this many units 1,000 resamples do: the interval is narrow and each resample is dear."""

Table = NDArray[np.float64]
"""Units x means."""

_BLOCK = 250_000  # units drawn at once: they stay in the processor's cache

_WIDE = 8  # from so many columns on reading the table costs more than drawing


def mean_interval(
    values: Sequence[float],
    groups: Sequence[Hashable] | Places | None = None,
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
    sums, counts = units(values, groups)
    n = len(sums)
    total = float(counts.sum())
    if n >= 2 and sums.sum() in (0.0, total) and min(values) == max(values):
        return wilson(n * float(values[0]), n, level=level)
    return _one(sums, counts, level, resamples, seed, method)


def with_doubt(sums: Column, counts: Column) -> tuple[Column, Column]:
    """Add one unit up and one down by a typical change, the root mean square of those that are not 0; by 1 a case if none is."""
    moved = sums[sums != 0]
    typical = float(np.sqrt(np.mean(moved**2))) if len(moved) else float(counts.mean())
    return (
        np.concatenate([sums, [typical, -typical]]),
        np.concatenate([counts, [counts.mean()] * 2]),
    )


def intervals(
    sums: Table,
    counts: Table,
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    method: Method = "bca",
) -> list[Interval | None]:
    """Return a confidence interval of each of many means over the same units.

    Args:
        sums: Units x means: the sum of a unit's values, 0 where it has none.
        counts: Units x means: how many values a unit has, 0 where a case was not scored.
        level: The confidence level.
        resamples: By default 10,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same intervals, whatever other columns there are.
        method: `bca` corrects bias and skew; `percentile` does not; `expanded` is `percentile`, widened
            (T. Hesterberg, "What Teachers Should Know About the Bootstrap", Am. Stat. 69, 2015).
            Differences of pairs have little skew to correct, and few changes tell it badly.

    Returns:
        One (low, high) a column, or None where fewer than two units have a value.
    """
    if len(sums) < 2:
        return [None] * sums.shape[1]
    means = resampled(sums, counts, resamples or resamples_for(len(sums)), seed)
    return [
        _edges(means[:, column], sums[:, column], counts[:, column], level, method)
        for column in range(sums.shape[1])
    ]


def _one(
    sums: Column,
    counts: Column,
    level: float,
    resamples: int | None,
    seed: int,
    method: Method,
) -> Interval | None:
    some = intervals(
        sums[:, None], counts[:, None], level=level, resamples=resamples, seed=seed, method=method
    )
    return some[0]


def _edges(
    means: Column, sums: Column, counts: Column, level: float, method: Method
) -> Interval | None:
    has = counts > 0
    if has.sum() < 2:
        return None
    sums, counts = sums[has], counts[has]
    each = sums / counts
    if each.min() == each.max():
        return float(each[0]), float(each[0])
    means = means[~np.isnan(means)]  # a draw without any value of this column
    tail = (1 - level) / 2
    low, high = tail, 1 - tail
    if method == "bca":
        low, high = _bca_levels(means, sums, counts, tail)
    elif method == "expanded":
        low = _expanded(tail, len(sums))
        high = 1 - low
    edges = np.quantile(means, [low, high])
    return float(edges[0]), float(edges[1])


def draws(n: int, resamples: int, seed: int, *, wide: bool = False) -> Iterator[Table]:
    """Yield how often each of n units was drawn, some resamples (rows) at a time.

    Args:
        n: Units.
        resamples: Rows in all.
        seed: The same seed gives the same draws.
        wide: Take more rows at once: what they are multiplied with is larger than they are.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, min(_BLOCK * (_WIDE if wide else 1) // n, resamples))
    offsets = np.arange(rows)[:, None] * n
    for start in range(0, resamples, rows):
        some = min(rows, resamples - start)
        drawn = rng.integers(0, n, size=(some, n)) + offsets[:some]
        times = np.bincount(drawn.ravel(), minlength=some * n)
        yield times.reshape(some, n).astype(np.float64)


def resamples_for(n: int) -> int:
    """Return how many resamples n units get: 10,000, and 1,000 above `MANY`."""
    return 1_000 if n > MANY else 10_000


def resampled(sums: Table, counts: Table, resamples: int, seed: int) -> Table:
    """Return resamples x means: each column's mean over units drawn with replacement.

    NaN where none of the drawn units has a value of that column.
    """
    different, same = distinct(counts)
    wide = sums.shape[1] >= _WIDE
    with np.errstate(invalid="ignore", divide="ignore"):
        blocks = [
            (times @ sums) / (times @ different)[:, same]
            for times in draws(len(sums), resamples, seed, wide=wide)
        ]
    return np.concatenate(blocks)


def distinct(table: Table) -> tuple[Table, NDArray[np.int64]]:
    """Return a table's different columns, and for each column the place of its like among them."""
    seen: dict[bytes, int] = {}
    same = [seen.setdefault(column.tobytes(), len(seen)) for column in table.T]
    first = [same.index(n) for n in range(len(seen))]
    return table[:, first], np.array(same)


def _expanded(tail: float, n: int) -> float:
    """Return the tail that makes up for a spread that is estimated, and by resamples that lack 1 / n of it."""
    return NormalDist().cdf(math.sqrt(n / (n - 1)) * t_quantile(tail, n - 1))


def _bca_levels(
    means: Column,
    sums: Column,
    counts: Column,
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
