"""The interval of a mean difference, cases paired: by drawing cases, or by counting changes.

Most cases do not change from run to run, and a bootstrap of three changes among fifty knows too little of
what a fourth may be. So two units are added before drawing: one up and one down by the root mean square of
the differences that are not 0, which is what D. G. Bonett and R. M. Price (Statistics in Medicine 31, 2012)
do for yes and no. Where changes are so few that these two would outweigh them, or all of one size, none is
drawn and the score interval of `few_changes` is taken. The handbook's page on gates says how often they cover.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from acidtest.stats.bootstrap import Table, intervals, with_doubt
from acidtest.stats.few_changes import few_changes
from acidtest.stats.rates import Interval
from acidtest.stats.units import Column, Places, units


def paired_interval(
    deltas: Sequence[float] | Column,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
) -> Interval | None:
    """Return a confidence interval of a mean difference.

    Args:
        deltas: Candidate minus baseline, one a case.
        groups: One key a case; None means that every case is a group of its own.
        level: The confidence level.
        resamples: By default 10,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same interval.

    Returns:
        (low, high), or None with fewer than two units.
    """
    sums, counts = units(deltas, groups)
    return paired_intervals(
        sums[:, None], counts[:, None], level=level, resamples=resamples, seed=seed
    )[0]


def paired_intervals(
    sums: Table,
    counts: Table,
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    typical: Sequence[float] | None = None,
) -> list[Interval | None]:
    """Return a confidence interval of each of many mean differences over the same units.

    Args:
        sums: Units x means: the sum of a unit's differences, 0 where it has none.
        counts: Units x means: how many differences a unit has, 0 where a case was not scored.
        level: The confidence level.
        resamples: By default 10,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same intervals, whatever other columns there are.
        typical: By how much a case of each column would change where none did; by 1 unless given.

    Returns:
        One (low, high) a column, or None where fewer than two units have a value.
    """
    found: list[Interval | None] = []
    drawn, more = [], []
    for k in range(sums.shape[1]):
        has = counts[:, k] > 0
        one, many = sums[has, k], counts[has, k]
        size = 1.0 if typical is None else typical[k]
        found.append(few_changes(one, many, level=level, typical=size))
        if found[k] is None and len(one) >= 2:
            drawn.append(k)
            more.append([some[-2:] for some in with_doubt(one, many)])
    if drawn:
        doubts = np.array(more)  # means x (sums, counts) x two units
        bounds = intervals(
            np.concatenate([sums[:, drawn], doubts[:, 0].T]),
            np.concatenate([counts[:, drawn], doubts[:, 1].T]),
            level=level,
            resamples=resamples,
            seed=seed,
            method="expanded",
        )
        for k, interval in zip(drawn, bounds, strict=True):
            found[k] = interval
    return found
