"""What a floor holds against a metric of one run, and whether enough of it was scored."""

from typing import Literal

from acidtest.data.runs import Summary
from acidtest.data.terms import Direction

ENOUGH_SCORED = 0.95
"""Under this share scored of what applies nothing is decided, whatever the means say."""

ROUNDING = 1e-9
"""Differences up to this do not count."""

Floor = Literal["unsupported", "mean"]
"""What floors compare where the judge left claims undecided."""


def floor_value(summary: Summary, floor_on: Floor) -> tuple[float | None, str]:
    """Return what a floor compares, and what that is called.

    Where the judge left claims undecided, silence is no charge: one minus the share of unsupported
    claims counts, unless the mean over decided claims is asked for.
    """
    if floor_on == "unsupported" and summary.floor_value is not None:
        return summary.floor_value, "claims not unsupported"
    return summary.mean, "mean"


def holds(value: float, floor: float, direction: Direction) -> bool:
    """Say whether a value is at its floor or better; where lower is better the floor is a ceiling."""
    sign = 1 if direction == "higher" else -1
    return sign * value >= sign * floor - ROUNDING


def gap(scored: int, failed: int) -> str | None:
    """Say how much was scored where that is too little of what applies; None where it is enough."""
    applicable = scored + failed
    if not applicable or scored / applicable >= ENOUGH_SCORED:
        return None
    return f"{scored} of {applicable} scored"
