"""A run read against targets and floors."""

from typing import Literal

from msgspec import Struct

from acidtest.data.terms import Direction

TargetStatus = Literal["met", "below", "unreachable", "untrusted", "missing"]


class Finding(Struct, frozen=True, kw_only=True):
    """One line of the diagnostic tree: a metric against its target, and what to do about it.

    `unreachable`: the labels cap the metric at `ceiling`, below the target. `untrusted`: a line
    above (the recall target) fails first, so this value says little yet. `missing`: nothing scored.
    """

    metric: str
    status: TargetStatus
    target: float
    value: float | None
    ceiling: float | None = None
    look: str = ""
    mends: tuple[str, ...] = ()
    note: str = ""


class Scorecard(Struct, frozen=True, kw_only=True):
    """A run read against its targets: where it breaks first, and which cases show it.

    `verdicts` counts the per-case diagnoses. `faithful_correct` is the faithful x correct table:
    "faithful, correct", "faithful, wrong", "unfaithful, correct", "unfaithful, wrong" to case ids.
    `notes` are findings on the whole run in words, such as over-retrieval; `grave` is one that makes
    the scores worthless, such as declining everything, and leads the report.
    """

    findings: tuple[Finding, ...] = ()
    verdicts: dict[str, int] = {}
    faithful_correct: dict[str, tuple[str, ...]] = {}
    notes: tuple[str, ...] = ()
    grave: str = ""


class Threshold(Struct, frozen=True, kw_only=True):
    """One floor held against one metric of a run (a ceiling where lower is better).

    `on` says what of the metric was compared; `passed` is None when nothing was scored.
    """

    metric: str
    floor: float
    value: float | None
    passed: bool | None
    on: str
    direction: Direction = "higher"
