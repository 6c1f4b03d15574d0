"""Groups of rows that point the same way: spherical k-means (Dhillon and Modha 2001).

The first centres are drawn by k-means++ from a fixed seed, so that the same rows give the same groups.
"""

import numpy as np
from numpy.typing import NDArray

from acidtest.golden.cover.wordlists import Rows

_ROUNDS = 20
_STARTS = 3
_SEED = 20_250_101

Labels = NDArray[np.intp]


def centres_of(rows: Rows, k: int) -> Rows:
    """Return the k centres, of length 1, that rows of length 1 lie nearest to; the best of some starts.

    Args:
        rows: n x words; rows of zeros are passed over.
        k: How many; fewer come back where there are fewer different rows.
    """
    rows = rows[rows.any(axis=1)]
    rng = np.random.default_rng(_SEED)
    best, reached = rows[:0], -1.0
    for _ in range(_STARTS):
        centres = _settled(rows, _first(rows, k, rng))
        if len(centres) and (likeness := float((rows @ centres.T).max(axis=1).mean())) > reached:
            best, reached = centres, likeness
    return best


def nearest(rows: Rows, centres: Rows) -> tuple[Labels, NDArray[np.float32]]:
    """Return for each row its centre, -1 where it has no word of any, and the cosine to it."""
    if not len(centres):
        return np.full(len(rows), -1), np.zeros(len(rows), dtype=np.float32)
    likeness = rows @ centres.T
    label = likeness.argmax(axis=1)
    cosine = likeness.max(axis=1)
    return np.where(cosine > 0, label, -1), cosine


def _first(rows: Rows, k: int, rng: np.random.Generator) -> Rows:
    if not len(rows):
        return rows
    chosen = [int(rng.integers(len(rows)))]
    far = 1 - rows @ rows[chosen[0]]
    while len(chosen) < k:
        far = np.clip(far, 0, None)
        total = float(far.sum())
        if total < 1e-6:
            break  # the rows left are copies of those chosen
        chosen.append(int(np.searchsorted(far.cumsum(), rng.random() * total)))
        far = np.minimum(far, 1 - rows @ rows[chosen[-1]])
    return rows[chosen]


def _settled(rows: Rows, centres: Rows) -> Rows:
    before: Labels | None = None
    for _ in range(_ROUNDS):
        label, _ = nearest(rows, centres)
        if before is not None and np.array_equal(label, before):
            break
        before = label
        member = (label[None, :] == np.arange(len(centres))[:, None]).astype(np.float32)
        sums = member @ rows
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        kept = lengths[:, 0] > 0
        centres = sums[kept] / lengths[kept]
    return centres
