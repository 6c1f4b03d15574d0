"""The interval of the change of p10, the border of the worst tenth, between paired runs.

The percentile bootstrap over cases, or groups: p10 of both runs on the same drawn cases. Many metrics
share the draws. A drawn p10 is found without sorting each draw: the values are sorted once, those that
are surely below it are only counted, and the drawn counts are summed up over the few around it.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.stats.bootstrap import MANY, Table, distinct, draws
from acidtest.stats.units import Column, Places, places

Interval = tuple[float, float]

Counts = NDArray[np.float32]

FEWEST = 10
"""With fewer units p10 is the worst case alone."""

_SURE = 6.0  # standard deviations: a draw beyond them comes once in 500 million


def worst_tenth_changes(
    base: Table,
    candidate: Table,
    groups: Sequence[Hashable] | Places | None,
    lower_is_better: Sequence[bool],
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
) -> list[Interval | None]:
    """Return an interval of the change of p10 for each of many metrics of the same cases.

    Args:
        base: Cases x metrics; NaN where a case was not scored in both runs.
        candidate: The same cases and metrics.
        groups: One key a case, or its `places`; None means that every case is a unit of its own.
        lower_is_better: One a metric: then the worst tenth is the highest.
        level: The confidence level.
        resamples: By default 2,000, and 1,000 above 10,000 units.
        seed: The same seed and values give the same interval.

    Returns:
        One (low, high) a metric, or None where fewer than ten units were scored.
    """
    unit = _units(len(base), groups)
    count = int(unit.max()) + 1 if len(unit) else 0
    sides = [
        (_side(base[:, c], unit, count, low), _side(candidate[:, c], unit, count, low))
        for c, low in enumerate(lower_is_better)
    ]
    enough = [int(np.count_nonzero(one.sizes)) >= FEWEST for one, _ in sides]
    if not any(enough):
        return [None] * len(sides)
    # Counts are whole numbers far below 2^24: single precision holds them, in half the room.
    below = np.stack([side.below for pair in sides for side in pair], axis=1, dtype=np.float32)
    sizes, same = distinct(np.stack([one.sizes for one, _ in sides], axis=1, dtype=np.float32))
    changed: list[list[Column]] = [[] for _ in sides]
    wanted = resamples or (1_000 if count > MANY else 2_000)
    for drawn in draws(count, wanted, seed, wide=len(sides) > 1):
        times = drawn.astype(np.float32)
        under = times @ below
        place = np.floor((times @ sizes)[:, same] / np.float32(10)).astype(np.float32)
        for c, pair in enumerate(sides):
            if enough[c]:
                before, after = (
                    _tenths(side, times, under[:, 2 * c + n], place[:, c])
                    for n, side in enumerate(pair)
                )
                changed[c].append(after - before)
    tail = (1 - level) / 2
    return [_edges(np.concatenate(some), tail) if some else None for some in changed]


class _Side(Struct, frozen=True):
    """One metric in one run: what is surely below p10, and what is around it, from worst to best.

    `below` counts a unit's values that are surely worse, `sizes` all its values; `near` are the values
    around p10 in order, and `owners` their units. `sign` is -1 where lower is better.
    """

    below: Counts
    sizes: Counts
    near: Column
    owners: NDArray[np.int64]
    sign: float


def _side(values: Column, unit: Places, count: int, low: bool) -> _Side:  # noqa: FBT001
    scored = np.flatnonzero(~np.isnan(values))
    sign = -1.0 if low else 1.0
    data = sign * values[scored]
    order = np.argsort(data, kind="stable")
    owners = unit[scored][order]
    sizes = np.bincount(owners, minlength=count).astype(np.float32)
    place = len(order) // 10
    # How far the border moves from draw to draw, in places.
    stray = np.bincount(owners[:place], minlength=count) - sizes.astype(np.float64) / 10
    reach = math.ceil(_SURE * math.sqrt(float(stray @ stray))) + 2
    start, stop = max(0, place - reach), place + reach + 1
    below = np.bincount(owners[:start], minlength=count).astype(np.float32)
    return _Side(below, sizes, data[order[start:stop]], owners[start:stop], sign)


def _tenths(side: _Side, times: Counts, under: Counts, place: Counts) -> Column:
    """Return p10 of each draw: the first value up to which more than `place` were drawn."""
    summed = np.cumsum(times[:, side.owners], axis=1)
    first = np.count_nonzero(summed + under[:, None] <= place[:, None], axis=1)
    found: Column = side.sign * side.near[np.minimum(first, len(side.near) - 1)]
    return found


def _edges(changed: Column, tail: float) -> Interval:
    low, high = np.quantile(changed, [tail, 1 - tail])
    return float(low), float(high)


def _units(n: int, groups: Sequence[Hashable] | Places | None) -> Places:
    if groups is None:
        return np.arange(n, dtype=np.int64)
    return groups if isinstance(groups, np.ndarray) else places(groups)
