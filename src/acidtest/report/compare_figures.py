"""Figures of a comparison: scores, times, tokens and money, plain and as differences."""

from typing import Literal

from acidtest.data.terms import Stage
from acidtest.report.figures import NONE, delta, interval, milliseconds, money, score

Unit = Literal["score", "ms", "usd", "count"]


def unit_of(metric: str, stage: Stage | None = None) -> Unit:
    """Return what a metric is counted in; operations tell it by their names."""
    if stage not in {None, "operations"}:
        return "score"
    for start, unit in UNITS.items():
        if metric.startswith(start):
            return unit
    return "count" if stage == "operations" else "score"


UNITS: dict[str, Unit] = {"latency_ms": "ms", "cost_usd": "usd", "tokens": "count"}


def figure(value: float | None, unit: Unit) -> str:
    """Return a value in its unit."""
    if value is None:
        return NONE
    if unit == "score":
        return score(value)
    if unit == "ms":
        return milliseconds(value)
    if unit == "usd":
        return money(value)
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.3g}"


def signed(value: float | None, unit: Unit) -> str:
    """Return a difference in its unit, with its sign."""
    if value is None:
        return NONE
    if unit == "score":
        return delta(value)
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return sign + figure(abs(value), unit)


def between(ci: tuple[float, float] | None, unit: Unit) -> str:
    """Return an interval in its unit."""
    if unit == "score" or ci is None:
        return interval(ci)
    return f"{signed(ci[0], unit)} to {signed(ci[1], unit)}"


def p_value(p: float | None) -> str:
    """Return a p-value to three digits; "" where there is none."""
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
