"""The power-tuned estimate behind prediction-powered inference, by what each case adds to it.

Every case has an influence on the estimate, and the variance is the sum of the squares of the influences
(of groups: of their sums), as for any ratio of sums (Cochran 1977, eq. 6.12). With lambda it is
base - lambda * control, so that the best lambda is the slope of a regression through the origin. One form
serves means and differences, any weights, and labels on any of the cases.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from acidtest.stats.units import Column, Places

_SWEEPS = 200  # of coordinate descent over two lambdas; a handful is enough unless they are nearly the same


class Side(Struct, frozen=True):
    """One run's cases: the judge's values, people's (NaN where there is none), and weights of the labels."""

    judged: Column
    labels: Column
    weights: Column

    @classmethod
    def of(
        cls,
        judged: Sequence[float],
        labels: Sequence[float | None],
        weights: Sequence[float] | None,
    ) -> "Side":
        """Return the columns; a label of weight 0 is none.

        Raises:
            ValueError: There are no cases, or the columns are of different lengths.
        """
        f = np.asarray(judged, np.float64)
        y = np.array([np.nan if label is None else label for label in labels], np.float64)
        w = np.ones_like(f) if weights is None else np.asarray(weights, np.float64)
        if not len(f) or not len(f) == len(y) == len(w):
            raise ValueError(f"{len(f)} judged values, {len(y)} labels, {len(w)} weights")
        y = np.where(w > 0, y, np.nan)
        return cls(f, y, np.where(np.isnan(y), 0.0, w))

    @property
    def has(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Which cases have a label."""
        return ~np.isnan(self.labels)

    @property
    def labelled(self) -> int:
        """How many cases have one."""
        return int(self.has.sum())

    @property
    def is_constant(self) -> bool:
        """Whether all labels are equal."""
        some = self.labels[self.has]
        return bool(some.min() == some.max())

    def labelled_units(self, unit: Places | None) -> int:
        """Return how many groups have a label; of cases alone, how many cases."""
        return self.labelled if unit is None else len(np.unique(unit[self.has]))


class Influences(Struct, frozen=True):
    """What each unit adds to an estimate: without the judge, and by each judge's values.

    Attributes:
        point: The estimate by labels alone.
        base: Its influences, one a unit.
        toward: How far the estimate moves for a lambda of 1, one a judge.
        controls: Units x judges: how much of the influence goes away for a lambda of 1.
        doubt: The variance that one error of the judge that was not seen adds for a lambda of 1.
        units: Effective number of labelled units: the fewer of the sides, less for uneven weights
            (L. Kish, "Survey Sampling" 1965, ch. 11.7).
    """

    point: float
    base: Column
    toward: Column
    controls: "np.ndarray[tuple[int, int], np.dtype[np.float64]]"
    doubt: Column
    units: float


class Fit(Struct, frozen=True):
    """An estimate at its best lambdas, with its variance."""

    influences: Influences
    lambdas: tuple[float, ...]
    point: float
    variance: float
    df: float

    @property
    def error(self) -> float:
        """The standard error."""
        return float(np.sqrt(self.variance))

    def without_judge(self) -> "Fit":
        """Return the estimate by labels alone."""
        return at(self.influences, np.zeros(len(self.lambdas)))


def influences(side: Side, unit: Places | None, scale: float = 1.0) -> Influences:
    """Return the influences of a mean.

    With W the sum of the weights of the labelled, r = Y - its weighted mean, and g = f - its weighted mean
    over the labelled: base w * r / W; control w * g / W, less (f - mean of f) / N for every case.

    Args:
        side: The judge's values and the labels.
        unit: The number of each case's group.
        scale: How large an error may be, where none was seen.
    """
    has, w, f = side.has, side.weights / side.weights.sum(), side.judged
    y = np.where(has, side.labels, 0.0)
    mean_y, mean_f, mean_all = float(w @ y), float(w @ f), float(f.mean())
    parts = _by_unit(unit, w * (y - mean_y), w * (f - mean_f) - (f - mean_all) / len(f), w)
    unit_weights = parts[2]
    effective = 1.0 / float(unit_weights @ unit_weights)
    # A judge that made no error on thirty labels may well make some: an unseen one is added, as
    # large as those that were seen (the whole scale where none was).
    wrong = (side.labels - f)[has]
    wrong = wrong[np.abs(wrong) > 1e-9]
    error = float(np.mean(wrong**2)) if len(wrong) else scale**2
    return Influences(
        point=mean_y,
        base=parts[0],
        toward=np.array([mean_all - mean_f]),
        controls=parts[1][:, None],
        doubt=np.array([error / effective**2]),
        units=effective,
    )


def difference(after: Influences, before: Influences) -> Influences:
    """Return the influences of one mean minus another over the same cases."""
    return Influences(
        point=after.point - before.point,
        base=after.base - before.base,
        toward=np.concatenate([after.toward, -before.toward]),
        controls=np.hstack([after.controls, -before.controls]),
        doubt=np.concatenate([after.doubt, before.doubt]),
        units=min(after.units, before.units),
    )


def tuned(some: Influences) -> Fit:
    """Return the estimate with the lambdas, each from 0 to 1, that make its variance least."""
    lambdas = np.zeros(len(some.toward))
    size = (some.controls**2).sum(axis=0) + some.doubt
    for _ in range(_SWEEPS):
        before = lambdas.copy()
        for place in range(len(lambdas)):
            others = some.base - some.controls @ lambdas + some.controls[:, place] * lambdas[place]
            slope = float(others @ some.controls[:, place]) / size[place]
            lambdas[place] = min(max(slope, 0.0), 1.0)
        if np.abs(lambdas - before).max() < 1e-12:
            break
    lambdas[lambdas < 1e-9] = 0.0
    return at(some, lambdas)


def at(some: Influences, lambdas: Column) -> Fit:
    """Return the estimate at given lambdas."""
    left = some.base - some.controls @ lambdas
    fitted = int((lambdas > 0).sum())
    # What is fitted to the labels takes their degrees of freedom.
    small = some.units / max(some.units - 1 - fitted, 1.0)
    return Fit(
        influences=some,
        lambdas=tuple(lambdas.tolist()),
        point=some.point + float(some.toward @ lambdas),
        variance=float(left @ left + some.doubt @ lambdas**2) * small,
        df=max(some.units - 1, 1.0),
    )


def _by_unit(unit: Places | None, *columns: Column) -> list[Column]:
    if unit is None:
        return list(columns)
    return [np.bincount(unit, weights=column).astype(np.float64) for column in columns]
