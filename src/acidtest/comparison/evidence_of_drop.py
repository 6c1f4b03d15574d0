"""What the shared cases of two runs say of each gated quantity: values, intervals, p-values.

The question of a gate is one-sided: is the candidate worse by more than is tolerated? `p_drop` answers
it and is corrected by Holm over everything whose drop is gated, so that the chance that a gate fails a
release that is no worse stays at 5 %, however many metrics it has. `p` is the two-sided p-value of no
change, corrected in the same way.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from acidtest.comparison.limits import Tolerance
from acidtest.comparison.own_value import figure
from acidtest.comparison.paired import Measure, Paired, Pairs, read_pairs
from acidtest.comparison.quantity import Quantity
from acidtest.comparison.size import size_of
from acidtest.data.compared import Change
from acidtest.data.outcomes import Score, Skip
from acidtest.data.ranges import within
from acidtest.stats.beyond import drop_beyond
from acidtest.stats.holm import holm
from acidtest.stats.power import ALPHA, cases_needed, smallest_change
from acidtest.stats.ppi_change import CorrectedChange
from acidtest.stats.quantile_drop import interpolated, quantile_drop, worst_tenths
from acidtest.stats.student import t_cdf
from acidtest.stats.units import Places

_SEEN = 1.6448536269514722 + 0.8416212335729143
"""A drop of so many standard errors is seen in four of five tries by a one-sided test at 5 %."""


class Evidence(Struct, frozen=True, kw_only=True):
    """One quantity over the shared cases.

    Attributes:
        baseline: Its value in the baseline.
        candidate: In the candidate.
        n: Cases that count in both.
        one_sided: Cases that count in one of the runs only.
        ci: 95 % interval of candidate minus baseline.
        p: Two-sided p-value of no change.
        p_drop: One-sided p-value of the drop being no more than the tolerance.
        min_detectable: The smallest drop beyond the tolerance that these cases would have shown.
        needed: How many cases would show the drop that was seen; None where it is not known.
    """

    baseline: float
    candidate: float
    n: int
    one_sided: int
    ci: tuple[float, float] | None = None
    p: float | None = None
    p_drop: float | None = None
    min_detectable: float | None = None
    needed: int | None = None


def evidence_of(
    quantities: Sequence[Quantity],
    drops: Mapping[Quantity, Tolerance],
    pairs: Pairs,
    means: Mapping[str, Change],
    corrected: Mapping[Quantity, CorrectedChange] | None = None,
) -> dict[Quantity, Evidence]:
    """Return what the shared cases say; a quantity that no case has in both runs is absent.

    Args:
        quantities: What is gated.
        drops: Those with a tolerance.
        pairs: The shared cases.
        means: What changed in the mean of each quantity, by name; see `measure_of`.
        corrected: What people's labels make of these changes, where they make anything of them.
    """
    table = read_pairs([measure_of(wanted) for wanted in quantities], pairs)
    found = {}
    for column, wanted in enumerate(quantities):
        scored = ~np.isnan(table.deltas[:, column])
        if scored.any():
            one_sided = 0 if scored.all() else _one_sided(wanted, pairs)
            some = _Column(table, column, wanted, drops.get(wanted), len(drops) or 1)
            found[wanted] = (
                _of_mean(some, means[wanted.name], one_sided)
                if wanted.statistic == "mean"
                else _of_quantile(some, one_sided)
            )
            if corrected and wanted in corrected:
                found[wanted] = _by_labels(found[wanted], some, corrected[wanted])
    return _corrected(found, drops)


def measure_of(wanted: Quantity) -> Measure:
    """Return what reads a quantity from a case."""
    if wanted.tag is None and not wanted.is_operation:
        return Measure(
            wanted.name, wanted.stage, wanted.direction, lambda case: case.scores.get(wanted.head)
        )
    return Measure(wanted.name, wanted.stage, wanted.direction, wanted.read)


class _Column:
    """The scored cases of one quantity, and its tolerance."""

    def __init__(
        self, table: Paired, column: int, wanted: Quantity, tolerance: Tolerance | None, tests: int
    ) -> None:
        scored = ~np.isnan(table.deltas[:, column])
        self.wanted = wanted
        self.before = table.before[scored, column]
        self.after = table.after[scored, column]
        sign = 1.0 if wanted.direction == "lower" else -1.0
        self.worse = sign * table.deltas[scored, column]
        self.unit = None if table.unit is None else table.unit[scored]
        self.tolerance = tolerance or Tolerance()
        # In the worst case Holm asks this of a metric; half of it is each side of a two-sided test.
        self.alpha = 2 * ALPHA / tests


def _of_mean(some: _Column, change: Change, one_sided: int) -> Evidence:
    unit = some.unit
    limit = some.tolerance.absolute + some.tolerance.share * np.abs(some.before)
    excess = float((some.worse - limit).mean())
    units = len(some.worse) if unit is None else len(np.unique(unit))
    size = size_of(measure_of(some.wanted), some.before, some.after)
    return Evidence(
        baseline=change.base,
        candidate=change.candidate,
        n=change.n,
        one_sided=one_sided,
        ci=change.ci,
        p=change.p,
        p_drop=drop_beyond(some.worse, limit, _dense(unit)),
        min_detectable=within(
            change.metric,
            smallest_change(some.worse, _dense(unit), alpha=some.alpha, typical=size),
        ),
        needed=cases_needed(some.worse, excess, _dense(unit), alpha=some.alpha)
        if excess > 0 and units > 1
        else None,
    )


def _by_labels(plain: Evidence, some: _Column, change: CorrectedChange) -> Evidence:
    """Return the evidence of a corrected change: Student's t, by its standard error."""
    if change.before is None or change.after is None or not change.error:
        return plain
    delta, error = change.after - change.before, change.error
    excess = (delta if some.wanted.direction == "lower" else -delta) - some.tolerance.of(
        change.before
    )
    return replace(
        plain,
        baseline=change.before,
        candidate=change.after,
        ci=change.ci,
        p=min(1.0, 2 * (1 - t_cdf(abs(delta) / error, change.df))),
        p_drop=1 - t_cdf(excess / error, change.df),
        min_detectable=within(some.wanted.head, _SEEN * error),
        needed=None,
    )


def _of_quantile(some: _Column, one_sided: int) -> Evidence:
    wanted, lower = some.wanted, some.wanted.direction == "lower"
    base, candidate = (
        figure(x, wanted.statistic, wanted.direction) for x in (some.before, some.after)
    )
    plain = Evidence(baseline=base, candidate=candidate, n=len(some.before), one_sided=one_sided)
    sign = (
        -1.0 if lower and wanted.statistic == "p10" else 1.0
    )  # the worst tenth is the highest then
    read = (
        worst_tenths if wanted.statistic == "p10" else interpolated(int(wanted.statistic[1:]) / 100)
    )
    seen = quantile_drop(
        sign * some.before,
        sign * some.after,
        read,
        some.unit,
        tolerance=some.tolerance.absolute,
        share=some.tolerance.share,
        lower_is_better=lower and sign > 0,
    )
    if seen is None:
        return plain
    low, high = seen.ci if sign > 0 else (-seen.ci[1], -seen.ci[0])
    worse = (candidate - base) if lower else (base - candidate)
    excess = worse - some.tolerance.of(base)
    smallest = _SEEN * seen.error if seen.error > 0 else None
    return replace(
        plain,
        ci=(low + 0.0, high + 0.0),
        p=seen.p_two,
        p_drop=seen.p,
        min_detectable=smallest,
        needed=int(np.ceil(len(some.before) * (smallest / excess) ** 2))
        if smallest and excess > 0
        else None,
    )


def _corrected(
    found: dict[Quantity, Evidence], drops: Mapping[Quantity, Tolerance]
) -> dict[Quantity, Evidence]:
    two = {q: e.p for q, e in found.items() if e.p is not None}
    one = {q: e.p_drop for q, e in found.items() if q in drops and e.p_drop is not None}
    both = dict(zip(two, holm(list(two.values())), strict=True))
    drop = dict(zip(one, holm(list(one.values())), strict=True))
    return {q: replace(e, p=both.get(q), p_drop=drop.get(q)) for q, e in found.items()}


def _one_sided(wanted: Quantity, pairs: Pairs) -> int:
    """Count the cases that have a score in one run and none in the other, failures apart."""
    return sum(
        {type(wanted.read(old)), type(wanted.read(new))} == {Score, Skip} for old, new in pairs
    )


def _dense(unit: Places | None) -> Places | None:
    """Return the numbers of the units without gaps: one that no case is left of is no unit."""
    return None if unit is None else np.unique(unit, return_inverse=True)[1]
