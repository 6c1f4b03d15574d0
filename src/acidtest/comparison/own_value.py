"""A quantity's value in one run alone, from its cases or, where none tells it, from its summaries."""

import math

import numpy as np

from acidtest.comparison.floors import Floor, floor_value
from acidtest.comparison.quantity import Quantity
from acidtest.data.corrected import Correction
from acidtest.data.outcomes import Failure, Score
from acidtest.data.runs import Run
from acidtest.data.terms import Direction
from acidtest.errors import BadData
from acidtest.stats.quantile import worst_tenth


def own_value(run: Run, wanted: Quantity) -> float | None:
    """Return the value over the run's own cases; None when nothing was scored or it is not told.

    Of all of its cases, a metric's figure is the one in the run's summary. An operation's is made of
    the cases that tell it; where none does, it is what the run says of itself.

    Raises:
        BadData: The run holds a value that is not finite.
    """
    plain = wanted.tag is None and wanted.head in run.metrics
    if plain or not run.cases:
        value = _summarised(run, wanted)
    else:
        outcomes = [wanted.read(case) for case in run.cases]
        values = [o.value for o in outcomes if isinstance(o, Score)]
        if values:
            value = statistic(values, wanted)
        else:
            value = _summarised(run, wanted) if wanted.is_operation else None
    if value is not None and not math.isfinite(value):
        raise BadData(
            f"{wanted.name} is {value} in the run {run.name!r}",
            fix="Make the run again: acidtest run --fresh",
        )
    return value


def held_value(run: Run, wanted: Quantity, floor_on: Floor) -> tuple[float | None, str]:
    """Return what a floor on it compares in this run, and what that is called."""
    summary = run.metrics.get(wanted.head)
    held = correction(run, wanted)
    if held is not None and held.mean is not None:
        return held.mean, "corrected mean"
    if summary is not None and wanted.tag is None and wanted.statistic == "mean":
        return floor_value(summary, floor_on)
    return own_value(run, wanted), wanted.statistic


def correction(run: Run, wanted: Quantity) -> Correction | None:
    """Return what people's labels make of a quantity; only means over all cases are corrected."""
    summary = run.metrics.get(wanted.head)
    if summary is None or wanted.tag is not None or wanted.statistic != "mean":
        return None
    return summary.corrected or None


def counts(run: Run, wanted: Quantity) -> tuple[int, int]:
    """Return how many cases were scored, and how many should have been and were not."""
    summary = run.metrics.get(wanted.head)
    if summary is None:
        return 0, 0
    if wanted.tag is None or not run.cases:
        return summary.scored, summary.failed
    outcomes = [wanted.read(case) for case in run.cases]
    return (
        sum(isinstance(o, Score) for o in outcomes),
        sum(isinstance(o, Failure) for o in outcomes),
    )


def statistic(values: list[float], wanted: Quantity) -> float:
    """Return the figure that is wanted of some values: mean, worst tenth, or a percentile."""
    data = np.asarray(values, dtype=np.float64)
    return figure(data, wanted.statistic, wanted.direction)


def figure(
    data: "np.ndarray[tuple[int], np.dtype[np.float64]]", kind: str, way: Direction
) -> float:
    """Return the mean, the worst tenth, or a percentile by interpolation."""
    if kind == "mean":
        return float(data.mean())
    if kind == "p10":
        return worst_tenth(data, lower_is_better=way == "lower")
    return float(np.quantile(data, int(kind[1:]) / 100))


def _summarised(run: Run, wanted: Quantity) -> float | None:
    summary = run.metrics.get(wanted.head)
    if summary is not None:
        if wanted.tag is not None:
            of_tag = run.tags.get(wanted.tag, {})
            return of_tag.get(wanted.head) if wanted.statistic == "mean" else None
        return {"mean": summary.mean, "p10": summary.p10, "p50": summary.p50}[wanted.statistic]
    if wanted.tag is not None:
        return None
    told = run.operations
    kind, _, part = wanted.head.partition(".")
    if kind == "latency_ms":
        percentiles = told.latency_ms.get(part)
        known = {"p50": percentiles.p50, "p95": percentiles.p95} if percentiles else {}
        return known.get(wanted.statistic)
    if wanted.statistic != "mean" or not run.info.golden.cases:
        return None
    whole = told.cost_usd if kind == "cost_usd" else None
    if kind == "tokens" and told.tokens is not None:
        whole = told.tokens.input if part == "input" else told.tokens.output
    return None if whole is None else whole / run.info.golden.cases
