"""Is a quantile (p10, p50, p95) of paired runs worse by more than is tolerated?

The interval is the percentile bootstrap over cases or groups: the quantile of both runs on the same
drawn cases. The p-value without a tolerance is a swap test: were the runs alike, each case could as
well have had its two values the other way round. With one, it is the share of the bootstrap in which
the drop is no larger, and never below the p-value without.
"""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.stats.units import Places, places

Table = NDArray[np.float64]
"""Draws x cases."""

Quantile = Callable[[Table], NDArray[np.float64]]
"""One value a row."""

FEWEST = 10
"""With fewer units p10 is the worst case alone, and a bootstrap knows nothing of it."""

_BLOCK = 2_000_000


class QuantileDrop(Struct, frozen=True, kw_only=True):
    """What paired runs say of a quantile's change.

    Attributes:
        ci: 95 % interval of other minus one.
        p_two: Two-sided p-value of no change.
        p: One-sided p-value of the worsening being no more than the tolerance.
        error: The standard error of the change.
    """

    ci: tuple[float, float]
    p_two: float
    p: float
    error: float


def worst_tenths(table: Table) -> NDArray[np.float64]:
    """Return element n // 10 of each row, from the lowest."""
    place = table.shape[1] // 10
    return np.asarray(np.partition(table, place, axis=1)[:, place], dtype=np.float64)


def interpolated(share: float) -> Quantile:
    """Return the quantile by linear interpolation between neighbours."""
    return lambda table: np.asarray(np.quantile(table, share, axis=1), dtype=np.float64)


def quantile_drop(
    one: Sequence[float] | NDArray[np.float64],
    other: Sequence[float] | NDArray[np.float64],
    quantile: Quantile,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    tolerance: float = 0.0,
    share: float = 0.0,
    lower_is_better: bool = False,
    draws: int = 2_000,
    seed: int = 0,
) -> QuantileDrop | None:
    """Return interval and p-values of the change of a quantile.

    Args:
        one: The baseline's values.
        other: The candidate's, in the same order of cases.
        quantile: Of a table, one value a row.
        groups: One key a case; the cases of a group are drawn and swapped together.
        tolerance: How much worse it may be.
        share: How much worse it may be, as a share of the baseline's quantile, besides.
        lower_is_better: A rise is worse.
        draws: How many resamples and swaps.
        seed: The same seed and values give the same figures.

    Returns:
        None with fewer than `FEWEST` units.
    """
    before, after = (np.asarray(x, dtype=np.float64) for x in (one, other))
    unit = np.arange(len(before)) if groups is None else _numbered(groups)
    count = int(unit.max()) + 1 if len(unit) else 0
    if count < FEWEST:
        return None
    rng = np.random.default_rng(seed)
    sign = 1.0 if lower_is_better else -1.0
    observed = float((quantile(after[None, :]) - quantile(before[None, :]))[0])
    swapped = _swapped(before, after, unit, count, quantile, rng, draws)
    old, new = _drawn(before, after, unit, count, quantile, rng, draws)
    changes = new - old
    low, high = np.quantile(changes, [0.025, 0.975])
    slack = 1e-9 * max(1.0, abs(observed))
    alike = _mid(sign * swapped, sign * observed, slack)
    p = alike
    if tolerance or share:
        beyond = sign * changes - tolerance - share * np.abs(old)
        p = max(alike, float(1 - _mid(beyond, 0.0, slack)))
    return QuantileDrop(
        ci=(float(low), float(high)),
        p_two=min(1.0, 2 * min(alike, 1 - alike)) if observed else 1.0,
        p=p,
        error=float(changes.std()),
    )


def _numbered(groups: Sequence[Hashable] | Places) -> Places:
    numbers = groups if isinstance(groups, np.ndarray) else places(groups)
    return np.asarray(np.unique(numbers, return_inverse=True)[1], dtype=np.int64)


def _mid(values: NDArray[np.float64], border: float, slack: float) -> float:
    """Return the share above the border, with half of what lies on it."""
    above = np.count_nonzero(values > border + slack)
    on = np.count_nonzero(np.abs(values - border) <= slack)
    return float((above + on / 2 + 0.5) / (len(values) + 1))


def _swapped(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    unit: NDArray[np.int64],
    units: int,
    quantile: Quantile,
    rng: np.random.Generator,
    draws: int,
) -> NDArray[np.float64]:
    changes = np.empty(draws)
    rows = max(1, _BLOCK // len(before))
    for start in range(0, draws, rows):
        stop = min(start + rows, draws)
        swap = rng.integers(0, 2, size=(stop - start, units), dtype=np.int8).astype(bool)[:, unit]
        changes[start:stop] = quantile(np.where(swap, before, after)) - quantile(
            np.where(swap, after, before)
        )
    return changes


def _drawn(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    unit: NDArray[np.int64],
    units: int,
    quantile: Quantile,
    rng: np.random.Generator,
    draws: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    old, new = np.empty(draws), np.empty(draws)
    if units == len(before):
        rows = max(1, _BLOCK // units)
        for start in range(0, draws, rows):
            stop = min(start + rows, draws)
            drawn = rng.integers(0, units, size=(stop - start, units))
            old[start:stop], new[start:stop] = quantile(before[drawn]), quantile(after[drawn])
        return old, new
    members = [np.flatnonzero(unit == n) for n in range(units)]
    for n in range(draws):
        taken = np.concatenate([members[i] for i in rng.integers(0, units, units)])
        old[n], new[n] = quantile(before[None, taken])[0], quantile(after[None, taken])[0]
    return old, new
