"""The distribution of a quantity in its reference window, and that distribution tilted to other means.

With reference values x of weight p, the tilted family is p exp(t x - K(t)), K(t) = log sum(p exp(t x)): of all
distributions with a given mean it is the one nearest to the reference (Kullback and Leibler, 1951). For yes and
no it is every Bernoulli distribution; for scores that are mostly 1 it keeps their skew, which a normal curve
would not. Half an observation at each end of the scale is added: a value that was not seen may well come.

Tilts are counted in standard deviations of the reference, so that 0.25 moves the mean by about a quarter of one.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.stats.units import Column

Table = NDArray[np.float64]

BINS = 200
"""Values are kept to this many steps of the scale from 0 to 1."""

_REACH = np.linspace(-60, 60, 1201)  # tilts over which the best one for a mean is sought
_STEP = 0.1  # between two of them
_NEWTON = 5  # the last of them only tells what the step before it brought
_LEAST = 1e-12


class Shape(Struct, frozen=True):
    """The reference distribution: values from 0 to 1, and how many observations each stands for."""

    values: tuple[float, ...]
    counts: tuple[float, ...]

    @property
    def total(self) -> float:
        """How many observations the reference holds."""
        return float(sum(self.counts))


def shape(
    values: Sequence[float] | Column, weights: Sequence[float] | Column | None = None
) -> Shape:
    """Return the distribution of values from 0 to 1; the counts sum to how many there are.

    Args:
        values: One at least.
        weights: Above 0, one a value; by default all alike.
    """
    x = np.clip(np.asarray(values, np.float64), 0, 1)
    w = np.ones_like(x) if weights is None else np.asarray(weights, np.float64)
    place = np.rint(x * BINS).astype(np.int64)
    counts = np.bincount(place, weights=w / w.sum() * len(x), minlength=BINS + 1)
    used = np.flatnonzero(counts)
    return Shape(tuple((used / BINS).tolist()), tuple(counts[used].tolist()))


class Tilts:
    """A shape's tilted family.

    Args:
        of: The reference distribution.

    Attributes:
        mean: Of the distribution, with the half observations at the ends.
        deviation: Its standard deviation.
    """

    def __init__(self, of: Shape) -> None:
        x = np.concatenate([of.values, [0.0, 1.0]])
        p = np.concatenate([of.counts, [0.5, 0.5]])
        p = p / p.sum()
        self.mean = float(p @ x)
        self.deviation = float(np.sqrt(p @ (x - self.mean) ** 2))
        self._x = (x - self.mean) / self.deviation
        self._squares = self._x**2
        self._log_p = np.log(p)
        self._reach_k = self.log_mean(_REACH)

    def log_mean(self, tilts: Table) -> Table:
        """Return K at each tilt, for values in standard deviations from the reference mean."""
        logs = tilts[..., None] * self._x + self._log_p
        most = logs.max(axis=-1)
        found: Table = most + np.log(np.exp(logs - most[..., None]).sum(axis=-1))
        return found

    def centre(self, tilts: Table) -> Table:
        """Return the mean under each tilt, in standard deviations from the reference mean."""
        logs = tilts[..., None] * self._x + self._log_p
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        found: Table = weights @ self._x / weights.sum(axis=-1)
        return found

    def spread(self, tilts: Table) -> Table:
        """Return the variance under each tilt, in variances of the reference."""
        logs = tilts[..., None] * self._x + self._log_p
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        means = weights @ self._x
        found: Table = weights @ self._x**2 - means**2
        return found

    def scaled(self, mean: float) -> float:
        """Return a mean in standard deviations from the reference mean."""
        return (mean - self.mean) / self.deviation

    def best(self, scaled_mean: float) -> float:
        """Return the largest of t m - K(t) over all tilts t: what the deviance of a mean m is counted from.

        A day of a thousand values makes a thousand of each error here: the best on the grid is improved by
        Newton's method.
        """
        values = _REACH * scaled_mean - self._reach_k
        place = int(values.argmax())
        most, at = float(values[place]), float(_REACH[place])
        for _ in range(_NEWTON):
            logs = at * self._x + self._log_p
            top = float(logs.max())
            weights = np.exp(logs - top)
            total = float(weights.sum())
            most = max(most, at * scaled_mean - top - math.log(total))
            centre = float(weights @ self._x) / total
            spread = float(weights @ self._squares) / total - centre**2
            step = (scaled_mean - centre) / max(spread, _LEAST)
            at = min(max(at + min(max(step, -_STEP), _STEP), _REACH[0]), _REACH[-1])
        return most


def perfect(scores: Sequence[float] | Column) -> float:
    """Return the share of scores that are perfect."""
    return float((np.asarray(scores, np.float64) >= 1.0).mean())


def with_perfect(scores: Sequence[float] | Column, share: float) -> Column:
    """Return (1 - share) score + share [score is perfect], for scores from 0 to 1.

    Where most answers are perfect, a system gets worse by fewer perfect ones more than by any one's score: of a
    mixture of good answers and bad ones the likelihood ratio is nearly the count of the good (J. Neyman and
    E. S. Pearson, 1933), and the mean alone sees that late. Where few are perfect, the mean tells more. A score that
    is yes or no stays as it is.

    Args:
        scores: From 0 to 1.
        share: How many are perfect in the reference window, from 0 to 1.
    """
    x = np.asarray(scores, np.float64)
    return (1 - share) * x + share * (x >= 1.0)


def ranks(scale: Sequence[float], values: Sequence[float] | Column) -> Column:
    """Return the places of values among a reference's, from 0 to 1; ties get the middle of theirs.

    The mean of it is the chance that a value exceeds one of the reference (H. B. Mann and D. R. Whitney,
    1947), which no outlier moves: for latencies and costs.
    """
    held = np.sort(np.asarray(scale, np.float64))
    x = np.asarray(values, np.float64)
    under = np.searchsorted(held, x, side="left") + np.searchsorted(held, x, side="right")
    found: Column = under / (2 * len(held))
    return found
