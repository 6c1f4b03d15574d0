"""A change split into its stages, estimated: from the cases that kept their contexts and those that did not.

Where a case got the same contexts in both runs only the generator can have moved its score. The mean
change over those cases, taken to hold for all, is the generator's part; what is left of the whole change
is the retriever's. It is an estimate: cases whose contexts changed may be harder ones, on which the
generator's change does more, or less. Crossing the stages is exact.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from acidtest.comparison.context_change import ContextChange
from acidtest.comparison.paired import Paired, Values
from acidtest.data.compared import StageSplit
from acidtest.stats.bootstrap import MANY, distinct, draws, resamples_for, with_doubt
from acidtest.stats.rates import Interval
from acidtest.stats.units import Places

Mask = NDArray[np.bool_]


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
    same = np.array([c == "same" for c in contexts])
    scored = known[:, None] & ~np.isnan(table.deltas)
    chosen = [n for n in range(len(names)) if (scored[:, n] & same).any()]
    if not chosen:
        return {}
    unit = np.arange(len(contexts)) if table.unit is None else table.unit
    kept, moved = (scored & same[:, None])[:, chosen], (scored & ~same[:, None])[:, chosen]
    deltas = np.where(scored, table.deltas, 0.0)[:, chosen]
    bounds = _bounds(deltas, (kept, moved), unit)
    return {
        names[n]: _split(names[n], deltas[:, k], kept[:, k], moved[:, k], bounds[k])
        for k, n in enumerate(chosen)
    }


def _split(
    name: str, deltas: Values, kept: Mask, moved: Mask, bounds: tuple[Interval, Interval] | None
) -> StageSplit:
    whole, generation = float(deltas[kept | moved].mean()), float(deltas[kept].mean())
    changed = int(np.count_nonzero(moved))
    generation_ci, retrieval_ci = bounds or (None, None)
    return StageSplit(
        metric=name,
        delta=whole,
        retrieval=whole - generation if changed else 0.0,
        generation=generation,
        retrieval_ci=retrieval_ci if changed else (0.0, 0.0),
        generation_ci=generation_ci,
        n=int(np.count_nonzero(kept | moved)),
        changed=changed,
        method="estimated",
    )


def _bounds(
    deltas: Values, masks: tuple[Mask, Mask], unit: Places
) -> list[tuple[Interval, Interval] | None]:
    """Bootstrap both parts of each metric over units; metrics share the draws.

    Each kind of cases gets two units of doubt, as a change does. None with fewer than two units that kept
    their contexts.
    """
    (kept, kept_n), (moved, moved_n) = (
        _by_unit(deltas, mask, unit, n) for n, mask in enumerate(masks)
    )
    n = len(kept)
    if n > MANY:
        columns = zip(kept.T, kept_n.T, moved.T, moved_n.T, strict=True)
        return [_normal(*column) for column in columns]
    drawn: list[list[Values]] = [[], [], [], []]
    different, same = distinct(np.concatenate([kept_n, moved_n], axis=1))
    sums = np.concatenate([kept, moved], axis=1)
    for times in draws(n, resamples_for(n), 0, wide=True):
        both, counts = times @ sums, (times @ different)[:, same]
        half = deltas.shape[1]
        parts = (both[:, :half], both[:, half:], counts[:, :half], counts[:, half:])
        for found, part in zip(drawn, parts, strict=True):
            found.append(part)
    one, other, one_n, other_n = (np.concatenate(some) for some in drawn)
    bounds: list[tuple[Interval, Interval] | None] = []
    for k in range(deltas.shape[1]):
        if np.count_nonzero(kept_n[:-4, k]) < 2:
            bounds.append(None)
            continue
        has = one_n[:, k] > 0
        generation = one[has, k] / one_n[has, k]
        whole = (one[has, k] + other[has, k]) / (one_n[has, k] + other_n[has, k])
        bounds.append((_edges(generation), _edges(whole - generation)))
    return bounds


def _normal(
    kept: Values, kept_n: Values, moved: Values, moved_n: Values
) -> tuple[Interval, Interval] | None:
    """Return the bounds of one metric in a large run: by the linearised variance of both ratios.

    W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, sec. 6.4 and 6.5, over units.
    """
    if np.count_nonzero(kept_n[:-4]) < 2:
        return None
    some, every = kept_n.sum(), kept_n.sum() + moved_n.sum()
    generation, whole = kept.sum() / some, (kept.sum() + moved.sum()) / every
    pull = (kept - generation * kept_n) / some
    rest = (kept + moved - whole * (kept_n + moved_n)) / every - pull
    return _around(float(generation), pull), _around(float(whole - generation), rest)


def _around(value: float, pulls: Values) -> Interval:
    reach = NormalDist().inv_cdf(0.975) * math.sqrt(float(pulls @ pulls))
    return value - reach, value + reach


def _by_unit(deltas: Values, mask: Mask, unit: Places, kind: int) -> tuple[Values, Values]:
    """Return sums and counts, a row a unit, and four rows of doubt: two of each kind of cases."""
    size = int(unit.max()) + 1
    sums, counts = (np.zeros((size + 4, deltas.shape[1])) for _ in range(2))
    for k in range(deltas.shape[1]):
        some = mask[:, k]
        counts[:size, k] = np.bincount(unit[some], minlength=size)
        sums[:size, k] = np.bincount(unit[some], weights=deltas[some, k], minlength=size)
        has = counts[:size, k] > 0
        if has.any():
            more = with_doubt(sums[:size, k][has], counts[:size, k][has])
            rows = slice(size + 2 * kind, size + 2 * kind + 2)
            sums[rows, k], counts[rows, k] = more[0][-2:], more[1][-2:]
    return sums, counts


def _edges(values: Values) -> Interval:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
