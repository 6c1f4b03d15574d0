"""AUC: the chance that something labelled yes scores higher than something labelled no; ties count half.

It is 0.5 for scores that say nothing, 1 where every yes scores above every no, and it needs no threshold.

Source: J. A. Hanley and B. J. McNeil, "The Meaning and Use of the Area under a ROC Curve", Radiology 143
(1982). The interval is a percentile bootstrap over groups.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import LEAST_RESAMPLES, Agreement
from acidtest.stats.balanced import Bits
from acidtest.stats.bootstrap import Table, draws, resamples_for
from acidtest.stats.units import Column, Places, places

_CELLS = 2_000_000  # drawn weights in memory at once


def auc(
    scores: Sequence[float] | Column,
    labels: Sequence[bool],
    *,
    weights: Sequence[float] | Column | None = None,
    groups: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Agreement | Skip:
    """Return the area under the ROC curve, with its interval.

    Args:
        scores: One a case.
        labels: Whether each case is a yes.
        weights: How much each counts, above 0; by default all the same.
        groups: What is drawn together for the interval; by default each case alone.
        seed: The same seed gives the same interval.
        level: The confidence level.

    Returns:
        The area, or why there is none: the labels are all the same.
    """
    x, yes = np.asarray(scores, np.float64), np.asarray(labels, bool)
    n = len(x)
    if not n:
        return Skip("no verdict has a label")
    if yes.all() or not yes.any():
        return Skip(f"all labels are {'yes' if yes.all() else 'no'}: it needs some of both")
    order = np.argsort(x, kind="stable")
    x, yes = x[order], yes[order]
    w = np.ones(n) if weights is None else np.asarray(weights, np.float64)[order]
    w = w / w.max()  # tiny weights would vanish in products
    where = (np.arange(n) if groups is None else places(groups))[order]
    starts = np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1]]))
    value = float(_areas(w[None, :], yes, starts)[0])
    if np.isnan(value):
        return Skip("the cases of one label weigh next to nothing beside the others")
    units = int(where.max()) + 1
    if units < 2:
        return Agreement(value=value, ci=None, why_no_ci="one case tells nothing of others", n=n)
    rows = max(1, _CELLS // n)
    areas = np.concatenate(
        [
            _areas(times[at : at + rows, where] * w, yes, starts)
            for times in draws(units, resamples_for(units), seed)
            for at in range(0, len(times), rows)
        ]
    )
    some = areas[~np.isnan(areas)]
    why = None
    if len(some) < LEAST_RESAMPLES * len(areas):
        why = "too few cases have labels that differ"
    elif some.min() == some.max():
        why = "any draw of cases gives the same: they say nothing of how far it may vary"
    if why is not None:
        return Agreement(value=value, ci=None, why_no_ci=why, n=n)
    low, high = np.quantile(some, [(1 - level) / 2, (1 + level) / 2])
    return Agreement(value=value, ci=(float(low), float(high)), n=n)


def _areas(weights: Table, yes: Bits, starts: Places) -> Column:
    """Return the area of each row of weights; cases ascend by score, and equal scores begin at `starts`."""
    ups = np.add.reduceat(weights * yes, starts, axis=1)
    downs = np.add.reduceat(weights * ~yes, starts, axis=1)
    below = np.cumsum(downs, axis=1) - downs / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: Column = (ups * below).sum(axis=1) / (ups.sum(axis=1) * downs.sum(axis=1))
    return np.round(areas, 12)  # a perfect order is 1, not 1.0000000000000002
