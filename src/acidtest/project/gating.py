"""A gate from the command line and the configuration: whose limits hold, and by which names."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from acidtest.comparison.decide import Stale, gate
from acidtest.comparison.limits import EVERY, Drop, parse_drop
from acidtest.comparison.quantity import has
from acidtest.data.gate import Gate, GateMode
from acidtest.data.human import HumanLabel
from acidtest.data.runs import Run
from acidtest.errors import UnknownName, UsageError
from acidtest.project.calibrating.answers import Rows
from acidtest.project.config import Config
from acidtest.project.correcting import fitting
from acidtest.project.limit_names import head_of, named

T = TypeVar("T")


class Asked(Struct, frozen=True, kw_only=True):
    """What the command line says; None where it says nothing and the configuration holds."""

    floors: dict[str, float] = {}
    drops: dict[str, Drop] = {}
    mode: GateMode | None = None
    stale: Stale | None = None
    labels: Rows = ()
    baseline_labels: Rows = ()


def parse_drops(texts: Sequence[str]) -> dict[str, Drop]:
    """Read `[METRIC=]X` options; X is a number or a percentage of the baseline.

    Raises:
        UsageError: One of them is not of this form, or two are for the same metric.
    """
    drops: dict[str, Drop] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        name, number = name.strip(), number.strip()
        try:
            parse_drop(number)
        except UsageError as error:
            raise UsageError(
                f"{text!r} is not [METRIC=]DROP",
                where="--max-drop",
                fix="Write: --max-drop 0.03, --max-drop faithfulness=0.02 or --max-drop cost_usd=20%",
            ) from error
        if name in drops or ("=" in text and not name):
            raise UsageError(
                f"{name} is given twice" if name else f"{text!r} lacks the metric",
                where="--max-drop",
                fix="Give each once.",
            )
        drops[name] = number if number.endswith("%") else float(number)
    return drops


def gated(run: Run, baseline: Run | None, config: Config, asked: Asked) -> tuple[Gate, list[str]]:
    """Gate a run by what was asked, and by `[gate]` where nothing was.

    What the configuration says of metrics that the runs do not have is left out and told: one
    configuration serves all tiers.

    Raises:
        UsageError: As `gate`.
        Incomparable: As `gate`.
    """
    at = f"{config.path}: [gate]"
    labels, told = fitting(asked.labels, run, where="--labels")
    of_baseline: tuple[HumanLabel, ...] = ()
    if baseline is not None:
        of_baseline, more = fitting(asked.baseline_labels, baseline, where="--baseline-labels")
        told += more
    floors = named(config.gate.min, run.metrics, config, where=f"{at} min")
    for name in [n for n in floors if not _scored(n, run)]:
        del floors[name]
        told.append(f"Not checked: the floor on {name}, which {run.name} does not have")
    floors |= _asked(asked.floors, run, config, "--min")
    drops = _configured_drops(config, run, at) if baseline is not None else {}
    for name in [n for n in drops if n != EVERY and baseline and not _both(n, run, baseline)]:
        del drops[name]
        told.append(f"Not checked: the drop of {name}, which is not in both runs")
    if baseline is None and config.gate.max_drop is not None and not asked.drops:
        told.append("Not checked: the drop that [gate] max_drop tolerates, without a --baseline")
    drops |= _asked(asked.drops, run, config, "--max-drop")
    made = gate(
        run,
        baseline=baseline,
        min=floors,
        max_drop=drops or None,
        mode=asked.mode or config.gate.mode,
        stale=asked.stale or config.gate.stale,
        floor_on=config.gate.floor_on,
        labels=labels,
        baseline_labels=of_baseline,
    )
    return made, told


def _configured_drops(config: Config, run: Run, at: str) -> dict[str, Drop]:
    given = config.gate.max_drop
    if given is None:
        return {}
    if not isinstance(given, dict):
        return {EVERY: given}
    return named(given, run.metrics, config, where=f"{at} max_drop")


def _asked(limits: Mapping[str, T], run: Run, config: Config, where: str) -> dict[str, T]:
    try:
        return named(limits, run.metrics, config, where=where)
    except UnknownName:
        return dict(limits)  # what the runs have is the better suggestion: the gate makes it


def _scored(name: str, run: Run) -> bool:
    """Say whether a run can be held to a configured limit: it has the metric, and its mode uses it."""
    head = head_of(name, run.metrics)
    summary = run.metrics.get(head)
    left_out = summary is not None and run.info.mode != "live" and summary.skipped == summary.n
    return has(run, head) and not left_out


def _both(name: str, run: Run, baseline: Run) -> bool:
    return _scored(name, run) and _scored(name, baseline)
