"""The shared cases of two runs as columns: what was measured of each, before and after.

Inside a table NaN stands for "not scored in both runs"; it never leaves this room.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import CaseResult
from acidtest.data.terms import Direction, Stage
from acidtest.stats.noise import judge_noise
from acidtest.stats.units import Places, places

TIE = 1e-9
"""Differences up to this are ties: they are rounding."""

Pairs = Sequence[tuple[CaseResult, CaseResult]]
Values = NDArray[np.float64]


class Measure(Struct, frozen=True):
    """Anything that cases have a score of: its name, stage and direction, and what reads it."""

    name: str
    stage: Stage
    direction: Direction
    read: Callable[[CaseResult], Outcome | None]


def metric_measure(name: str, stage: Stage, direction: Direction) -> Measure:
    """Return the measure of one metric."""
    return Measure(name, stage, direction, lambda case: case.scores.get(name))


class Paired(Struct, frozen=True):
    """Cases x measures: the values before and after, and the differences.

    Attributes:
        before: NaN where a case was not scored in both runs.
        after: The same.
        deltas: After minus before; 0 where they tie, NaN where not both were scored.
        unit: The number of each case's group; None where every case stands alone.
        noise: The share of the variance of the mean difference that is the judge's, one a measure.
    """

    before: Values
    after: Values
    deltas: Values
    unit: Places | None
    noise: tuple[float | None, ...]


def read_pairs(measures: Sequence[Measure], pairs: Pairs) -> Paired:
    """Read measures from the shared cases."""
    shape = (len(pairs), len(measures))
    before, after = np.empty(shape), np.empty(shape)
    noise = []
    olds, news = [old for old, _ in pairs], [new for _, new in pairs]
    for column, measure in enumerate(measures):
        one, other = list(map(measure.read, olds)), list(map(measure.read, news))
        before[:, column] = _values(one)
        after[:, column] = _values(other)
        noise.append(_noise(one, other))
    missing = np.isnan(before) | np.isnan(after)
    before[missing] = after[missing] = np.nan
    deltas = after - before
    deltas[np.abs(deltas) <= TIE] = 0.0
    return Paired(before, after, deltas, units_of(pairs), tuple(noise))


def part_of(table: Paired, rows: Sequence[int], columns: Sequence[int]) -> Paired:
    """Return some cases and measures of a table; the judge's noise is of the whole and left out."""
    at = np.ix_(np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64))
    unit = None if table.unit is None else places(table.unit[list(rows)].tolist())
    return Paired(table.before[at], table.after[at], table.deltas[at], unit, (None,) * len(columns))


def units_of(pairs: Pairs) -> Places | None:
    """Return the number of each case's group; None where no two cases share one."""
    keys = [old.group if old.group is not None else (n,) for n, (old, _) in enumerate(pairs)]
    unit = places(keys)
    return unit if len(unit) and int(unit.max()) + 1 < len(unit) else None


def _values(outcomes: Sequence[Outcome | None]) -> Values:
    return np.array([o.value if isinstance(o, Score) else np.nan for o in outcomes], np.float64)


def _noise(one: Sequence[Outcome | None], other: Sequence[Outcome | None]) -> float | None:
    if not any([o.trials for some in (one, other) for o in some if isinstance(o, Score)]):  # noqa: C419 - twice as fast
        return None
    both = [
        (a, b)
        for a, b in zip(one, other, strict=True)
        if isinstance(a, Score) and isinstance(b, Score)
    ]
    found = judge_noise(
        [a.trials or (a.value,) for a, _ in both], [b.trials or (b.value,) for _, b in both]
    )
    return found.share if found else None
