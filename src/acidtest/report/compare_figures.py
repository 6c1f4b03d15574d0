"""Figures of a comparison: scores, times, tokens and money, plain and as differences."""

from typing import Literal

from acidtest.data.terms import Stage
from acidtest.report.figures import NBSP, NONE, delta, interval, milliseconds, money, score

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
    """Return a difference in its unit, with its sign; what rounds to zero has none."""
    if value is None:
        return NONE
    if unit == "score":
        return delta(value)
    text = figure(abs(value), unit)
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return sign + text if any(digit in text for digit in "123456789") else text


def between(ci: tuple[float, float] | None, unit: Unit) -> str:
    """Return an interval in its unit, which stands once where both ends have the same."""
    if unit == "score" or ci is None:
        return interval(ci)
    low, high = signed(ci[0], unit), signed(ci[1], unit)
    end = f"{NBSP}{high.rpartition(NBSP)[2]}" if NBSP in high else ""
    return f"{low.removesuffix(end)} to {high}"


def p_value(p: float | None) -> str:
    """Return a p-value to three digits; "" where there is none."""
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
