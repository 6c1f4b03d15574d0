"""Figures as they are printed everywhere: two or three decimals, and a dash for what is not known."""

import math
from collections.abc import Sequence

NONE = "-"
NBSP = "\u00a0"


def score(value: float | None, digits: int = 3) -> str:
    """Return a score; negative zero loses its sign."""
    return NONE if value is None else f"{value + 0.0:.{digits}f}"


def interval(bounds: Sequence[float] | None) -> str:
    """Return an interval such as `0.74-0.88`; a bound below zero is set off: `-0.02 to 0.10`."""
    if bounds is None:
        return NONE
    low, high = (score(x, 2) for x in bounds)
    return f"{low}-{high}" if not low.startswith("-") else f"{low} to {high}"


def delta(value: float, digits: int = 3) -> str:
    """Return a difference with its sign; what rounds to zero has none."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0.0 else text


def share(value: float | None) -> str:
    """Return a share in per cent."""
    return NONE if value is None else f"{value:.0%}"


def milliseconds(value: float | None) -> str:
    """Return a time: `0.03 ms`, `8.4 ms`, `340 ms`, `2.1 s`."""
    if value is None:
        return NONE
    if value < 10:
        digits = 1 if value >= 1 or value == 0 else 2 if value >= 0.01 else 3
        return f"{value:.{digits}f}{NBSP}ms"
    return f"{value:.0f}{NBSP}ms" if value < 1000 else f"{value / 1000:.1f}{NBSP}s"


def money(value: float | None) -> str:
    """Return dollars: cents from one on, four decimals below, and more where that leaves under two digits.

    What is unknown is no 0.
    """
    if value is None:
        return "price unknown"
    if value >= 1 or value == 0:
        return f"${value:.2f}"
    places = min(12, max(4, 1 - math.floor(math.log10(value))))
    return f"${value:.{places}f}"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """Return `1 case`, `3 cases`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
