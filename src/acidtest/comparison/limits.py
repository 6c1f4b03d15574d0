"""The limits of a gate: floors, and how much worse than the baseline each quantity may be."""

import math
from collections.abc import Mapping

from msgspec import Struct

from acidtest.comparison.pair import shared_metrics
from acidtest.comparison.quantity import Quantity, quantity
from acidtest.data.outcomes import LARGEST
from acidtest.data.runs import Run, Summary
from acidtest.errors import UsageError

Drop = float | str
"""A difference such as 0.03, or a share of the baseline such as "20%"."""

EVERY = ""
"""The key of a tolerance that covers all shared metrics, beside named ones."""


class Tolerance(Struct, frozen=True):
    """How much worse it may be: `absolute`, or `share` of the baseline's value."""

    absolute: float = 0.0
    share: float = 0.0

    def of(self, baseline: float) -> float:
        """Return the tolerated drop from this baseline."""
        return self.absolute + self.share * abs(baseline)


class Limits(Struct, frozen=True):
    """Floors and tolerances by quantity; a quantity may have both."""

    floors: dict[Quantity, float]
    drops: dict[Quantity, Tolerance]

    @property
    def quantities(self) -> list[Quantity]:
        """Everything that is gated, tolerances first."""
        return list(dict.fromkeys([*self.drops, *self.floors]))


def limits_of(
    run: Run,
    baseline: Run | None,
    floors: Mapping[str, float] | None,
    drops: Drop | Mapping[str, Drop] | None,
) -> Limits:
    """Return what is gated.

    Without floors and tolerances no shared metric may drop at all.

    Raises:
        UsageError: Nothing to hold it to, a tolerance without a baseline, a limit that no number is or
            that can never fail; `UnknownName` where a name is none.
        Incomparable: A named metric is in one run only, or the runs share none.
    """
    if floors is not None and not isinstance(floors, Mapping):
        raise UsageError(
            f"{_told(floors)} names no metric", where="min", fix='Give a mapping, as {"mrr": 0.8}.'
        )
    if (drops is None or drops == {}) and not floors:
        if baseline is None:
            raise UsageError(
                "there is nothing to hold the run to", fix="Give a baseline or a floor."
            )
        drops = 0.0
    if drops is not None and drops != {} and baseline is None:
        raise UsageError(
            "a tolerated drop needs a baseline", where="max_drop", fix="Give one: --baseline RUN"
        )
    held: dict[Quantity, float] = {}
    for name, floor in (floors or {}).items():
        wanted = quantity(_name(name, "min"), [run], where="min")
        held[wanted] = _floor(wanted, floor, run)
    if baseline is None or drops is None:
        return Limits(held, {})
    return Limits(held, _tolerances(run, baseline, drops))


def _tolerances(
    run: Run, baseline: Run, drops: Drop | Mapping[str, Drop]
) -> dict[Quantity, Tolerance]:
    allowed: dict[Quantity, Tolerance] = {}
    named = dict(drops) if isinstance(drops, Mapping) else {EVERY: drops}
    every = named.pop(EVERY, None)
    if every is not None:
        tolerance = parse_drop(every)
        for metric in _droppable(baseline, run):
            allowed[quantity(metric, [run, baseline], where="max_drop")] = tolerance
    for name, drop in named.items():
        wanted = quantity(_name(name, "max_drop"), [run, baseline], where="max_drop")
        allowed[wanted] = parse_drop(drop)
    for wanted, tolerance in allowed.items():
        _can_fail(wanted, tolerance, baseline, run)
    return allowed


def parse_drop(given: Drop) -> Tolerance:
    """Read a tolerance: a number, or a percentage of the baseline.

    Raises:
        UsageError: It is neither, negative, or not finite.
    """
    text, value = "", math.nan
    try:
        text = str(given).strip()
        value = float(text.removesuffix("%"))
    except ValueError:
        text = text or _told(given)
    share = text.endswith("%")
    if isinstance(given, bool) or not 0 <= value <= LARGEST:
        raise UsageError(
            f"{_told(text)} is no tolerated drop",
            where="max_drop",
            fix="Give a number from 0 on, such as 0.03, or a share of the baseline, such as 20%.",
        )
    return Tolerance(share=value / 100) if share else Tolerance(absolute=value)


def _told(value: object) -> str:
    """Return a value as a message quotes it."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # an integer of thousands of digits
        return f"a {type(value).__name__}"


def _name(name: object, where: str) -> str:
    if not isinstance(name, str):
        raise UsageError(
            f"{_told(name)} is no metric's name", where=where, fix="Write it like 'recall@5'."
        )
    return name


def _droppable(baseline: Run, run: Run) -> list[str]:
    """Return the shared metrics that the baseline has something of to drop from.

    A baseline without a reranker has no candidates to score; one with a reranker, held against it,
    cannot have lost any.
    """
    return [name for name in shared_metrics(baseline, run) if _tells(baseline.metrics[name])]


def _tells(summary: Summary) -> bool:
    return summary.mean is not None or summary.failed > 0


def _floor(wanted: Quantity, floor: float, run: Run) -> float:
    number = floor if isinstance(floor, int | float) and not isinstance(floor, bool) else math.nan
    if not abs(number) <= LARGEST:
        raise UsageError(
            f"{_told(floor)} is no floor for {wanted.name}",
            where="min",
            fix="Give a finite number.",
        )
    if number > 1 and _within_one(wanted, run):
        raise UsageError(
            f"the floor {number:g} is above every score that {wanted.name} can have",
            where="min",
            fix=f"Scores go from 0 to 1: write {number / 100:g} for {number:g} %.",
        )
    return float(number)


def _can_fail(wanted: Quantity, tolerance: Tolerance, baseline: Run, run: Run) -> None:
    never = tolerance.absolute > 1 or (tolerance.share > 1 and wanted.direction == "higher")
    if never and _within_one(wanted, baseline) and _within_one(wanted, run):
        shown = f"{tolerance.share:.0%}" if tolerance.share else f"{tolerance.absolute:g}"
        raise UsageError(
            f"{wanted.name} can never drop by {shown}",
            where="max_drop",
            fix=f"Scores go from 0 to 1: write {tolerance.absolute / 100:g} for "
            f"{tolerance.absolute:g} points."
            if tolerance.absolute
            else "Give less than 100%.",
        )


def _within_one(wanted: Quantity, run: Run) -> bool:
    """Say whether this is a metric whose values, as far as they are seen, go from 0 to 1."""
    summary = run.metrics.get(wanted.head)
    if summary is None:
        return False
    seen = [summary.mean, summary.p10, summary.p50, *(summary.ci or ())]
    return all(value is None or 0 <= value <= 1 for value in seen)
