"""What changed from run to run in each metric, over the cases that both scored.

The same case is asked in both runs, so that the difference within a case is what counts: its spread
is smaller than that of the cases themselves.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from acidtest.comparison.pair import shared_metrics
from acidtest.comparison.paired import Measure, Paired, Pairs, Values, metric_measure, read_pairs
from acidtest.comparison.size import size_of
from acidtest.data.compared import Change
from acidtest.data.ranges import within
from acidtest.data.runs import Run
from acidtest.data.terms import Direction, Stage
from acidtest.stats.holm import holm
from acidtest.stats.mcnemar import mcnemar
from acidtest.stats.paired import paired_intervals
from acidtest.stats.permutation import sign_flips
from acidtest.stats.power import cases_needed, smallest_change
from acidtest.stats.quantile import worst_tenth
from acidtest.stats.rates import Interval
from acidtest.stats.tenth_change import worst_tenth_changes
from acidtest.stats.units import Places


def shared_measures(base: Run, candidate: Run) -> list[Measure]:
    """Return the measure of each metric that both runs have, with the base's stage and direction."""
    return [
        metric_measure(name, base.metrics[name].stage, base.metrics[name].direction)
        for name in shared_metrics(base, candidate)
    ]


def corrected(found: Sequence[Change]) -> tuple[Change, ...]:
    """Return changes with `p_adjusted`, Holm's correction over all of them."""
    tested = [change.p for change in found if change.p is not None]
    adjusted = iter(holm(tested))
    return tuple(
        change if change.p is None else replace(change, p_adjusted=next(adjusted))
        for change in found
    )


def metric_change(name: str, stage: Stage, direction: Direction, pairs: Pairs) -> Change | None:
    """Return what changed in one metric; None where no case was scored on both sides."""
    return next(iter(changes_of([metric_measure(name, stage, direction)], pairs)), None)


def changes_of(
    measures: Sequence[Measure], pairs: Pairs, *, resamples: int | None = None
) -> list[Change]:
    """Return what changed in each of many measures, without correction; cases are drawn once for all.

    Args:
        measures: What to read; one that no case was scored in on both sides is left out.
        pairs: The shared cases.
        resamples: Bootstrap draws; None means as many as the number of cases wants.
    """
    return changes_in(read_pairs(measures, pairs), measures, resamples=resamples)


def changes_in(
    table: Paired, measures: Sequence[Measure], *, resamples: int | None = None
) -> list[Change]:
    """Return what changed in the columns of a table; see `changes_of`."""
    scored = ~np.isnan(table.deltas)
    kept = [n for n in range(len(measures)) if scored[:, n].any()]
    if not kept:
        return []
    both = [_by_unit(table.deltas[:, n], table.unit) for n in kept]
    sums, counts = (np.stack(columns, axis=1) for columns in zip(*both, strict=True))
    del both
    sizes = [
        size_of(measures[n], table.before[scored[:, n], n], table.after[scored[:, n], n])
        for n in kept
    ]
    bounds = paired_intervals(sums, counts, resamples=resamples, typical=sizes)
    flips = sign_flips(sums)
    tenths = worst_tenth_changes(
        table.before[:, kept],
        table.after[:, kept],
        table.unit,
        [measures[n].direction == "lower" for n in kept],
        resamples=resamples,
    )
    return [
        _change(measures[n], table, n, scored[:, n], sizes[k], (bounds[k], flips[k], tenths[k]))
        for k, n in enumerate(kept)
    ]


def _by_unit(deltas: Values, unit: Places | None) -> tuple[Values, Values]:
    scored = ~np.isnan(deltas)
    filled = np.where(scored, deltas, 0.0)
    if unit is None:
        return filled, scored.astype(np.float64)
    return (
        np.bincount(unit, weights=filled).astype(np.float64),
        np.bincount(unit, weights=scored).astype(np.float64),
    )


def _change(
    measure: Measure,
    table: Paired,
    n: int,
    scored: NDArray[np.bool_],
    size: float,
    found: tuple[Interval | None, float | None, Interval | None],
) -> Change:
    ci, flipped, tenth = found
    before, after = table.before[scored, n], table.after[scored, n]
    deltas = table.deltas[scored, n]
    unit = None if table.unit is None else table.unit[scored]
    low = measure.direction == "lower"
    better = -deltas if low else deltas
    wins, losses = int((better > 0).sum()), int((better < 0).sum())
    delta = float(after.mean() - before.mean())
    spread = float(deltas.std(ddof=1)) if len(deltas) > 1 else 0.0
    return Change(
        metric=measure.name,
        stage=measure.stage,
        direction=measure.direction,
        base=float(before.mean()),
        candidate=float(after.mean()),
        delta=delta,
        ci=ci,
        wins=wins,
        losses=losses,
        ties=len(deltas) - wins - losses,
        n=len(deltas),
        p=_p_value(before, after, deltas, unit, flipped),
        min_detectable=within(measure.name, smallest_change(deltas, unit, typical=size)),
        needed=cases_needed(deltas, delta, unit) if wins or losses else None,
        effect=delta / spread if spread > 0 else None,
        base_p10=worst_tenth(before, lower_is_better=low),
        candidate_p10=worst_tenth(after, lower_is_better=low),
        p10_ci=tenth,
        noise=table.noise[n],
    )


def _p_value(
    before: Values, after: Values, deltas: Values, unit: Places | None, flipped: float | None
) -> float | None:
    if len(deltas) < 2:
        return None
    yes_or_no = bool(np.isin(before, (0.0, 1.0)).all() and np.isin(after, (0.0, 1.0)).all())
    if yes_or_no and unit is None:
        return mcnemar(int((deltas > 0).sum()), int((deltas < 0).sum()))
    return flipped
