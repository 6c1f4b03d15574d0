"""Krippendorff's alpha: how far any number of people agree, each of whom may have left things out.

`alpha = 1 - observed / expected disagreement`, both summed over pairs of grades. Observed are the pairs
within a thing, each thing's weighted by 1 / (its grades - 1); expected are all pairs of all grades. How
far apart two grades are depends on the level: `nominal` (the same or not), `ordinal` (by how many grades
were given from the one to the other), `interval` (their difference, squared).

Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import Agreement, Tables, interval
from acidtest.stats.units import places as numbered

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    units: Sequence[Sequence[int] | Mapping[Hashable, int]],
    *,
    level: Level = "ordinal",
    grades: int = 4,
    groups: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Agreement | Skip:
    """Return Krippendorff's alpha.

    Args:
        units: For each thing the grades that it was given, whole numbers from 0 on; by whom does not
            matter, and who gave none is left out. Things with one grade or none do not count.
        level: How far apart two grades are: `nominal`, `ordinal` or `interval`.
        grades: How many grades there are; those that nobody gave do not matter.
        groups: What is drawn together for the interval, such as the case; by default each thing alone.
        seed: The same seed gives the same interval.

    Returns:
        The agreement, or why there is none: fewer than two things with two grades, or one and the same
        grade throughout.
    """
    given = [list(u.values()) if isinstance(u, Mapping) else list(u) for u in units]
    kept = [n for n, some in enumerate(given) if len(some) > 1]
    if len(kept) < 2:
        return Skip(f"{len(kept)} graded by two people at least: alpha needs two such")
    keys: Sequence[Hashable] = kept if groups is None else [groups[n] for n in kept]
    tables = _coincidences([given[n] for n in kept], numbered(keys), grades)
    value = float(_alphas(tables.sum(axis=0), level))
    if np.isnan(value):
        return Skip("all gave one and the same grade throughout: chance would agree as well")
    ci, why = interval(tables, lambda some: _alphas(some, level), seed=seed)
    return Agreement(value=value, ci=ci, why_no_ci=why, n=len(kept))


def _coincidences(given: Sequence[Sequence[int]], where: NDArray[np.int64], grades: int) -> Tables:
    """Return groups x grades x grades: how often two grades met within a thing."""
    tables = np.zeros((int(where.max()) + 1, grades, grades))
    for some, place in zip(given, where, strict=True):
        counts = np.bincount(some, minlength=grades).astype(np.float64)
        tables[place] += (np.outer(counts, counts) - np.diag(counts)) / (len(some) - 1)
    return tables


def _alphas(tables: Tables, level: Level) -> NDArray[np.float64]:
    """Return the alpha of each table; NaN where chance cannot but agree."""
    often = tables.sum(axis=-1)
    total = often.sum(axis=-1)
    apart = _distance(often, level)
    seen = (tables * apart).sum(axis=(-2, -1))
    expected = (often[..., :, None] * often[..., None, :] * apart).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas: NDArray[np.float64] = np.where(
            expected > 0, 1 - (total - 1) * seen / expected, np.float64("nan")
        )
    return alphas


def _distance(often: NDArray[np.float64], level: Level) -> Tables:
    """Return ... x grades x grades; of ordinal grades it depends on how often each was given."""
    steps = np.arange(often.shape[-1], dtype=np.float64)
    apart: Tables
    if level == "nominal":
        apart = (steps[:, None] != steps[None, :]).astype(np.float64)
    else:  # ordinal: as far apart as grades were given from the middle of the one to that of the other
        places = steps if level == "interval" else np.cumsum(often, axis=-1) - often / 2
        apart = np.square(places[..., :, None] - places[..., None, :])
    return apart
