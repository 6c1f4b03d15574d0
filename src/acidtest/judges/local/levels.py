"""Levels: how much the judge decides is a choice, and what each choice costs was measured.

`benchmarks/fit_local_judge.py` fitted the thresholds of each level and wrote them down, with what they decided
and how often that was wrong on data they were not fitted on.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from acidtest.judges.local.rules import THRESHOLDS, Thresholds


class Level(Struct, frozen=True, kw_only=True):
    """One point of a task's risk-coverage curve: means over data sets, with 95 % intervals.

    Attributes:
        factor: How many times the usual cost a wrong ruling had when it was fitted; 1 is the default,
            None where nothing was fitted.
        thresholds: Where the rules cut.
        coverage: Share of the units that are decided.
        coverage_ci: Its interval, bootstrapped over documents or questions.
        risk: Share of the rulings that are wrong.
        risk_ci: Likewise.
        against: How often unsupported, useless or incorrect is right.
        against_ci: Likewise.
        in_favour: How often supported, useful or correct is right.
        in_favour_ci: Likewise.
    """

    factor: float | None
    thresholds: dict[str, float]
    coverage: float
    coverage_ci: tuple[float, float]
    risk: float
    risk_ci: tuple[float, float]
    against: float
    against_ci: tuple[float, float]
    in_favour: float
    in_favour_ci: tuple[float, float]


class Levels(Struct, frozen=True, kw_only=True):
    """Every task's levels, and where they come from.

    Attributes:
        version: The judge's version that they are for.
        fitted_by: The script, in the source.
        sets: Each task's data sets, and how many units of each.
        tasks: Each task's levels, the one that decides least first.
    """

    version: str
    fitted_by: str
    sets: dict[str, dict[str, int]]
    tasks: dict[str, tuple[Level, ...]]


@cache
def levels() -> Levels:
    """Return the levels that come with this version of the judge."""
    raw = files("acidtest.judges.local").joinpath("levels.json").read_bytes()
    return msgspec.json.decode(raw, type=Levels)


def at_coverage(coverage: float) -> Thresholds:
    """Return the thresholds of the levels that decide nearest to a share of the units, task by task.

    Args:
        coverage: The share to decide, 0..1, on data like that which was measured. Tasks differ in how
            little or much they can decide: each takes its nearest.
    """
    cut = THRESHOLDS
    for task in levels().tasks.values():
        cut = msgspec.structs.replace(cut, **_nearest(task, coverage).thresholds)
    return cut


def _nearest(task: Sequence[Level], coverage: float) -> Level:
    return min(task, key=lambda level: abs(level.coverage - coverage))
