"""How far yes-or-no verdicts agree with yes-or-no labels: accuracy, balanced accuracy, Cohen's kappa.

All three are functions of the table of labels (rows) by verdicts (columns), no before yes. Tables are made
by group, with weights, so that groups can be drawn together for an interval.

Balanced accuracy is the mean of the shares that are right among labels yes and among labels no: to say yes
always is worth 0.5, however many labels are yes. Its interval is made of both shares' Wilson intervals, since a
bootstrap of a class of few cases is too narrow; where cases belong together it reaches as far as the bootstrap
over groups does, which sees that both shares move together.

Sources: K. H. Brodersen et al., "The Balanced Accuracy and Its Posterior Distribution", ICPR 2010;
R. G. Newcombe, "Interval Estimation for the Difference Between Independent Proportions", Stat. Med. 17 (1998),
whose squares and adds of both sides' distances hold for any sum of two shares.
"""

from collections.abc import Hashable, Sequence
from math import hypot
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import Agreement, Measure, Tables, distance, edges, kappas
from acidtest.stats.bootstrap import resamples_for
from acidtest.stats.rates import Interval
from acidtest.stats.shares import share_interval
from acidtest.stats.units import Column, places

Bits = NDArray[np.bool_]

Of = Literal["accuracy", "balanced_accuracy", "kappa"]

Values = NDArray[np.float64]


class Verdicts(Struct, frozen=True, kw_only=True):
    """Labels, and verdicts on the same things.

    Attributes:
        labels: What is true.
        verdicts: What was said.
        weights: How much each counts, above 0.
        groups: What belongs together.
    """

    labels: Bits
    verdicts: Bits
    weights: Column
    groups: tuple[Hashable, ...]

    @property
    def n(self) -> int:
        """How many things there are."""
        return len(self.labels)


def verdicts_of(
    labels: Sequence[bool] | Bits,
    verdicts: Sequence[bool] | Bits,
    weights: Sequence[float] | Column | None = None,
    groups: Sequence[Hashable] | None = None,
) -> Verdicts:
    """Return labels and verdicts; by default all weigh the same and each is a group of its own."""
    n = len(labels)
    return Verdicts(
        labels=np.asarray(labels, bool),
        verdicts=np.asarray(verdicts, bool),
        weights=np.ones(n) if weights is None else np.asarray(weights, np.float64),
        groups=tuple(range(n) if groups is None else groups),
    )


def tables_of(given: Verdicts) -> Tables:
    """Return groups x labels x verdicts: the weight in each cell, groups by first appearance."""
    where = places(given.groups)
    n = int(where.max()) + 1
    cells = (where * 2 + given.labels) * 2 + given.verdicts
    weights = np.bincount(cells, weights=given.weights, minlength=n * 4)
    return weights.astype(np.float64).reshape(n, 2, 2)


def resampled_tables(tables: Tables, *, seed: int = 0) -> Tables:
    """Return the summed tables of groups drawn with replacement, one a resample.

    Groups of one table are interchangeable, so how often each different table is drawn is drawn at once.

    Args:
        tables: One a group, of any shape.
        seed: The same seed draws the same.
    """
    n = len(tables)
    kinds, often = np.unique(tables.reshape(n, -1), axis=0, return_counts=True)
    times = np.random.default_rng(seed).multinomial(n, often / n, size=resamples_for(n))
    found: Tables = (times @ kinds).reshape(-1, *tables.shape[1:])
    return found


def interval_of(
    tables: Tables, measure: Measure, *, seed: int = 0
) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of a measure over groups drawn with replacement, or why there is none.

    Args:
        tables: One a group.
        measure: Tables, summed over the groups that were drawn, to a value each; NaN where there is none.
        seed: The same seed gives the same interval.
    """
    if len(tables) < 2:
        return None, "one case tells nothing of others"
    return edges(measure(resampled_tables(tables, seed=seed)))


def measured(of: Of, tables: Tables) -> Values:
    """Return a measure of each of many tables; NaN where it has none."""
    found: Values
    with np.errstate(invalid="ignore", divide="ignore"):
        right = tables[..., (0, 1), (0, 1)]
        if of == "accuracy":
            found = right.sum(axis=-1) / tables.sum(axis=(-2, -1))
        elif of == "balanced_accuracy":
            found = (right / tables.sum(axis=-1)).mean(axis=-1)
        else:
            found = kappas(tables, distance(2, "none"))
    return found


def agreement_of(of: Of, given: Verdicts, *, seed: int = 0) -> Agreement | Skip:
    """Return a measure with its interval.

    Args:
        of: Which measure.
        given: Labels and verdicts.
        seed: The same seed gives the same interval.

    Returns:
        The measure, or why there is none.
    """
    if not given.n:
        return Skip("no verdict has a label")
    tables = tables_of(given)
    value = float(measured(of, tables.sum(axis=0)))
    if np.isnan(value):
        return Skip(_why(of, given))
    if of == "accuracy":
        right = given.labels == given.verdicts
        return Agreement(
            value=value, ci=share_interval(right, given.weights, given.groups), n=given.n
        )
    ci, why = interval_of(tables, lambda some: measured(of, some), seed=seed)
    if of == "balanced_accuracy":
        sides = _of_both_sides(value, given)
        alone = len(tables) == given.n
        ci, why = sides if alone or ci is None else _wider(ci, sides), None
    return Agreement(value=value, ci=ci, why_no_ci=why, n=given.n)


def _of_both_sides(value: float, given: Verdicts) -> Interval:
    below: list[float] = []
    above: list[float] = []
    for label in (False, True):
        side = given.labels == label
        right, weights = given.verdicts[side] == label, given.weights[side]
        share = float((right * weights).sum() / weights.sum())
        groups = [g for g, inside in zip(given.groups, side, strict=True) if inside]
        low, high = share_interval(right, weights, groups)
        below.append((share - low) / 2)
        above.append((high - share) / 2)
    return max(0.0, value - hypot(*below)), min(1.0, value + hypot(*above))


def _wider(one: Interval, other: Interval) -> Interval:
    return min(one[0], other[0]), max(one[1], other[1])


def _why(of: Of, given: Verdicts) -> str:
    one = "yes" if given.labels.all() else "no"
    if of == "balanced_accuracy":
        return f"all labels are {one}: it needs some of both"
    return f"all labels and all verdicts are {one}: chance would agree as well"
