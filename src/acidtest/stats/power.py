"""What a set of cases can show: the smallest change, and how many cases a given change needs.

For a two-sided test at `alpha` with the given power, a change is shown when it is
(t_{1 - alpha/2} + t_{power}) standard errors (J. Cohen, "Statistical Power Analysis", 2nd ed. 1988,
ch. 2, with Student's t for the observed spread).
"""

import math
from collections.abc import Hashable, Sequence

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
) -> float | None:
    """Return the smallest mean difference that these cases would have shown, given their spread.

    Two runs that agree in every case have no spread to go by: then it is the change of the fewest
    cases by 1 that an exact test could see, `fewest_flips` / n.

    Args:
        deltas: Candidate minus baseline, one a case.
        groups: One key a case; the cases of a group count as one.
        alpha: The level of the two-sided test.
        power: The chance of seeing it.

    Returns:
        A positive number; None when no change could be shown: fewer units than `fewest_flips`.
    """
    sums, counts = units(deltas, groups)
    if len(sums) < fewest_flips(alpha):
        return None
    error = standard_error(sums, counts)
    if error is None:
        return None
    if error <= 1e-12:
        return fewest_flips(alpha) / len(sums)
    return error * _times(len(sums) - 1, alpha, power)


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
    if error <= 1e-12:
        return max(fewest_flips(alpha), math.ceil(fewest_flips(alpha) / min(1.0, abs(change))))
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
