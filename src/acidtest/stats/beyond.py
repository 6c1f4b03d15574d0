"""Is a mean worse by more than is tolerated? One-sided p-values of paired differences.

Without a tolerance the question is the sign-flip test's: two runs of one system are exchangeable, so
that each difference may as well have had the other sign, and the test is exact. With one, the null
hypothesis has a drop in it and no symmetry is left: a few cases fall from 1 to 0 and most stay. There
the differences are reweighted exponentially until their mean is just the tolerance (B. Efron,
"Nonparametric standard errors and confidence intervals", Can. J. Statist. 9, 1981; Davison and Hinkley,
"Bootstrap Methods and their Application", 1997, ch. 4.4), and the chance that so many cases drawn from
them have a mean as high as the observed one comes from the saddlepoint formula of R. Lugannani and
S. Rice (Adv. Appl. Prob. 12, 1980): no random numbers, and as good for 30 cases as for 100,000.

A drop that is shown to exceed a tolerance is shown to be a drop: the p-value with a tolerance is never
below the one without.

Both are mid-p-values, where what is observed counts half: scores have few values, and a p-value that
counts it whole gives power away without need (M. W. Fagerland et al., BMC Med. Res. Methodol. 13, 2013).
"""

import math
from collections.abc import Hashable, Sequence
from statistics import NormalDist

import numpy as np

from acidtest.stats.bootstrap import with_doubt
from acidtest.stats.permutation import sign_flip
from acidtest.stats.units import Column, Places, units

_NORMAL = NormalDist()


def drop_beyond(
    worse: Sequence[float] | Column,
    tolerance: float | Column = 0.0,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    seed: int = 0,
) -> float | None:
    """Return the p-value of the mean worsening being no more than the tolerance.

    Args:
        worse: How much worse each case became: baseline minus candidate where higher is better.
        tolerance: How much is allowed, 0 or more; a column where each case has its own (a share of the
            baseline's value).
        groups: One key a case; the cases of a group count as one.
        seed: The same seed and values give the same p-value.

    Returns:
        The mid-p-value, one-sided; 0.5 or more when it is not worse than tolerated; None with fewer
        than two units.
    """
    values = np.asarray(worse, dtype=np.float64)
    sums, counts = units(values, groups)
    if len(sums) < 2:
        return None
    alike = sign_flip(values, groups, side="greater", mid=True, seed=seed)
    allowed = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), values.shape)
    if alike is None or not allowed.any():
        return alike
    limits, _ = units(allowed, groups)
    if sums.sum() <= limits.sum():
        return max(alike, 0.5)  # not worse than tolerated: there is nothing to show
    moved, _ = with_doubt(sums, counts)
    spread = moved - np.concatenate([limits, [limits.mean()] * 2])
    return max(alike, _tail(spread, float((sums - limits).mean()), len(sums)))


def _tail(values: Column, mean: float, n: int) -> float:
    """Return the chance that `n` draws from `values`, reweighted to mean 0, have such a mean."""
    scale = float(np.abs(values).max())
    values, mean = values / scale, mean / scale
    null = _tilt(values, 0.0)
    highest = float(values.max())
    if mean >= highest - 1e-9:  # all draws must be the highest value: no formula is needed
        share = float(_weights(values, null)[values >= highest - 1e-9].sum())
        return math.exp(n * math.log(share)) / 2
    seen = _tilt(values, mean)
    step = seen - null
    away = 2 * n * (step * mean - (_cumulant(values, seen) - _cumulant(values, null)))
    if away <= 1e-12:
        return 0.5
    root = math.sqrt(away)
    slope = step * math.sqrt(n * _moments(values, seen)[1])
    density = math.exp(-away / 2) / math.sqrt(2 * math.pi)
    tail = _NORMAL.cdf(-root) + density * (1 / slope - 1 / root)
    return min(1.0, max(0.0, tail))


def _tilt(values: Column, mean: float) -> float:
    """Return the x for which the weights exp(x * value) give this mean, by Newton's method, bounded."""
    low, high = -1.0, 1.0
    while _moments(values, low)[0] > mean and low > -1e6:
        low *= 2
    while _moments(values, high)[0] < mean and high < 1e6:
        high *= 2
    at = 0.0
    for _ in range(100):
        middle, variance = _moments(values, at)
        if middle > mean:
            high = at
        else:
            low = at
        following = at - (middle - mean) / variance if variance > 0 else math.inf
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - at) <= 1e-13 * max(1.0, abs(at)):
            break
        at = following
    return at


def _weights(values: Column, at: float) -> Column:
    exponents = at * values
    weights = np.exp(exponents - exponents.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def _moments(values: Column, at: float) -> tuple[float, float]:
    weights = _weights(values, at)
    mean = float(weights @ values)
    return mean, float(weights @ (values - mean) ** 2)


def _cumulant(values: Column, at: float) -> float:
    exponents = at * values
    highest = float(exponents.max())
    return highest + math.log(float(np.exp(exponents - highest).mean()))
