"""The latest days held against what quiet days would bring: how unlikely is it that they are so low, or so high?

A sum of likelihood ratios (`drift`) sees slow changes that last, and pays for it when a change is sudden: it has to
be sure of the size, too. So the mean of the latest days is also held against its predictive distribution under
"nothing changed",

    p = sum over t and s of posterior(t, s) * Phi(r),   r = sign(y - K'(t)) * sqrt(2 (N / c) D(y, t))

with the signed root r of the deviance, which keeps the skew of scores that are mostly 1 (O. Barndorff-Nielsen,
Biometrika 73, 1986), N = sum of the days' n and c = 1 + s^2 sum(n^2) / N. The posterior is that of the quiet
days before, so their number and how much days differ count (G. E. P. Box, JRSS A 143, 1980: the prior
predictive check).

Windows of m days that overlap are alike, so days with a small p come in runs, and a run is one alarm. How often
such runs begin is told by the maxima of a Gaussian process that is looked at once a day and whose correlation
falls by 1 / m a day (D. Siegmund, "Sequential Analysis" 1985, ch. 4; D. Siegmund and B. Yakir, "The Statistics of
Gene Mapping" 2007, ch. 5): with z the normal quantile of 1 - p and phi its density

    r = (z phi(z) / m) v(z sqrt(2 / m)),   v(x) = (2 / x) (Phi(x / 2) - 1/2) / ((x / 2) Phi(x / 2) + phi(x / 2))

a day: p for m = 1, three quarters of it for m = 3 and nearly three fifths for m = 5, where p is 0.005. Longer windows are
taken for such of five days: sessions and the reference's own error give their tails more than is told here.

A day that goes on is looked at many times, and each look is a chance of a false alarm. So z is multiplied by the
square of the share of the window's values that has come: what is very unlikely is told within the day, the rest when
it is over (after P. C. O'Brien and T. R. Fleming, Biometrics 35, 1979, whose boundary has the square root; this one
spends next to nothing before the end).
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from acidtest.stats.drift_shape import Table, Tilts

WORTH = 250.0
"""The latest days that are held against the rest are worth so many values at least, where there are so many."""

_LONGEST = 5  # days
_EARLY = 2  # the power of the share that has come
_LEAST_ROOT = 1.0  # the maxima are told for what is rare

_NORMAL = NormalDist()

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def window(worth: Sequence[float]) -> int:
    """Return how many of the latest days are looked at together.

    Args:
        worth: How many values each day is worth, the latest last.
    """
    total = 0.0
    for count, n in enumerate(reversed(worth), 1):
        total += n
        if total >= WORTH:
            return count
    return len(worth)


def tails(
    tilts: Tilts,
    at: Table,
    spread: Table,
    posterior: Table,
    *,
    means: Sequence[float],
    worth: Sequence[float],
    offsets: Sequence[float],
) -> tuple[float, float]:
    """Return the probabilities that quiet days have a mean as low as that of some days, and as high.

    Args:
        tilts: The reference's tilted family.
        at: The tilts that quiet days may have.
        spread: The variances between days that are possible, in variances of single values.
        posterior: How likely each pair of both is: tilts x spreads, summing to 1.
        means: Of each day.
        worth: How many values each is worth.
        offsets: The tilt of each day's weekday.
    """
    n = np.asarray(worth, np.float64)
    total = float(n.sum())
    y = tilts.scaled(float(n @ np.asarray(means)) / total)
    here = at + float(n @ np.asarray(offsets)) / total
    short = np.maximum(tilts.best(y) - (here * y - tilts.log_mean(here)), 0)
    root = np.sign(y - tilts.centre(here)) * np.sqrt(2 * short)
    scaled = root[:, None] * np.sqrt(total / (1 + spread * float(n @ n) / total))
    low = float((posterior * _erfc(-scaled / math.sqrt(2))).sum()) / 2
    high = float((posterior * _erfc(scaled / math.sqrt(2))).sum()) / 2
    return low, high


def seldom(p: float, count: int, part: float = 1.0) -> float:
    """Return how often a day, on quiet days, a run begins of windows that are as unlikely as this one.

    Args:
        p: The probability of the window; above 0.
        count: Its days.
        part: The share of its values that has come, where its last day goes on.
    """
    p = min(p, 0.5)
    root = -_NORMAL.inv_cdf(p)
    if part < 1:
        root *= part**_EARLY
        p = math.erfc(root / math.sqrt(2)) / 2
    days = min(count, _LONGEST)
    if days == 1:
        return p
    root = max(root, _LEAST_ROOT)
    half = root / math.sqrt(2 * days)
    overshoot = (_NORMAL.cdf(half) - 0.5) / half
    overshoot /= half * _NORMAL.cdf(half) + _NORMAL.pdf(half)
    tail = math.erfc(root / math.sqrt(2)) / 2
    return p * min(1.0, root * _NORMAL.pdf(root) * overshoot / (days * tail))
