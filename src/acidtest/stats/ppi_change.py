"""Prediction-powered inference of a difference: one run's mean minus another's over the same cases.

Each run's mean is corrected by its own labels, and what both have in common (the same case is hard for
both) goes out of the variance, for the influences of a case are subtracted. Both lambdas are tuned together.
The labels may be of the same cases or of others; where one of the runs has none, nothing is corrected, as
correcting one side alone would show the judge's error as a change.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec.structs import replace

from acidtest.data.ranges import Range
from acidtest.stats.ppi import LEAST, Corrected, corrected_mean, lack_of, scale_of, units_of
from acidtest.stats.ppi_fit import Fit, Influences, Side, difference, influences, tuned
from acidtest.stats.ppi_interval import middle


class CorrectedChange(Corrected, frozen=True, kw_only=True):
    """A corrected difference, with the second run's corrected mean, and the first's so that they differ by it.

    `before` and `after` are None where nothing was corrected.
    """

    before: float | None = None
    after: float | None = None


def corrected_change(
    before: Sequence[float],
    after: Sequence[float],
    labels_before: Sequence[float | None],
    labels_after: Sequence[float | None],
    *,
    weights_before: Sequence[float] | None = None,
    weights_after: Sequence[float] | None = None,
    groups: Sequence[Hashable] | None = None,
    bounds: Range | None = (0.0, 1.0),
    level: float = 0.95,
    least: int = LEAST,
) -> CorrectedChange:
    """Correct the change of a judge's mean from one run to another.

    Args:
        before: The judge's value of every case in the first run.
        after: The same in the second; the same cases in the same order.
        labels_before: People's values of the first run's answers, None where there is none.
        labels_after: The same of the second run's.
        weights_before: 1 over the chance by which each case was chosen for labelling in the first run.
        weights_after: The same in the second.
        groups: One key a case: cases of one key belong together.
        bounds: The least and the greatest value of the metric; None where there is no limit.
        level: The confidence level.
        least: With fewer labelled cases or groups on either side nothing is corrected.

    Raises:
        ValueError: There are no cases, or the columns are of different lengths.
    """
    old, new = (
        Side.of(before, labels_before, weights_before),
        Side.of(after, labels_after, weights_after),
    )
    if len(old.judged) != len(new.judged):
        raise ValueError(f"{len(old.judged)} cases before, {len(new.judged)} after")
    unit = units_of(groups, len(old.judged))
    plain = float((new.judged - old.judged).mean())
    labels = min(old.labelled, new.labelled)
    for side, called in ((old, "the baseline"), (new, "the candidate")):
        if lack := lack_of(side, unit, least):
            return CorrectedChange(
                mean=plain, judged=plain, labels=labels, note=f"{called}: {lack}"
            )
    if bounds is None and (old.is_constant or new.is_constant):
        lack = "all labels are equal, and without a range nothing tells how far others may lie"
        return CorrectedChange(mean=plain, judged=plain, labels=labels, note=lack)
    scale = scale_of(bounds, old, new)
    last, first = influences(new, unit, scale), influences(old, unit, scale)
    fit = tuned(_with_doubt(difference(last, first), old, new, scale))
    alone = fit.without_judge()
    found = fit if _width(fit, level) <= _width(alone, level) else alone
    low, high = middle(found, level)
    widest = bounds[1] - bounds[0] if bounds else float("inf")
    change = min(max(found.point, -widest), widest)
    own = corrected_mean(
        after,
        labels_after,
        weights=weights_after,
        groups=groups,
        bounds=bounds,
        level=level,
        least=least,
    )
    return CorrectedChange(
        mean=change,
        judged=plain,
        labels=labels,
        ci=(max(low, -widest), min(high, widest)),
        weight=sum(found.lambdas) / 2,
        note=""
        if any(found.lambdas)
        else "the judge's values do not narrow the interval: the labels stand alone",
        error=found.error,
        df=found.df,
        before=own.mean - change,
        after=own.mean,
    )


def _with_doubt(some: Influences, old: Side, new: Side, scale: float) -> Influences:
    """Add one unseen change up and one down where that is more than the labels show.

    Thirty answers that people find as good as before do not prove that no answer changed.
    """
    both = old.has & new.has
    moved = (new.labels - old.labels)[both]
    moved = moved[moved != 0]
    typical = float(np.mean(moved**2)) if len(moved) else scale**2
    least, has = 2 * typical / some.units**2, float(some.base @ some.base)
    if has >= least:
        return some
    extra = ((least - has) / 2) ** 0.5
    return replace(
        some,
        base=np.concatenate([some.base, [extra, -extra]]),
        controls=np.vstack([some.controls, np.zeros((2, some.controls.shape[1]))]),
    )


def _width(fit: Fit, level: float) -> float:
    low, high = middle(fit, level)
    return high - low
