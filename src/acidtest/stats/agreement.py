"""Cohen's kappa: how far two people agree beyond what chance would give.

`kappa = 1 - sum(w * observed) / sum(w * expected)` over the table of both people's grades, where
`expected` is what two people with these habits would give by chance, and the weight `w` of two grades is 0
where they are the same; else 1 (unweighted), their distance (linear) or its square (quadratic).

Sources: J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educ. Psychol. Meas. 20 (1960);
J. Cohen, "Weighted Kappa", Psychol. Bull. 70 (1968).
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.data.outcomes import Skip
from acidtest.stats.bootstrap import draws, resamples_for
from acidtest.stats.rates import Interval
from acidtest.stats.units import places

Weights = Literal["none", "linear", "quadratic"]

Tables = NDArray[np.float64]
"""... x grades x grades: how often the one gave the row's grade and the other the column's."""

Measure = Callable[[Tables], NDArray[np.float64]]
"""Tables to a value each."""

LEAST_RESAMPLES = 0.5
"""An interval needs this share of its resamples to have a value."""


class Agreement(Struct, frozen=True, kw_only=True):
    """How far people agree.

    Attributes:
        value: 1 is full agreement, 0 what chance gives, below 0 is worse than chance.
        ci: Interval at 95 %, over cases that are drawn with replacement; None where it has none.
        why_no_ci: Why it has none.
        n: Things that were graded by two people at least.
    """

    value: float
    ci: Interval | None
    why_no_ci: str | None = None
    n: int


def cohen_kappa(
    first: Sequence[int],
    second: Sequence[int],
    *,
    weights: Weights = "none",
    grades: int = 4,
    groups: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Agreement | Skip:
    """Return Cohen's kappa of two people who graded the same things.

    Args:
        first: The one's grades, whole numbers from 0 on.
        second: The other's, in the same order.
        weights: How far apart two grades count as: `none`, `linear` or `quadratic`.
        grades: How many grades there are; those that nobody gave do not matter.
        groups: What is drawn together for the interval, such as the case; by default each thing alone.
        seed: The same seed gives the same interval.

    Returns:
        The agreement, or why there is none: fewer than two things, or both gave one and the same grade
        throughout, so that chance would agree as well.
    """
    if len(first) < 2:
        return Skip(f"{len(first)} graded by both: kappa needs two at least")
    table = _tables(first, second, grades, groups)
    weight = distance(grades, weights)
    value = float(kappas(table.sum(axis=0), weight))
    if np.isnan(value):
        return Skip("both gave one and the same grade throughout: chance would agree as well")
    ci, why = interval(table, lambda some: kappas(some, weight), seed=seed)
    return Agreement(value=value, ci=ci, why_no_ci=why, n=len(first))


def distance(grades: int, weights: Weights) -> Tables:
    """Return grades x grades: how far apart two grades count as."""
    apart: Tables = np.abs(np.arange(grades)[:, None] - np.arange(grades)[None, :]).astype(
        np.float64
    )
    if weights == "none":
        apart = (apart > 0).astype(np.float64)
    elif weights == "quadratic":
        apart = np.square(apart)
    return apart


def interval(
    tables: Tables, measure: Measure, *, seed: int, level: float = 0.95
) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of a measure over tables that are drawn with replacement.

    Args:
        tables: One table of each group.
        measure: Tables, summed over the groups that were drawn, to a value each; NaN where there is none.
        seed: The same seed gives the same interval.
        level: The confidence level.

    Returns:
        The interval, or why there is none.
    """
    n = len(tables)
    if n < 2:
        return None, "one case tells nothing of others"
    flat = tables.reshape(n, -1)
    values = np.concatenate(
        [
            measure((times @ flat).reshape(-1, *tables.shape[1:]))
            for times in draws(n, resamples_for(n), seed)
        ]
    )
    return edges(values, level=level)


def edges(
    values: NDArray[np.float64], *, level: float = 0.95
) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of resampled values, NaN where one has none; or why there is none."""
    some = values[~np.isnan(values)]
    if len(some) < LEAST_RESAMPLES * len(values):
        return None, "too few cases have grades that differ"
    low, high = np.quantile(some, [(1 - level) / 2, (1 + level) / 2])
    if low == high:
        return None, "any draw of cases gives the same: they say nothing of how far it may vary"
    return (float(low), float(high)), None


def _tables(
    first: Sequence[int], second: Sequence[int], grades: int, groups: Sequence[Hashable] | None
) -> Tables:
    a, b = np.asarray(first, np.int64), np.asarray(second, np.int64)
    where = np.arange(len(a)) if groups is None else places(groups)
    n = int(where.max()) + 1
    cells = (where * grades + a) * grades + b
    return np.bincount(cells, minlength=n * grades**2).reshape(n, grades, grades).astype(np.float64)


def kappas(tables: Tables, weight: Tables) -> NDArray[np.float64]:
    """Return the kappa of each table; NaN where chance cannot but agree."""
    total = tables.sum(axis=(-2, -1))
    chance = tables.sum(axis=-1)[..., :, None] * tables.sum(axis=-2)[..., None, :]
    seen = (tables * weight).sum(axis=(-2, -1))
    expected = (chance * weight).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        each: NDArray[np.float64] = np.where(
            expected > 0, 1 - seen * total / expected, np.float64("nan")
        )
    return each
