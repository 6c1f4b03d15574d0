"""The interval of a share where cases weigh differently or belong together.

Wilson's interval for as many cases as these are worth. That number is `n / design effect`, and the design
effect the variance of the share as it was drawn over its variance in a plain sample of n. Where the share is
0 or 1 its variance tells nothing: the cases are then worth `sum(w)^2 / sum(w^2)` over groups.

Sources: E. B. Wilson, JASA 22 (1927); L. Kish, "Survey Sampling" (1965), ch. 8.2 and 11.7; C. Franco et al.,
"Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys", J. Survey Stat.
Methodol. 7 (2019), for Wilson's interval with an effective number.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from acidtest.stats.rates import Interval, wilson
from acidtest.stats.units import Column, Places, places, standard_error


def worth(
    yes: Sequence[bool] | Column,
    weights: Sequence[float] | Column,
    groups: Sequence[Hashable] | Places | None = None,
) -> float:
    """Return how many independent cases of one weight these are worth; at most their number.

    Args:
        yes: Whether each case counts towards the share.
        weights: Above 0, one a case.
        groups: What belongs together, as keys or their `places`; by default each case alone.
    """
    x, w = np.asarray(yes, np.float64), np.asarray(weights, np.float64)
    n, w = len(x), w / w.max()  # squares of tiny weights would vanish
    where = np.arange(n) if groups is None else places(groups)
    sums = np.bincount(where, weights=w * x).astype(np.float64)
    counts = np.bincount(where, weights=w).astype(np.float64)
    if len(counts) == n and w.min() == w.max():
        return float(n)
    share = float(sums.sum() / counts.sum())
    error = standard_error(sums, counts)
    if not 0 < share < 1 or not error:
        return float(counts.sum() ** 2 / (counts**2).sum())
    return min(float(n), share * (1 - share) * n / (n - 1) / error**2)


def share_interval(
    yes: Sequence[bool] | Column,
    weights: Sequence[float] | Column,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    level: float = 0.95,
) -> Interval:
    """Return Wilson's interval of the weighted share of yes, for what the cases are worth.

    Args:
        yes: Whether each case counts towards the share; one at least.
        weights: Above 0, one a case.
        groups: What belongs together, as keys or their `places`; by default each case alone.
        level: The confidence level.
    """
    x, w = np.asarray(yes, np.float64), np.asarray(weights, np.float64)
    w = w / w.max()
    share = float((w * x).sum() / w.sum())
    n = worth(x, w, groups)
    # The ends are told apart by exact comparison there.
    successes = 0.0 if not x.any() else n if x.all() else share * n
    return wilson(successes, n, level=level)
