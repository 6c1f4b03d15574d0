"""Estimates with intervals from traces that weigh differently and belong to sessions."""

from statistics import NormalDist

import numpy as np

from acidtest.data.watching import Estimate
from acidtest.online.readings import Series
from acidtest.stats.bootstrap import intervals
from acidtest.stats.rates import wilson
from acidtest.stats.shares import share_interval, worth
from acidtest.stats.student import t_quantile
from acidtest.stats.units import places, standard_error

_FEW = 50  # sessions: below, the distribution is asked and not the normal curve
_RESAMPLES = 1_000


def mean(some: Series, *, level: float = 0.95) -> Estimate:
    """Return the weighted mean, sessions kept together.

    The bootstrap for fewer than 50 sessions; else Student's t with the linearised standard error (Cochran
    1977, eq. 6.12). Values that are all equal get Wilson's interval, the widest for values from 0 to 1.

    Args:
        some: One value at least.
        level: The confidence level.
    """
    w, x = some.weights, some.values
    n = len(x)
    value = float(w @ x / w.sum())
    where = places(some.sessions)
    units = int(where.max()) + 1
    if units < 2:
        return Estimate(value=value, low=None, high=None, n=n)
    low, high = float(x.min()), float(x.max())
    counts = np.bincount(where, weights=w).astype(np.float64)
    sums = np.bincount(where, weights=w * x).astype(np.float64)
    alike = float(counts.sum() ** 2 / (counts**2).sum())
    if low == high:
        if not 0 <= low <= 1:
            return Estimate(value=value, low=None, high=None, n=n)
        edges = wilson(value * alike, alike, level=level)
    elif units < _FEW:
        found = intervals(sums[:, None], counts[:, None], level=level, resamples=_RESAMPLES)[0]
        if found is None:
            return Estimate(value=value, low=None, high=None, n=n)
        edges = found
    else:
        error = standard_error(sums, counts) or 0.0
        half = t_quantile((1 + level) / 2, max(alike - 1, 1.0)) * error
        # A mean is never outside of what its values can be.
        edges = max(value - half, min(low, 0.0)), value + half
        if low >= 0 and high <= 1:
            edges = edges[0], min(edges[1], 1.0)
    return Estimate(value=value, low=edges[0], high=edges[1], n=n)


def rate(some: Series, *, level: float = 0.95) -> Estimate:
    """Return the weighted share of traces whose value is 1, with Wilson's interval for what they are worth.

    Args:
        some: One value at least.
        level: The confidence level.
    """
    yes = (some.values > 0).astype(np.float64)
    value = float(some.weights @ yes / some.weights.sum())
    where = places(some.sessions)
    if not where.any():
        return Estimate(value=value, low=None, high=None, n=len(yes))
    low, high = share_interval(yes, some.weights, where, level=level)
    return Estimate(value=value, low=low, high=high, n=len(yes))


def quantile(some: Series, share: float, *, level: float = 0.95) -> Estimate:
    """Return the value that a share of the traces does not exceed.

    The interval is that of the share, read back as values (R. S. Woodruff, JASA 47, 1952).

    Args:
        some: One value at least.
        share: Above 0 and below 1.
        level: The confidence level.
    """
    order = np.argsort(some.values, kind="stable")
    values = some.values[order]
    reached = np.cumsum(some.weights[order]) / some.weights.sum()

    def at(part: float) -> float:
        return float(values[min(int(np.searchsorted(reached, part - 1e-12)), len(values) - 1)])

    value = at(share)
    n = len(values)
    where = places(some.sessions)
    if not where.any():
        return Estimate(value=value, low=None, high=None, n=n)
    under = (some.values <= value).astype(np.float64)
    alike = worth(under, some.weights, where)
    low, high = wilson(share * alike, alike, level=level)
    # Too few to have one beyond: the end of what was seen is then no bound.
    z = NormalDist().inv_cdf((1 + level) / 2)
    known = alike * min(share, 1 - share) >= z
    return Estimate(value=value, low=at(low), high=at(high) if known else None, n=n)


def total(some: Series) -> Estimate:
    """Return the weighted sum; it is of all traces there are, and has no interval."""
    return Estimate(
        value=float(some.weights @ some.values), low=None, high=None, n=len(some.values)
    )
