"""The local judge's thresholds, fitted without the data that they are to be measured on."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from acidtest.judges.local.rules import THRESHOLDS, Thresholds


def without(task: str, family: str, data: Path) -> Thresholds:
    """Return the thresholds of a task that a family of data sets had no part in.

    Args:
        task: `faithfulness` or `context_usefulness`.
        family: Sets that share documents or makers.
        data: The folder of all sets.
    """
    from fit_local_judge import GRIDS, best

    tried = everything(task, data)
    families = np.array([unit.family for unit in tried.units])
    first, second = best(tried, families != family, task, 1.0)
    return msgspec.structs.replace(THRESHOLDS, **GRIDS[task][0][first], **GRIDS[task][1][second])


@cache
def everything(task: str, data: Path) -> Any:
    """Rule on a task's units at every point of the grids."""
    from fit_local_judge import trial

    return trial(task, labelled(data))


@cache
def labelled(data: Path) -> tuple[Any, ...]:
    """Return every unit that people labelled."""
    from local_judge_sets import units

    return tuple(unit for unit in units(data) if unit.labels != "machine")
