"""Is a mean worse by more than is tolerated? One-sided p-values of paired differences.

The question is how often so many cases, drawn from a world in which the candidate is no worse than
tolerated, would have a mean as high as the observed one. Two worlds are asked, and the larger p-value
counts: a drop that is shown to exceed a tolerance is shown to be a drop.

- The runs are alike: each difference may as well have had the other sign, so that cases are drawn from
  the differences and their mirror images (the sign-flip test, with the number of cases that change left
  to chance, as it is with the next set of cases).
- There is a drop of just the tolerance. No symmetry is left then: a few cases fall from 1 to 0 and most
  stay. The differences, with the two cases of doubt that intervals have too, are reweighted
  exponentially until their mean is the tolerance (B. Efron, "Nonparametric standard errors and
  confidence intervals", Can. J. Statist. 9, 1981; Davison and Hinkley, "Bootstrap Methods and their
  Application", 1997, ch. 4.4).

Nothing is drawn: the chance comes from the saddlepoint formula of R. Lugannani and S. Rice (Adv. Appl.
Prob. 12, 1980; Davison and Hinkley, ch. 9.5), which needs no random numbers and serves 30 cases as well
as 100,000. For scores of few values it gives the mid-p-value, where what is observed counts half.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from statistics import NormalDist

import numpy as np

from acidtest.stats.bootstrap import with_doubt
from acidtest.stats.units import Column, Places, units

_NORMAL = NormalDist()


def drop_beyond(
    worse: Sequence[float] | Column,
    tolerance: float | Column = 0.0,
    groups: Sequence[Hashable] | Places | None = None,
) -> float | None:
    """Return the p-value of the mean worsening being no more than the tolerance.

    Args:
        worse: How much worse each case became: baseline minus candidate where higher is better.
        tolerance: How much is allowed, 0 or more; a column where each case has its own (a share of the
            baseline's value).
        groups: One key a case; the cases of a group count as one.

    Returns:
        The mid-p-value, one-sided; 0.5 or more when it is not worse than tolerated; None with fewer
        than two units.
    """
    values = np.asarray(worse, dtype=np.float64)
    sums, counts = units(values, groups)
    if len(sums) < 2:
        return None
    alike = _alike(sums)
    allowed = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), values.shape)
    if not allowed.any():
        return alike
    limits, _ = units(allowed, groups)
    if sums.sum() <= limits.sum():
        return max(alike, 0.5)  # not worse than tolerated: there is nothing to show
    moved, _ = with_doubt(sums, counts)
    spread = moved - np.concatenate([limits, [limits.mean()] * 2])
    return max(alike, _tail(spread, float((sums - limits).mean()), len(sums)))


def _alike(sums: Column) -> float:
    """Return the p-value of no change: cases drawn from the differences and their mirror images."""
    if not sums.any():
        return 1.0
    return _tail(np.concatenate([sums, -sums]), float(sums.mean()), len(sums))


def _tail(values: Column, mean: float, n: int) -> float:
    """Return the chance that `n` draws from `values`, reweighted to mean 0, have such a mean."""
    scale = float(np.abs(values).max())
    values, mean = values / scale, mean / scale
    null = _solved(lambda x: _moments(values, x), 0.0)
    highest = float(values.max())
    if mean <= 1e-9 - highest:
        return 1.0
    if mean >= highest - 1e-9:  # all draws must be the highest value: no formula is needed
        share = float(_weights(values, null)[values >= highest - 1e-9].sum())
        return math.exp(max(-700.0, n * math.log(share))) / 2
    seen = _solved(lambda x: _moments(values, x), mean)
    step = seen - null
    exponent = n * (step * mean - (_cumulant(values, seen) - _cumulant(values, null)))
    return _lugannani_rice(step, exponent, n * _moments(values, seen)[1])


def _lugannani_rice(step: float, exponent: float, variance: float) -> float:
    """Return the chance of a sum beyond its saddlepoint `step`.

    Args:
        step: Where the derivative of the cumulant function is the sum.
        exponent: `step` times the sum, less the cumulant function there.
        variance: The second derivative there.
    """
    if exponent <= 1e-8:
        return 0.5
    root = math.copysign(math.sqrt(2 * exponent), step)
    slope = step * math.sqrt(variance)
    density = math.exp(-exponent) / math.sqrt(2 * math.pi)
    return min(1.0, max(0.0, _NORMAL.cdf(-root) + density * (1 / slope - 1 / root)))


def _solved(slope: Callable[[float], tuple[float, float]], target: float) -> float:
    """Return where a rising function has the target, by Newton's method within bounds.

    Args:
        slope: The function and its derivative.
        target: The value that is looked for.
    """
    low, high = -1.0, 1.0
    while slope(low)[0] > target and low > -1e6:
        low *= 2
    while slope(high)[0] < target and high < 1e6:
        high *= 2
    at = 0.0
    for _ in range(100):
        value, rise = slope(at)
        if value > target:
            high = at
        else:
            low = at
        following = at - (value - target) / rise if rise > 0 else math.inf
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - at) <= 1e-12 * max(1.0, abs(at)):
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
