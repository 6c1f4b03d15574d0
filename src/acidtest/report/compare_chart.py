"""The geometry of the comparison's charts: changes on an axis with 0 in its middle.

The template draws them as inline SVG, `2 * HALF` units wide.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from acidtest.data.compared import Change
from acidtest.report.figures import delta

HALF = 100.0

SCORE_ENDS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
SHARE_ENDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Where an axis can end: of scores, and of times, tokens and money as shares of the baseline's."""


Span = tuple[float, tuple[float, float] | None]
"""A change and its interval."""


class Mark(Struct, frozen=True, kw_only=True):
    """Where a change and its interval stand on an axis; what leaves it is cut at its end."""

    x: float
    low: float | None = None
    width: float | None = None
    label: str = ""


def end_of(marks: Iterable[float], ends: Sequence[float]) -> float:
    """Return the first end that holds every value, else the last."""
    most = max((abs(value) for value in marks), default=0.0)
    return next((end for end in ends if most <= end + 1e-9), ends[-1])


def place(value: float, end: float) -> float:
    """Return where a value stands on an axis from -`end` to `end`."""
    return round(HALF + HALF * max(-1.0, min(1.0, value / end)), 2)


def mark(span: Span, end: float, label: str) -> Mark:
    """Return a change with its interval on an axis."""
    value, ci = span
    if ci is None:
        return Mark(x=place(value, end), label=f"{label}{delta(value)}")
    low, high = place(ci[0], end), place(ci[1], end)
    return Mark(
        x=place(value, end),
        low=low,
        width=round(max(high - low, 1.0), 2),  # an interval of no width is still seen
        label=f"{label}{delta(value)}, 95% interval {delta(ci[0])} to {delta(ci[1])}",
    )


def drawn(change: Change) -> Span | None:
    """Return a change and its interval as drawn: times, tokens and money as shares of the baseline's.

    None where the baseline's is 0, of which nothing is a share.
    """
    if change.stage != "operations":
        return change.delta, change.ci
    if change.base <= 0.0:
        return None
    ci = None if change.ci is None else (change.ci[0] / change.base, change.ci[1] / change.base)
    return change.delta / change.base, ci


def extent(spans: Iterable[Span | None]) -> list[float]:
    """Return all values that an axis should hold."""
    return [x for span in spans if span is not None for x in (span[0], *(span[1] or ()))]
