"""Prediction-powered inference: means that a judge gave for all cases, corrected by people's labels of a few.

With values Y of people for n of N cases, and values f of a judge for all of them, the mean is

    mean of Y over the labelled + lambda * (mean of f over all - mean of f over the labelled).

Whatever the judge's errors are, they cancel, for both means of f have them; lambda only decides how much
narrower the interval gets, from 0 (labels alone) to 1. It is the one that makes the estimated variance
least ("power tuning").

Sources: A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic, "Prediction-powered inference",
Science 382 (2023), for the estimator; A. N. Angelopoulos, J. C. Duchi, T. Zrnic, "PPI++: Efficient
Prediction-Powered Inference", arXiv 2311.01453 (2023), eq. 4 and sec. 6, for lambda. There the judged cases
have no labels; here the labelled are some of them, so that this lambda times (N - n) / N is theirs. So it is
the regression estimator of two-phase sampling (W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, ch. 12).
"""

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct

from acidtest.data.ranges import Range
from acidtest.stats.ppi_fit import Fit, Side, influences, tuned
from acidtest.stats.ppi_interval import middle, share
from acidtest.stats.rates import Interval
from acidtest.stats.units import Places, places

LEAST = 20
"""With fewer labels nothing is corrected: an interval of so few is wide, and its width itself a guess."""

_WIDER = 1e-12  # rounding


class Corrected(Struct, frozen=True, kw_only=True):
    """A corrected mean, or a corrected difference of two.

    Attributes:
        mean: The estimate; the judge's own where nothing was corrected.
        ci: Its interval; None where nothing was corrected.
        judged: What the judge alone says.
        labels: How many cases have both a label and a judge's value; of a difference, the fewer of both
            sides.
        weight: Lambda: how much of the judge's values is used, 0 for labels alone; the mean of both sides
            for a difference. None where nothing was corrected.
        note: Why nothing was corrected, or why the labels stand alone; empty otherwise.
        error: The standard error of the estimate; None where nothing was corrected.
        df: The degrees of freedom that it is estimated with.
    """

    mean: float
    judged: float
    labels: int
    ci: Interval | None = None
    weight: float | None = None
    note: str = ""
    error: float | None = None
    df: float = 0.0

    @property
    def is_corrected(self) -> bool:
        """Whether labels went into the mean."""
        return self.weight is not None


def corrected_mean(
    judged: Sequence[float],
    labels: Sequence[float | None],
    *,
    weights: Sequence[float] | None = None,
    groups: Sequence[Hashable] | None = None,
    bounds: Range | None = (0.0, 1.0),
    level: float = 0.95,
    least: int = LEAST,
) -> Corrected:
    """Correct a judge's mean, or a rate, by the labels of some cases.

    The interval is of the mean over cases such as these, as a plain one is. Within bounds it is Wilson's
    (see `ppi_interval`); without labels that help it is the labels' own, and never wider than that.

    Args:
        judged: The judge's value of every case.
        labels: People's value of the same case, None where there is none.
        weights: 1 over the chance by which each case was chosen for labelling (any multiple of it); None
            where all had the same.
        groups: One key a case: cases of one key belong together and count as one observation of spread.
        bounds: The least and the greatest possible value; None where there is no limit.
        level: The confidence level.
        least: With fewer labelled cases, or groups, nothing is corrected.

    Raises:
        ValueError: There are no cases, or the columns are of different lengths.
    """
    side = Side.of(judged, labels, weights)
    unit = units_of(groups, len(judged))
    plain = float(side.judged.mean())
    lack = lack_of(side, unit, least)
    if not lack and bounds is None and side.is_constant:
        lack = "all labels are equal, and without a range nothing tells how far others may lie"
    if lack:
        return Corrected(mean=plain, judged=plain, labels=side.labelled, note=lack)
    fit = tuned(influences(side, unit, scale_of(bounds, side)))
    alone = fit.without_judge()
    chosen = [
        (each, share(each, bounds, level) if bounds else middle(each, level))
        for each in (fit, alone)
    ]
    found, ci = min(chosen, key=lambda pair: pair[1][1] - pair[1][0] - _WIDER * (pair[0] is fit))
    mean = found.point if bounds is None else min(max(found.point, bounds[0]), bounds[1])
    return Corrected(
        mean=mean,
        judged=plain,
        labels=side.labelled,
        ci=ci,
        weight=found.lambdas[0],
        note=_note(side, found),
        error=found.error,
        df=found.df,
    )


def units_of(groups: Sequence[Hashable] | None, n: int) -> Places | None:
    """Return the number of each case's group; None where every case stands alone."""
    if groups is None:
        return None
    if len(groups) != n:
        raise ValueError(f"{len(groups)} groups for {n} cases")
    return places(groups)


def scale_of(bounds: Range | None, *sides: Side) -> float:
    """Return how far apart two values may be; without bounds, how far apart the judge's are."""
    if bounds is not None:
        return bounds[1] - bounds[0]
    return max(float(np.ptp(side.judged)) for side in sides)


def lack_of(side: Side, unit: Places | None, least: int) -> str:
    """Say why a side has too few labels; empty where it has enough."""
    if side.labelled < least:
        if not side.labelled:
            return "there are no labels"
        few = "1 label is" if side.labelled == 1 else f"{side.labelled} labels are"
        return f"{few} too few to correct anything: it takes {least}"
    units = side.labelled_units(unit)
    if units < least:
        return f"{side.labelled} labels in {units} groups are too few to correct anything: it takes {least} groups"
    return ""


def _note(side: Side, fit: Fit) -> str:
    if any(fit.lambdas):
        return ""
    if side.labelled == len(side.judged):
        return "every case has a label: the labels stand alone"
    if side.is_constant:
        return "all labels are equal, so nothing shows how the judge errs: the labels stand alone"
    return "the judge's values do not narrow the interval: the labels stand alone"
