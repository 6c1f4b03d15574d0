"""Groups of rows that point the same way: spherical k-means (Dhillon and Modha 2001).

The first centres are drawn by k-means++ from a fixed seed, so that the same rows give the same groups.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acidtest.golden.cover.wordlists import Rows

_ROUNDS = 20
_STARTS = 3
_SEED = 20_250_101
_BLOCK = 2_000  # rows whose products are held at a time

Labels = NDArray[np.intp]


@dataclass(frozen=True)
class _Entries:
    """What is not 0 in some rows, in their order: of 2,000 words a question has five, and a chunk eighty.

    Attributes:
        row: Which row each is in; rows of zeros are not counted.
        word: Which column.
        weight: How much.
        starts: Where each row begins.
        words: How many columns there are.
    """

    row: NDArray[np.intp]
    word: NDArray[np.intp]
    weight: NDArray[np.float32]
    starts: NDArray[np.intp]
    words: int

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.starts)

    def likeness(self, centres: Rows) -> Rows:
        """Return the cosine of each row to each centre."""
        turned = np.ascontiguousarray(centres.T)
        found = np.empty((len(self), len(centres)), dtype=np.float32)
        for first in range(0, len(self), _BLOCK):
            begins = self.starts[first : first + _BLOCK]
            after = first + len(begins)
            end = self.starts[after] if after < len(self) else len(self.row)
            some = slice(begins[0], end)
            products = turned[self.word[some]] * self.weight[some, None]
            np.add.reduceat(products, begins - begins[0], axis=0, out=found[first:after])
        return found

    def part(self, row: int) -> Rows:
        """Return one row, whole."""
        found = np.zeros((1, self.words), dtype=np.float32)
        mine = self.row == row
        found[0, self.word[mine]] = self.weight[mine]
        return found

    def sums(self, label: Labels, k: int) -> Rows:
        """Return the sum of the rows of each of k labels."""
        place = label[self.row] * self.words + self.word
        sums = np.bincount(place, weights=self.weight, minlength=k * self.words)
        return sums.reshape(k, self.words).astype(np.float32)


def centres_of(rows: Rows, k: int) -> Rows:
    """Return the k centres, of length 1, that rows of length 1 lie nearest to; the best of some starts.

    Args:
        rows: n x words; rows of zeros are passed over.
        k: How many; fewer come back where there are fewer different rows.
    """
    entries = _entries(rows)
    rng = np.random.default_rng(_SEED)
    best, reached = rows[:0], -1.0
    if not len(entries):
        return best
    for _ in range(_STARTS):
        centres = _settled(entries, _first(entries, k, rng))
        likeness = float(entries.likeness(centres).max(axis=1).mean())
        if likeness > reached:
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


def _entries(rows: Rows) -> _Entries:
    row, word = np.nonzero(rows)
    is_first = np.diff(row, prepend=-1) > 0
    return _Entries(
        row=np.cumsum(is_first) - 1,
        word=word,
        weight=rows[row, word],
        starts=np.flatnonzero(is_first),
        words=rows.shape[1],
    )


def _first(entries: _Entries, k: int, rng: np.random.Generator) -> Rows:
    chosen = [entries.part(int(rng.integers(len(entries))))]
    far = 1 - entries.likeness(chosen[0])[:, 0]
    while len(chosen) < k:
        far = np.clip(far, 0, None)
        total = float(far.sum())
        if total < 1e-6:
            break  # the rows left are copies of those chosen
        drawn = int(np.searchsorted(far.cumsum(), rng.random() * total))
        chosen.append(entries.part(drawn))
        far = np.minimum(far, 1 - entries.likeness(chosen[-1])[:, 0])
    return np.concatenate(chosen)


def _settled(entries: _Entries, centres: Rows) -> Rows:
    before: Labels | None = None
    for _ in range(_ROUNDS):
        likeness = entries.likeness(centres)
        label = np.where(likeness.max(axis=1) > 0, likeness.argmax(axis=1), len(centres))
        if before is not None and np.array_equal(label, before):
            break
        before = label
        # Who has no word of any centre is of none: the last label, which is left out.
        sums = entries.sums(label, len(centres) + 1)[:-1]
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        kept = lengths[:, 0] > 0
        centres = sums[kept] / lengths[kept]
    return centres
