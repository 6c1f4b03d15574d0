"""The sign-flip test: could the differences of paired cases as well have had the other sign?

Under the hypothesis that two systems are alike, each case's difference is as likely d as -d. The
p-value is the share of all sign patterns whose sum is at least as far from 0 as the one observed
(R. A. Fisher, "The Design of Experiments", 1935, sec. 21; E. S. Edgington, "Randomization Tests").

Up to `EXACT` differing units all patterns are counted; above, so many are drawn at random, and the
observed one counts among them (B. Phipson and G. K. Smyth, 2010), so that p is never 0. From `MANY`
units on the sum is normal with variance sum d^2 to all digits that matter.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.units import Column, Places, units

EXACT = 20
"""Up to so many units that differ all 2^n patterns are counted: a million."""

MANY = 4_000
"""From so many units that differ the normal distribution serves."""

DRAWS = 20_000
"""Sign patterns drawn between the two: the error of a p of .05 is .0015."""

Side = Literal["two", "less", "greater"]

_BLOCK = 2_000_000  # signs drawn at once

_TOGETHER = 4 * MANY  # among more units each column is drawn for its own few


def sign_flip(
    deltas: Sequence[float] | Column,
    groups: Sequence[Hashable] | Places | None = None,
    *,
    side: Side = "two",
    mid: bool = False,
    seed: int = 0,
) -> float | None:
    """Return the p-value of the mean difference being 0.

    Args:
        deltas: Candidate minus baseline, one a case.
        groups: One key a case; the cases of a group flip together.
        side: `two`; `less` when only a mean below 0 speaks against the hypothesis, `greater` when
            only one above 0 does.
        mid: Count the patterns that are exactly as far as the observed one half.
        seed: The same seed and values give the same p-value.

    Returns:
        The p-value in (0, 1]; 1.0 when nothing differs; None without a case.
    """
    sums, _ = units(deltas, groups)
    if not len(sums):
        return None
    scale = float(np.abs(sums).max()) or 1.0
    # What differs by rounding alone is a tie: thirds from two runs are not told apart by 1e-17.
    moved = sums[np.abs(sums) > 1e-12 * max(1.0, scale)] / scale
    if not len(moved):
        return 1.0
    moved = -moved if side == "greater" else moved
    return _p_value(moved, two_sided=side == "two", mid=mid, seed=seed)


def sign_flips(sums: NDArray[np.float64], *, seed: int = 0) -> list[float | None]:
    """Return the two-sided p-values of many means over the same units; signs are drawn once for all.

    Args:
        sums: Units x means: the sum of a unit's differences, 0 where it has none.
        seed: The same seed and values give the same p-values.
    """
    found = [sign_flip(column) if _quick(column) else None for column in sums.T]
    open_ = [n for n, p in enumerate(found) if p is None]
    rows = np.flatnonzero((sums[:, open_] != 0).any(axis=1))
    if len(open_) < 2 or len(rows) > _TOGETHER:
        return [sign_flip(sums[:, n], seed=seed) if p is None else p for n, p in enumerate(found)]
    some = sums[rows][:, open_]
    some = some / np.abs(some).max(axis=0)
    far = np.zeros(len(open_))
    observed = np.abs(some.sum(axis=0)) - 1e-9
    for drawn in flipped_sums(some, seed):
        far += np.count_nonzero(np.abs(drawn) >= observed, axis=0)
    for n, hits in zip(open_, far, strict=True):
        found[n] = float((1 + hits) / (1 + DRAWS))
    return found


def _quick(column: Column) -> bool:
    moved = np.count_nonzero(column)
    return bool(moved <= EXACT or moved >= MANY)


def _p_value(moved: Column, *, two_sided: bool, mid: bool, seed: int) -> float:
    observed = float(moved.sum())
    if len(moved) >= MANY:
        z = observed / math.sqrt(float(moved @ moved))
        return min(1.0, math.erfc(abs(z) / math.sqrt(2))) if two_sided else NormalDist().cdf(z)
    exact = len(moved) <= EXACT
    sums = _all_sums(moved) if exact else _drawn_sums(moved, seed)
    slack = 1e-9  # sums of the same numbers in another order
    far = np.abs(sums) >= abs(observed) - slack if two_sided else sums <= observed + slack
    hits = float(np.count_nonzero(far))
    if mid:
        hits -= np.count_nonzero(np.abs(sums - observed) <= slack) / 2
        if two_sided and observed:
            hits -= np.count_nonzero(np.abs(sums + observed) <= slack) / 2
    # The observed pattern is one of those that could have been drawn.
    return hits / len(sums) if exact else (1 - mid / 2 + hits) / (1 + len(sums))


def _all_sums(moved: Column) -> Column:
    half = len(moved) // 2
    return np.add.outer(_patterns(moved[:half]), _patterns(moved[half:])).ravel()


def _patterns(some: Column) -> Column:
    sums = np.zeros(1)
    for value in some:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _drawn_sums(moved: Column, seed: int) -> Column:
    return np.concatenate(list(flipped_sums(moved[:, None], seed)))[:, 0]


def flipped_sums(table: NDArray[np.float64], seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield the sums of each column under random signs, some draws (rows) at a time."""
    rng = np.random.default_rng(seed)
    n = len(table)
    rows = max(1, _BLOCK // n)
    total = table.sum(axis=0)
    for start in range(0, DRAWS, rows):
        some = min(rows, DRAWS - start)
        kept = rng.integers(0, 2, size=(some, n), dtype=np.int8).astype(np.float64)
        yield 2.0 * (kept @ table) - total
