"""The latest days held against what quiet days would bring: how unlikely is it that they are so low, or so high?

A sum of likelihood ratios (`drift`) sees slow changes that last, and pays for it when a change is sudden: it has to
be sure of the size, too. So the mean of the latest days is also held against its predictive distribution under
"nothing changed",

    p = sum over t and s of posterior(t, s) * Phi(r),   r = sign(y - K'(t)) * sqrt(2 (N / c) D(y, t))

with the signed root r of the deviance, which keeps the skew of scores that are mostly 1 (O. Barndorff-Nielsen,
Biometrika 73, 1986), N = sum of the days' n and c = 1 + s^2 sum(n^2) / N. The posterior is that of the quiet
days before, so their number and how much days differ count (G. E. P. Box, JRSS A 143, 1980: the prior
predictive check). As p is below a on a share a of quiet days, so many false alarms come and no more, however the
windows overlap.
"""

import math
from collections.abc import Sequence

import numpy as np

from acidtest.stats.drift_shape import Table, Tilts

WORTH = 250.0
"""The latest days that are held against the rest are worth so many values at least, where there are so many."""

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
