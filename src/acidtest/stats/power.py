"""What a set of cases can show: the smallest change, and how many cases a given change needs.

For a two-sided test at `alpha` with the given power, a change is shown when it is
(t_{1 - alpha/2} + t_{power}) standard errors (J. Cohen, "Statistical Power Analysis", 2nd ed. 1988,
ch. 2, with Student's t for the observed spread). A one-sided test at `alpha` is a two-sided one at twice
that.

Where most cases come out alike in both runs, a change adds spread of its own: cases that were ties now
differ (as in sample sizes for McNemar's test, R. G. Miettinen, Biometrics 24, 1968). With f the share of
units that differ already and a their typical difference, a mean change d of units that tied adds
(1 - f) a d to the mean square of the differences.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from acidtest.stats.student import t_quantile
from acidtest.stats.units import Column, Places, standard_error, units

ALPHA = 0.05
POWER = 0.80


def fewest_flips(alpha: float = ALPHA) -> int:
    """Return how many cases must change, all the same way, before an exact test sees it.

    2 / 2^k <= alpha: six at 5 %.
    """
    return math.ceil(1 + math.log2(1 / alpha))


def smallest_change(
    deltas: Sequence[float] | Column,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
    typical: float = 1.0,
) -> float | None:
    """Return the smallest mean difference that these cases would have shown, given their spread.

    Ties may become changes as large as those that there are (by `typical` where nothing differs at all),
    which adds spread; a change that is there already adds none.

    Args:
        deltas: Candidate minus baseline, one a case.
        groups: One key a case; the cases of a group count as one.
        alpha: The level of the two-sided test.
        power: The chance of seeing it.
        typical: By how much a case would change where none did: 1 for scores from 0 to 1.

    Returns:
        A positive number; None when no change could be shown: fewer units than `fewest_flips`, or
        values that are all 0 and may be of any size.
    """
    sums, counts = units(deltas, groups)
    if len(sums) < fewest_flips(alpha):
        return None
    error = standard_error(sums, counts)
    if error is None:
        return None
    n, size = len(sums), float(counts.mean())
    moved = np.abs(sums[np.abs(sums) > 1e-12]) / size
    if len(moved):
        typical = float(np.sqrt(np.mean(moved**2)))
    elif typical <= 0:
        return None
    tied = 1 - len(moved) / n
    there = abs(float(sums.sum()) / float(counts.sum()))
    level, reach = t_quantile(1 - alpha / 2, n - 1), t_quantile(power, n - 1)
    change = (level + reach) * math.sqrt(error**2 + tied * typical**2 / n)
    for _ in range(100):  # a change adds spread, and more spread takes a larger change
        fresh = max(0.0, change - there)
        spread = error**2 + max(0.0, tied * fresh * (typical - fresh)) / n
        square = spread + fresh * change / n if tied else spread  # around 0, as the test sees it
        last, change = change, level * math.sqrt(square) + reach * math.sqrt(spread)
        if abs(change - last) <= 1e-9 * change:
            break
    return change


def cases_needed(
    deltas: Sequence[float] | Column,
    change: float,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
) -> int | None:
    """Return how many cases like these would show a mean difference of `change`.

    Args:
        deltas: Candidate minus baseline, one a case.
        change: The difference to be shown, not 0.
        groups: One key a case.
        alpha: The level of the two-sided test.
        power: The chance of seeing it.

    Returns:
        Cases, at least `fewest_flips`; None where the spread is not known.
    """
    sums, counts = units(deltas, groups)
    error = standard_error(sums, counts)
    if error is None or change == 0:
        return None
    moved = np.abs(sums[sums != 0]) / float(counts.mean())
    typical = float(np.sqrt(np.mean(moved**2))) if len(moved) else 1.0
    if error <= 1e-9 * typical:  # what changes, changes alike: so many cases of all must
        share = min(1.0, abs(change) / typical)
        return max(fewest_flips(alpha), math.ceil(fewest_flips(alpha) / share - 1e-9))
    cases = float(counts.sum())
    at_once = error * math.sqrt(cases)  # the standard error of one case
    needed = cases
    for _ in range(20):  # t depends on the number that is looked for
        df = max(1.0, needed * len(sums) / cases - 1)
        last, needed = needed, (at_once * _times(df, alpha, power) / abs(change)) ** 2
        if abs(needed - last) < 1e-3:
            break
    return max(fewest_flips(alpha), math.ceil(needed))


def _times(df: float, alpha: float, power: float) -> float:
    return t_quantile(1 - alpha / 2, df) + t_quantile(power, df)
