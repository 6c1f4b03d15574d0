"""What is resampled: cases, or groups of cases that belong together.

Cases of one document or one conversation are not independent; whatever is drawn, flipped or counted is
then the group. A unit is known by the sum of its values and by how many values it has.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

Places = NDArray[np.int64]
"""The number of each case's unit."""


def units(
    values: Sequence[float] | Column, groups: Sequence[Hashable] | Places | None
) -> tuple[Column, Column]:
    """Return the sum and the number of values of every unit, in the order of first appearance.

    Args:
        values: One value a case.
        groups: One key a case, or its `places`; None means that every case is a unit of its own.
    """
    data = np.asarray(values, dtype=np.float64)
    if groups is None:
        return data, np.ones_like(data)
    index = groups if isinstance(groups, np.ndarray) else places(groups)
    counts = np.bincount(index)
    sums = np.bincount(index, weights=data, minlength=len(counts)).astype(np.float64)
    has = counts > 0  # of places made over more cases than these, some have none
    return sums[has], counts[has].astype(np.float64)


def places(groups: Sequence[Hashable] | Places) -> Places:
    """Return the number of every case's unit; units count from 0 by first appearance.

    Units that are numbers in an array already, for many cases, are counted in the order of these.
    """
    if isinstance(groups, np.ndarray):
        return _ranked(groups)
    place: dict[Hashable, int] = {}
    return np.fromiter((place.setdefault(g, len(place)) for g in groups), np.int64, len(groups))


def _ranked(numbers: Places) -> Places:
    least = int(numbers.min()) if len(numbers) else 0
    if not len(numbers) or int(numbers.max()) - least >= 4 * len(numbers):
        return np.unique(numbers, return_inverse=True)[1]
    # Numbers that lie close need no sorting: each is known by how many smaller ones there are.
    near = numbers - least
    rank = np.cumsum(np.bincount(near) > 0) - 1
    return rank[near]


def standard_error(sums: Column, counts: Column) -> float | None:
    """Return the standard error of the mean over all values; None with fewer than two units.

    The linearised ratio estimator (W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, eq. 6.12): with
    mean m, residuals e = sum - m * count and U units, sqrt(U / (U - 1) * sum(e^2)) / values. With one
    value a unit this is s / sqrt(n).
    """
    n = len(sums)
    if n < 2:
        return None
    total = float(counts.sum())
    residuals = sums - sums.sum() / total * counts
    return float(np.sqrt(n / (n - 1) * float(residuals @ residuals)) / total)
