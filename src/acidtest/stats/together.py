"""Did anything change, in any of several measures of the same cases? One test of all of them together.

A stage that changed leaves a trace in several measures at once, of which none may be clear by itself. The
statistic is the sum over the measures of (sum d)^2 / (sum d^2), d being the differences; under the
hypothesis that two systems are alike a case's differences may as well all have had the other sign, so that
they flip together and keep whatever ties the measures to each other (J. H. Chung and D. A. S. Fraser, JASA
53, 1958; F. Pesarin, "Multivariate Permutation Tests", 2001).
"""

import numpy as np

from acidtest.stats.permutation import DRAWS, MANY, flipped_sums
from acidtest.stats.units import Column


def sign_flip_together(sums: Column, *, seed: int = 0) -> float | None:
    """Return the p-value of no measure having changed.

    Args:
        sums: Units x measures: the sum of a unit's differences, 0 where it has none.
        seed: The same seed and values give the same p-value.

    Returns:
        The p-value in (0, 1]; 1.0 when nothing differs; None without a unit or a measure.
    """
    if not sums.size:
        return None
    spread = np.sqrt((sums**2).sum(axis=0))
    some = sums[:, spread > 0] / spread[spread > 0]
    some = some[some.any(axis=1)]
    if not len(some):
        return 1.0
    observed = float((some.sum(axis=0) ** 2).sum()) - 1e-9
    if len(some) >= MANY:
        hits = int(np.count_nonzero(_as_normal(some, seed) >= observed))
    else:
        hits = sum(
            int(np.count_nonzero((flipped**2).sum(axis=1) >= observed))
            for flipped in flipped_sums(some, seed)
        )
    return (1 + hits) / (1 + DRAWS)


def _as_normal(some: Column, seed: int) -> Column:
    """Draw the statistic of a large run: the flipped sums are normal, with these products as covariance."""
    sizes = np.linalg.eigvalsh(some.T @ some)
    drawn = np.random.default_rng(seed).standard_normal((DRAWS, len(sizes)))
    found: Column = drawn**2 @ np.maximum(sizes, 0.0)
    return found
