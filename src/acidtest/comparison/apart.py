"""What changed between runs whose cases are not the same: their means, each side by itself."""

from collections.abc import Hashable, Sequence

import numpy as np

from acidtest.comparison.paired import Measure
from acidtest.data.compared import Change
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.stats.quantile import worst_tenth
from acidtest.stats.unpaired import difference


def unpaired_changes(measures: Sequence[Measure], base: Run, candidate: Run) -> list[Change]:
    """Return what changed in each measure that both runs scored, without correction.

    No case is held against itself: there are no wins, losses or ties, and `n` is the smaller side's.
    """
    found = []
    for measure in measures:
        one, keys = _read(measure, base.cases)
        other, more = _read(measure, candidate.cases)
        if not (one and other):
            continue
        apart = difference(one, other, keys, more)
        before, after = np.array(one), np.array(other)
        low = measure.direction == "lower"
        found.append(
            Change(
                metric=measure.name,
                stage=measure.stage,
                direction=measure.direction,
                base=float(before.mean()),
                candidate=float(after.mean()),
                delta=apart.delta,
                ci=apart.ci,
                wins=0,
                losses=0,
                ties=0,
                n=min(len(one), len(other)),
                p=apart.p,
                min_detectable=apart.min_detectable,
                needed=apart.needed,
                base_p10=worst_tenth(before, lower_is_better=low),
                candidate_p10=worst_tenth(after, lower_is_better=low),
            )
        )
    return found


def _read(
    measure: Measure, cases: Sequence[CaseResult]
) -> tuple[list[float], list[Hashable] | None]:
    scored = [(o.value, case) for case in cases if isinstance(o := measure.read(case), Score)]
    keys: list[Hashable] = [
        case.group if case.group is not None else (n,) for n, (_, case) in enumerate(scored)
    ]
    return [value for value, _ in scored], keys if len(set(keys)) < len(keys) else None
