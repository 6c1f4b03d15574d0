"""Floors on a finished run: `--min METRIC=X` and `[gate] min`."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from acidtest.data.readings import Threshold
from acidtest.data.runs import Run, Summary
from acidtest.errors import UnknownName, UsageError

COVERAGE = 0.95
"""Under this share scored of what applies, a run is incomplete, whatever its means say."""

Floor = Literal["unsupported", "mean"]


class Check(Struct, frozen=True, kw_only=True):
    """What a run amounts to: its floors, and what keeps it from being complete."""

    thresholds: tuple[Threshold, ...]
    incomplete: tuple[str, ...]

    @property
    def exit_status(self) -> int:
        """Return 1 when a floor is missed, 3 when something is incomplete or open, else 0."""
        if any(t.passed is False for t in self.thresholds):
            return 1
        open_floors = any(t.passed is None for t in self.thresholds)
        return 3 if self.incomplete or open_floors else 0

    def lines(self, run: str) -> list[str]:
        """Return what there is to tell of floors and coverage, one sentence each."""
        told = []
        for t in self.thresholds:
            if t.passed is None:
                told.append(
                    f"{run}: INCONCLUSIVE {t.metric}: nothing was scored, floor {t.floor:g}"
                )
            else:
                word = "ok" if t.passed else "BELOW FLOOR"
                told.append(f"{run}: {word} {t.metric} {t.value:.4f} ({t.on}), floor {t.floor:g}")
        return told + [f"{run}: INCOMPLETE {reason}" for reason in self.incomplete]


def check_run(run: Run, floors: Mapping[str, float], *, floor_on: Floor = "unsupported") -> Check:
    """Hold a run to its floors, and see whether enough of it was scored.

    For a metric where lower is better the threshold is a ceiling. Differences under 1e-9 do not
    count.

    Args:
        run: The run.
        floors: Metric name -> least mean.
        floor_on: What is compared where the judge left claims undecided: one minus the share of
            unsupported claims, or the mean over decided claims.

    Raises:
        UnknownName: A floor on a metric that the run does not have.
    """
    thresholds = []
    for name, floor in floors.items():
        if name not in run.metrics:
            raise UnknownName("metric in this run", name, run.metrics, where="--min")
        summary = run.metrics[name]
        value, on = _compared(summary, floor_on)
        sign = 1 if summary.direction == "higher" else -1
        passed = None if value is None else sign * value >= sign * floor - 1e-9
        thresholds.append(Threshold(metric=name, floor=floor, value=value, passed=passed, on=on))
    return Check(thresholds=tuple(thresholds), incomplete=tuple(_incomplete(run)))


def applicable(run: Run, floors: Mapping[str, float]) -> dict[str, float]:
    """Return the configured floors that this run can be held to.

    One configuration serves all tiers and modes: a metric that was not run, or that the mode leaves
    out (retrieval in golden-context mode, generation in retrieval-only mode), is not checked.
    """
    left_out = {
        name for name, s in run.metrics.items() if run.info.mode != "live" and s.skipped == s.n
    }
    return {n: x for n, x in floors.items() if n in run.metrics and n not in left_out}


def parse_floors(texts: tuple[str, ...]) -> dict[str, float]:
    """Read `METRIC=X` options.

    Raises:
        UsageError: One of them is not of this form, or not a finite number.
    """
    floors: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not equals or not name or value in (float("inf"), float("-inf")) or value != value:  # noqa: PLR0124
            raise UsageError(
                f"{text!r} is not METRIC=NUMBER", where="--min", fix="Write: --min recall@5=0.9"
            )
        floors[name.strip()] = value
    return floors


def _compared(summary: Summary, floor_on: Floor) -> tuple[float | None, str]:
    if floor_on == "unsupported" and summary.floor_value is not None:
        return summary.floor_value, "claims not unsupported"
    return summary.mean, "mean"


def _incomplete(run: Run) -> list[str]:
    reasons = []
    for name, summary in run.metrics.items():
        applicable = summary.scored + summary.failed
        if applicable and summary.scored / applicable < COVERAGE:
            reasons.append(f"{name}: {summary.scored} of {applicable} scored")
    if all(summary.scored == 0 for summary in run.metrics.values()):
        reasons.append("nothing was scored")
    return reasons
