"""What changed from run to run in each metric, over the cases that both scored.

The same case is asked in both runs, so that the difference within a case is what counts: its spread
is smaller than that of the cases themselves.
"""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from acidtest.comparison.pair import shared_cases
from acidtest.data.compared import Change
from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import CaseResult, Run
from acidtest.data.terms import Direction, Stage
from acidtest.stats.bootstrap import paired_interval
from acidtest.stats.holm import holm
from acidtest.stats.mcnemar import mcnemar
from acidtest.stats.noise import judge_noise
from acidtest.stats.permutation import sign_flip
from acidtest.stats.power import cases_needed, smallest_change
from acidtest.stats.quantile import worst_tenth, worst_tenth_change

TIE = 1e-9
"""Differences up to this are ties: they are rounding."""

Pairs = Sequence[tuple[CaseResult, CaseResult]]
Values = NDArray[np.float64]


def changes(base: Run, candidate: Run) -> tuple[Change, ...]:
    """Return what changed from `base` to `candidate`, one entry a metric, in the base's order.

    Means, wins, losses and the interval are over the cases that *both* runs scored in that metric:
    they can differ from the means of the runs. A win is a case where the candidate is better,
    whichever way the metric points. `p_adjusted` is corrected over all of them.

    Raises:
        Incomparable: The runs share no case.
    """
    pairs = shared_cases(base, candidate)
    shared = [name for name in base.metrics if name in candidate.metrics]
    found = [
        metric_change(name, base.metrics[name].stage, base.metrics[name].direction, pairs)
        for name in shared
    ]
    return corrected([change for change in found if change is not None])


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
    return change_of(name, stage, direction, pairs, lambda case: case.scores.get(name))


def change_of(
    name: str,
    stage: Stage,
    direction: Direction,
    pairs: Pairs,
    outcome: Callable[[CaseResult], Outcome | None],
) -> Change | None:
    """Return what changed in anything that cases have a score of.

    Args:
        name: What it is called.
        stage: Where it belongs.
        direction: Which way is better.
        pairs: The shared cases.
        outcome: Reads it from a case; what is no `Score` leaves the case out.
    """
    both = [
        (one, other, old.group if old.group is not None else (old.id,))
        for old, new in pairs
        if isinstance(one := outcome(old), Score) and isinstance(other := outcome(new), Score)
    ]
    if not both:
        return None
    before = np.array([one.value for one, _, _ in both])
    after = np.array([other.value for _, other, _ in both])
    groups = [key for _, _, key in both]
    keys: Sequence[Hashable] | None = groups if len(set(groups)) < len(groups) else None
    deltas = after - before
    deltas[np.abs(deltas) <= TIE] = 0.0
    better = deltas if direction == "higher" else -deltas
    wins, losses = int((better > 0).sum()), int((better < 0).sum())
    delta = float(after.mean() - before.mean())
    spread = float(deltas.std(ddof=1)) if len(deltas) > 1 else 0.0
    low = direction == "lower"
    noise = judge_noise(
        [one.trials or (one.value,) for one, _, _ in both],
        [other.trials or (other.value,) for _, other, _ in both],
    )
    return Change(
        metric=name,
        stage=stage,
        direction=direction,
        base=float(before.mean()),
        candidate=float(after.mean()),
        delta=delta,
        ci=paired_interval(deltas, keys),
        wins=wins,
        losses=losses,
        ties=len(both) - wins - losses,
        n=len(both),
        p=_p_value(before, after, deltas, keys),
        min_detectable=smallest_change(deltas, keys),
        needed=cases_needed(deltas, delta, keys) if wins or losses else None,
        effect=delta / spread if spread > 0 else None,
        base_p10=worst_tenth(before, lower_is_better=low),
        candidate_p10=worst_tenth(after, lower_is_better=low),
        p10_ci=worst_tenth_change(list(before), list(after), keys, lower_is_better=low),
        noise=noise.share if noise else None,
    )


def _p_value(
    before: Values, after: Values, deltas: Values, keys: Sequence[Hashable] | None
) -> float | None:
    if len(deltas) < 2:
        return None
    yes_or_no = bool(np.isin(before, (0.0, 1.0)).all() and np.isin(after, (0.0, 1.0)).all())
    if yes_or_no and keys is None:
        return mcnemar(int((deltas > 0).sum()), int((deltas < 0).sum()))
    return sign_flip(deltas, keys)
