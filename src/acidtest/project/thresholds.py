"""Floors on a finished run: `--min METRIC=X` and `[gate] min`."""

from collections.abc import Mapping

from msgspec import Struct

from acidtest.comparison.floors import Floor, gap, holds
from acidtest.comparison.own_value import held_value
from acidtest.comparison.quantity import OPERATIONS, Quantity, has, quantity
from acidtest.data.readings import Threshold
from acidtest.data.runs import Run
from acidtest.errors import UsageError
from acidtest.project.limit_names import head_of


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
        floors: What can be gated -> its least value, such as `recall@5`, `recall@5.p10`, `cost_usd`.
        floor_on: What is compared where the judge left claims undecided: one minus the share of
            unsupported claims, or the mean over decided claims.

    Raises:
        UnknownName: A floor on something that the run does not have.
    """
    thresholds = []
    for name, floor in floors.items():
        head = head_of(name, run.metrics)
        if head in OPERATIONS and not has(run, head):
            wanted = Quantity(head)  # the pipeline did not report it: nothing to hold
        else:
            wanted = quantity(name, [run], where="--min")
        value, on = held_value(run, wanted, floor_on)
        passed = None if value is None else holds(value, floor, wanted.direction)
        thresholds.append(
            Threshold(
                metric=name,
                floor=floor,
                value=value,
                passed=passed,
                on=on,
                direction=wanted.direction,
            )
        )
    return Check(thresholds=tuple(thresholds), incomplete=tuple(_incomplete(run)))


def applicable(run: Run, floors: Mapping[str, float]) -> dict[str, float]:
    """Return the configured floors that this run can be held to.

    One configuration serves all tiers and modes: a metric that was not run, or that the mode leaves
    out (retrieval in golden-context mode, generation in retrieval-only mode), is not checked.
    """
    left_out = {
        name for name, s in run.metrics.items() if run.info.mode != "live" and s.skipped == s.n
    }
    heads = {name: head_of(name, run.metrics) for name in floors}
    return {n: x for n, x in floors.items() if has(run, heads[n]) and heads[n] not in left_out}


def parse_floors(texts: tuple[str, ...]) -> dict[str, float]:
    """Read `METRIC=X` options.

    Raises:
        UsageError: One of them is not of this form, not a finite number, or of a metric that has one.
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
        if name.strip() in floors:
            raise UsageError(
                f"{name.strip()} is given twice", where="--min", fix="Give each floor once."
            )
        floors[name.strip()] = value
    return floors


def _incomplete(run: Run) -> list[str]:
    reasons = []
    for name, summary in run.metrics.items():
        if lack := gap(summary.scored, summary.failed):
            reasons.append(f"{name}: {lack}")
    if all(summary.scored == 0 for summary in run.metrics.values()):
        reasons.append("nothing was scored")
    return reasons
