"""Drawing cases by unequal chances that are known, so that estimates can be weighted back to all of them.

A systematic draw: the chances are laid end to end in random order, and a comb with teeth at distance 1 picks.
It takes exactly as many cases as the chances sum to, each by exactly its chance. With weights of 1 / chance a
sum over the drawn cases is on average the sum over all.

Sources: W. G. Madow, "On the Theory of Systematic Sampling, II", Ann. Math. Stat. 20 (1949);
D. G. Horvitz and D. J. Thompson, "A Generalization of Sampling Without Replacement", JASA 47 (1952).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acidtest.stats.units import Column


def chances(sizes: Sequence[float] | Column, n: int) -> Column:
    """Return for each case the chance to be drawn: in proportion to its size, at most 1; they sum to n.

    Args:
        sizes: From 0 on; above 0 for n cases at least.
        n: How many are to be drawn.
    """
    x = np.asarray(sizes, np.float64)
    found = np.zeros(len(x))
    sure = np.zeros(len(x), bool)
    # Who would be drawn more than surely is drawn surely, and the others share the rest.
    while True:
        rest = n - int(sure.sum())
        found = np.where(sure, 1.0, 0.0 if rest <= 0 else rest * x / max(x[~sure].sum(), 1e-300))
        over = ~sure & (found >= 1.0)
        if not over.any():
            return found
        sure |= over


def drawn(by: Column, seed: int = 0) -> NDArray[np.int64]:
    """Return the places of the drawn cases, ascending.

    Args:
        by: Each case's chance, from 0 to 1; the sum is how many are drawn.
        seed: The same seed draws the same cases.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(by))
    ends = np.cumsum(by[order])
    if not len(ends):
        return np.zeros(0, np.int64)
    teeth = rng.random() + np.arange(round(float(ends[-1])))
    at = np.minimum(np.searchsorted(ends, teeth, side="right"), len(by) - 1)
    return np.unique(order[at])
