"""A change split into its stages, estimated: from the cases that kept their contexts and those that did not.

Where a case got the same contexts in both runs only the generator can have moved its score. The mean
change over those cases, taken to hold for all, is the generator's part; what is left of the whole change
is the retriever's. It is an estimate: cases whose contexts changed may be harder ones, on which the
generator's change does more, or less. Crossing the stages is exact.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acidtest.comparison.context_change import ContextChange
from acidtest.comparison.paired import Paired, Values
from acidtest.data.compared import StageSplit
from acidtest.stats.bootstrap import draws, resamples_for, with_doubt
from acidtest.stats.rates import Interval
from acidtest.stats.units import Places


def estimated_splits(
    names: Sequence[str], table: Paired, contexts: Sequence[ContextChange]
) -> dict[str, StageSplit]:
    """Split the change of each metric; one that no case with unchanged contexts was scored in is left out.

    Args:
        names: The metrics, all of which both stages can move.
        table: Their values, a row a case.
        contexts: What became of each case's contexts. Cases of which that is not known are left out.
    """
    known = np.array([c != "unknown" for c in contexts])
    kept = np.array([c == "same" for c in contexts])
    splits = {}
    for n, name in enumerate(names):
        scored = known & ~np.isnan(table.deltas[:, n])
        if (scored & kept).any():
            unit = None if table.unit is None else table.unit[scored]
            splits[name] = _split(name, table.deltas[scored, n], kept[scored], unit)
    return splits


def _split(name: str, deltas: Values, kept: NDArray[np.bool_], unit: Places | None) -> StageSplit:
    whole, generation = float(deltas.mean()), float(deltas[kept].mean())
    changed = int(np.count_nonzero(~kept))
    generation_ci, retrieval_ci = _bounds(deltas, kept, unit)
    return StageSplit(
        metric=name,
        delta=whole,
        retrieval=whole - generation if changed else 0.0,
        generation=generation,
        retrieval_ci=retrieval_ci if changed else (0.0, 0.0),
        generation_ci=generation_ci,
        n=len(deltas),
        changed=changed,
        method="estimated",
    )


def _bounds(
    deltas: Values, kept: NDArray[np.bool_], unit: Places | None
) -> tuple[Interval | None, Interval | None]:
    """Bootstrap both parts over units; each kind of cases gets two units of doubt, as a change does."""
    unit = np.arange(len(deltas)) if unit is None else unit
    sides = []
    for some in (kept, ~kept):
        counts = np.bincount(unit[some], minlength=int(unit.max()) + 1).astype(np.float64)
        sums = np.bincount(unit[some], weights=deltas[some], minlength=len(counts)).astype(
            np.float64
        )
        sides.append((sums, counts))
    present = sides[0][1] + sides[1][1] > 0
    if np.count_nonzero(sides[0][1]) < 2:
        return None, None
    columns = []
    for n, (sums, counts) in enumerate(sides):
        has = counts > 0
        doubt = [np.zeros(4), np.zeros(4)]
        if has.any():
            more = with_doubt(sums[has], counts[has])
            for column, two in zip(doubt, more, strict=True):
                column[2 * n : 2 * n + 2] = two[-2:]
        columns += [np.concatenate([sums[present], doubt[0]])]
        columns += [np.concatenate([counts[present], doubt[1]])]
    table = np.stack(columns, axis=1)
    drawn = np.concatenate([t @ table for t in draws(len(table), resamples_for(len(table)), 0)])
    drawn = drawn[drawn[:, 1] > 0]
    generation = drawn[:, 0] / drawn[:, 1]
    whole = (drawn[:, 0] + drawn[:, 2]) / (drawn[:, 1] + drawn[:, 3])
    return _edges(generation), _edges(whole - generation)


def _edges(values: Values) -> Interval:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
