"""Two samples that are not paired: an interval of the difference of means, and a permutation test.

Each side is resampled by itself. The test shuffles which unit belongs to which side and compares the
difference in standard errors, not the bare difference: so it holds, for large samples, also where the
sides differ in spread (A. Janssen, Statistics & Probability Letters 36, 1997). The smallest change is
that of Welch's test (B. L. Welch, Biometrika 34, 1947).
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct

from acidtest.stats.bootstrap import resampled, resamples_for
from acidtest.stats.power import ALPHA, POWER, fewest_flips
from acidtest.stats.rates import Interval
from acidtest.stats.student import t_cdf, t_quantile
from acidtest.stats.units import Column, Places, standard_error, units

MANY = 4_000
"""From so many units on Welch's t is as good as shuffling."""

SHUFFLES = 10_000


class Difference(Struct, frozen=True, kw_only=True):
    """The difference of two means.

    Attributes:
        delta: Second minus first.
        ci: 95 % interval; None where a side has fewer than two units.
        p: Two-sided p-value of no difference.
        min_detectable: The smallest difference that would have been seen in four of five tries.
        needed: How many cases a side would show a difference of `delta`.
    """

    delta: float
    ci: Interval | None
    p: float | None
    min_detectable: float | None
    needed: int | None


def difference(
    first: Sequence[float] | Column,
    second: Sequence[float] | Column,
    first_groups: Sequence[Hashable] | Places | None = None,
    second_groups: Sequence[Hashable] | Places | None = None,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Compare the means of two samples that share no case; neither is empty.

    Args:
        first: Values of the baseline.
        second: Values of the candidate.
        first_groups: One key a value; values of a group are drawn and shuffled together.
        second_groups: The same of the candidate.
        level: The confidence level.
        seed: The same seed and values give the same result.
    """
    one, other = units(first, first_groups), units(second, second_groups)
    delta = _mean(other) - _mean(one)
    errors = standard_error(*one), standard_error(*other)
    if errors[0] is None or errors[1] is None:
        return Difference(delta=delta, ci=None, p=None, min_detectable=None, needed=None)
    error = math.hypot(errors[0], errors[1])
    tail = (1 - level) / 2
    drawn = _means(other, seed + 1) - _means(one, seed)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    if error <= 1e-12:
        p = 1.0 if abs(delta) <= 1e-12 else _shuffled(one, other, seed)
        return Difference(delta=delta, ci=(delta, delta), p=p, min_detectable=None, needed=None)
    df = _freedom(errors[0], len(one[0]), errors[1], len(other[0]))
    times = t_quantile(1 - ALPHA / 2, df) + t_quantile(POWER, df)
    many = len(one[0]) + len(other[0]) >= MANY
    p = 2 * t_cdf(-abs(delta) / error, df) if many else _shuffled(one, other, seed)
    enough = min(len(one[0]), len(other[0])) >= fewest_flips()
    cases = math.sqrt(len(first) * len(second))
    return Difference(
        delta=delta,
        ci=(float(low), float(high)),
        p=p,
        min_detectable=error * times if enough else None,
        needed=math.ceil(cases * (error * times / delta) ** 2) if delta else None,
    )


def _mean(side: tuple[Column, Column]) -> float:
    return float(side[0].sum() / side[1].sum())


def _means(side: tuple[Column, Column], seed: int) -> Column:
    sums, counts = side
    means = resampled(sums[:, None], counts[:, None], resamples_for(len(sums)), seed)
    return means[:, 0]


def _freedom(a: float, n: int, b: float, m: int) -> float:
    """Welch and Satterthwaite's degrees of freedom."""
    return (a * a + b * b) ** 2 / (a**4 / (n - 1) + b**4 / (m - 1))


def _shuffled(one: tuple[Column, Column], other: tuple[Column, Column], seed: int) -> float:
    rng = np.random.default_rng(seed)
    sums, counts = (np.concatenate(pair) for pair in zip(one, other, strict=True))
    n = len(one[0])
    observed = abs(_studentised(sums[None], counts[None], n)[0])
    rows = max(1, 1_000_000 // len(sums))
    hits = 0
    for start in range(0, SHUFFLES, rows):
        some = min(rows, SHUFFLES - start)
        order = rng.permuted(np.tile(np.arange(len(sums)), (some, 1)), axis=1)
        found = np.abs(_studentised(sums[order], counts[order], n))
        hits += int(np.count_nonzero(found >= observed * (1 - 1e-9)))
    return (1 + hits) / (1 + SHUFFLES)


def _studentised(sums: Column, counts: Column, n: int) -> Column:
    """Return the difference of means in standard errors, one a row; the first n units are one side."""
    means, squares = [], []
    for some, many in ((sums[:, :n], counts[:, :n]), (sums[:, n:], counts[:, n:])):
        total = many.sum(axis=1)
        mean = some.sum(axis=1) / total
        residuals = some - mean[:, None] * many
        size = some.shape[1]
        squares.append((residuals**2).sum(axis=1) * size / (size - 1) / total**2)
        means.append(mean)
    spread = np.sqrt(squares[0] + squares[1])
    # Sides without any spread are infinitely far apart, or the same.
    apart = means[1] - means[0]
    floor = 1e-12 * max(1.0, float(np.abs(sums).max()))
    found: Column = np.where(np.abs(apart) <= floor, 0.0, apart / np.maximum(spread, floor))
    return found
