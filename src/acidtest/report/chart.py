"""The geometry of the report's small charts; the template draws them as inline SVG.

All of them are scales from 0 to 1 over `WIDTH` units. A value outside has no place on them and gets
no mark: its figure stands beside.
"""

from msgspec import Struct

from acidtest.data.readings import Finding
from acidtest.data.runs import Summary

WIDTH = 200.0


class Bar(Struct, frozen=True, kw_only=True):
    """Where the mean, the interval, p10 and the target stand; None is not drawn."""

    mean: float | None = None
    low: float | None = None
    width: float | None = None
    p10: float | None = None
    target: float | None = None
    label: str = ""


def bar(summary: Summary, finding: Finding | None) -> Bar:
    """Return the bar of one metric."""
    low = width = None
    if summary.ci is not None and (start := at(summary.ci[0])) is not None:
        end = at(summary.ci[1])
        if end is not None:
            # An interval of no width is still seen.
            low, width = start, max(end - start, 2.0)
    return Bar(
        mean=at(summary.mean),
        low=low,
        width=width,
        p10=at(summary.p10),
        target=at(finding.target) if finding else None,
        label=_label(summary, finding),
    )


def at(value: float | None) -> float | None:
    """Return the place of a value on the scale, or None when it has none."""
    if value is None or not 0.0 <= value <= 1.0:
        return None
    return round(value * WIDTH, 2)


def _label(summary: Summary, finding: Finding | None) -> str:
    if summary.mean is None:
        return "nothing scored"
    text = f"mean {summary.mean:.3f}"
    if summary.ci is not None:
        text += f", 95% interval {summary.ci[0]:.3f} to {summary.ci[1]:.3f}"
    if summary.p10 is not None:
        text += f", worst tenth up to {summary.p10:.3f}"
    return f"{text}, target {finding.target:.2f}" if finding else text
