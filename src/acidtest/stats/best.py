"""Which of many are best: all pairs of paired means compared at once, with the chance of any false call kept.

Choosing the best of many and testing it against the rest finds winners among equals. Here every pair is
compared with the largest studentised difference that a resample of the cases shows anywhere (max-T, single
step: P. H. Westfall and S. S. Young, "Resampling-Based Multiple Testing", 1993; J. P. Romano and M. Wolf,
Econometrica 73, 2005).
"""

from collections.abc import Hashable, Sequence
from statistics import NormalDist

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.stats.student import t_cdf
from acidtest.stats.units import units

Table = NDArray[np.float64]

RESAMPLES = 10_000
_BLOCK = 250_000


class Pairs(Struct, frozen=True, kw_only=True):
    """All pairs of k columns.

    Attributes:
        means: The mean of each column.
        p: `p[i][j]` is the adjusted p-value of columns i and j having the same mean; 1.0 for i = j.
    """

    means: tuple[float, ...]
    p: tuple[tuple[float, ...], ...]

    def better(self, i: int, j: int, *, alpha: float = 0.05, sign: int = 1) -> bool:
        """Say whether column i is clearly better than column j; `sign` -1 where lower is better."""
        return sign * (self.means[i] - self.means[j]) > 0 and self.p[i][j] <= alpha

    def best(self, *, alpha: float = 0.05, sign: int = 1) -> tuple[int, ...]:
        """Return the columns that none is clearly better than, the highest mean first."""
        k = len(self.means)
        left = [
            i
            for i in range(k)
            if not any(self.better(j, i, alpha=alpha, sign=sign) for j in range(k))
        ]
        return tuple(sorted(left, key=lambda i: -sign * self.means[i]))

    def ranks(self, i: int, *, alpha: float = 0.05, sign: int = 1) -> tuple[int, int]:
        """Return the best and the worst rank that column i may have."""
        k = len(self.means)
        above = sum(self.better(j, i, alpha=alpha, sign=sign) for j in range(k))
        below = sum(self.better(i, j, alpha=alpha, sign=sign) for j in range(k))
        return 1 + above, k - below


def compare_all(
    values: Sequence[Sequence[float]] | Table,
    groups: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Pairs | None:
    """Compare the means of paired columns, each with each.

    With means m, a resample's means m* and the standard errors s of the differences, the p-value of a
    pair is the share of resamples in which any pair's |(m*_i - m_i) - (m*_j - m_j)| / s_ij is at least
    its |m_i - m_j| / s_ij, taken as the normal deviate that is as rare as that Student's t.

    Args:
        values: Cases x columns, without gaps.
        groups: One key a case; the cases of a group are drawn together.
        resamples: How many.
        seed: The same seed and values give the same p-values.

    Returns:
        None with fewer than two units.
    """
    table = np.asarray(values, dtype=np.float64)
    columns = [units(table[:, k], groups) for k in range(table.shape[1])]
    sums = np.column_stack([one for one, _ in columns])
    counts = columns[0][1]
    n = len(sums)
    if n < 2:
        return None
    total = counts.sum()
    means = sums.sum(axis=0) / total
    # As in `units.standard_error`, for every difference: residuals are linear in the columns.
    residuals = sums - counts[:, None] * means
    cross = residuals.T @ residuals * (n / (n - 1)) / total**2
    spread = np.diag(cross)[:, None] + np.diag(cross)[None, :] - 2 * cross
    errors = np.sqrt(np.maximum(spread, 0.0))
    apart = np.abs(means[:, None] - means[None, :])
    same = errors <= 1e-12
    errors = np.where(same, 1.0, errors)
    observed = np.where(same, 0.0, apart / errors)
    observed = np.array([[_as_normal(float(t), n - 1) for t in row] for row in observed])
    largest = _largest(sums, counts, means, np.where(same, np.inf, errors), resamples, seed)
    largest.sort()
    # The observed one counts among the resamples: p is never 0.
    below = np.searchsorted(largest, observed - 1e-12)
    p = (resamples - below + 1) / (resamples + 1)
    p = np.where(same & (apart > 1e-12), 1 / (resamples + 1), np.minimum(p, 1.0))
    np.fill_diagonal(p, 1.0)
    return Pairs(means=tuple(map(float, means)), p=tuple(tuple(map(float, row)) for row in p))


def _as_normal(t: float, df: int) -> float:
    """Return the normal deviate that is as rare as Student's t: the errors are estimated, too."""
    tail = t_cdf(-t, df)
    return -NormalDist().inv_cdf(tail) if 0.0 < tail < 1.0 else t


def _largest(
    sums: Table, counts: Table, means: Table, errors: Table, resamples: int, seed: int
) -> Table:
    rng = np.random.default_rng(seed)
    n, k = sums.shape
    rows = max(1, min(_BLOCK // max(n, k * k), resamples))
    largest = np.empty(resamples)
    wider = (n / (n - 1)) ** 0.5  # resamples spread as if n - 1 were n
    offsets = np.arange(rows)[:, None] * n
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = rng.integers(0, n, size=(stop - start, n)) + offsets[: stop - start]
        times = np.bincount(drawn.ravel(), minlength=(stop - start) * n)
        weights = times.reshape(stop - start, n).astype(np.float64)
        moved = (weights @ sums / (weights @ counts)[:, None] - means) * wider
        pairs = np.abs(moved[:, :, None] - moved[:, None, :]) / errors
        largest[start:stop] = pairs.max(axis=(1, 2))
    return largest
