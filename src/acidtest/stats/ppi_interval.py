"""Intervals of a corrected mean: Wilson's within bounds, Student's without.

Near an end of the scale (97 % of answers faithful) an estimate plus and minus two standard errors covers
too seldom. Wilson's interval does not; of an estimate that is no plain share it takes the effective number
of cases, p * (1 - p) / variance (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with
small expected number of positive counts estimated from survey data", Survey Methodology 24, 1998), here
with Student's quantile, as the variance is estimated.
"""

import math

from acidtest.data.ranges import Range
from acidtest.stats.ppi_fit import Fit
from acidtest.stats.rates import Interval
from acidtest.stats.student import t_quantile

_NOTHING = 1e-12


def share(fit: Fit, bounds: Range, level: float) -> Interval:
    """Return Wilson's interval of an estimate that lies within bounds."""
    low, high = bounds
    width = high - low
    p = min(max((fit.point - low) / width, 0.0), 1.0)
    t = t_quantile((1 + level) / 2, fit.df)
    spread, variance = p * (1 - p), fit.variance / width**2
    # Without spread the labels are as many successes (or failures) in a row as there are.
    sized = spread > _NOTHING and variance > _NOTHING
    n = spread / variance if sized else fit.influences.units
    centre = (p + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * math.sqrt(spread / n + t * t / (4 * n * n))
    return (
        low + width * max(0.0, centre - half),
        low + width * min(1.0, centre + half),
    )


def middle(fit: Fit, level: float) -> Interval:
    """Return the estimate plus and minus its standard error times Student's quantile."""
    half = t_quantile((1 + level) / 2, fit.df) * fit.error
    return fit.point - half, fit.point + half
