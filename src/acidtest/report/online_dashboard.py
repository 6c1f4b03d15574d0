"""What the dashboard says of each quantity: its title, figure and chart, and the days as a table."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from acidtest.data.watching import Estimate
from acidtest.report import figures
from acidtest.report.online_chart import Chart, columns, lines, told_of

TITLES = {
    "abstained": ("Abstained", "answers that decline"),
    "error": ("Errors", "answers that failed"),
    "thumbs_down": ("Thumbs down", "answers that somebody called bad"),
    "citation_error": ("Citation errors", "answers with a citation that is not valid"),
    "latency_ms": ("Latency", "half of the answers, and 95 of 100, take no longer"),
    "cost_usd": ("Cost", "of the answers themselves, without judging"),
}
"""Quantities by their name: a title, and what is meant. A metric is called by its name."""


class Tile(Struct, frozen=True, kw_only=True):
    """One quantity as it is shown; `rows` has a row a day: its date and one cell for each head."""

    key: str
    title: str
    code: bool
    hint: str
    figure: str
    interval: str
    note: str
    chart: Chart
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def teller(name: str, kind: str) -> Callable[[float], str]:
    """Return how a value of a quantity is told in words."""
    if name == "cost_usd":
        return figures.money
    if name == "latency_ms":
        return figures.milliseconds
    return _share if kind == "rate" else lambda value: figures.score(value, 2)


def tile(
    name: str,
    kind: str,
    whole: Sequence[tuple[str, Estimate]],
    days: Sequence[tuple[str, Sequence[Estimate | None]]],
    begins_ms: Sequence[int],
    note: str,
    *,
    broken_ms: int | None = None,
) -> Tile:
    """Return the tile of a quantity.

    Args:
        name: The quantity.
        kind: `score`, `rate` or `size`.
        whole: Each statistic over all of the time; the first is the figure.
        days: Each statistic on each day.
        begins_ms: When each day begins.
        note: What else is to be said.
        broken_ms: From when on the values are; what came before cannot be compared with them.
    """
    title, hint = TITLES.get(name, (name, ""))
    told = teller(name, kind)
    dates = [day(at) for at in begins_ms]
    lead = whole[0][1]
    spoken = f"{title} by day, {dates[0]} to {dates[-1]}"
    if name == "cost_usd":
        sums = [e.value if e is not None else 0.0 for e in dict(days)["sum"]]
        texts = [f"{d}: {told(v)}" for d, v in zip(dates, sums, strict=True)]
        chart = columns(spoken, sums, None, texts, told(max(sums)))
    else:
        most = 1.0 if kind == "rate" else math.inf
        first = None if broken_ms is None else dates.index(day(broken_ms))
        chart = lines(spoken, days, dates, told, unit=kind == "score", most=most, broken=first)
    return Tile(
        key=name,
        title=title,
        code=name not in TITLES,
        hint=hint,
        figure=_figure(name, whole, told),
        interval=_between(lead, told) if name != "cost_usd" else "",
        note=note,
        chart=chart,
        heads=tuple(s for s, _ in days),
        rows=tuple(
            (
                date,
                tuple("-" if some[n] is None else told_of(some[n], told) for _, some in days),  # type: ignore[arg-type]
            )
            for n, date in enumerate(dates)
        ),
    )


def day(at_ms: int) -> str:
    """Return the day of a moment, UTC, as 2026-11-30."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def moment(at_ms: int) -> str:
    """Return a moment, UTC, as 2026-11-30 09:15; a dash where no calendar has it."""
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return figures.NONE


def duration(ms: int) -> str:
    """Return a time in its largest fitting unit: `45 s`, `12 min`, `3.5 h`, `4 days`."""
    seconds = ms / 1000
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f}".removesuffix(".0") + f"{figures.NBSP}{unit}"
    return f"{seconds:.0f}{figures.NBSP}s"


def _figure(name: str, whole: Sequence[tuple[str, Estimate]], told: Callable[[float], str]) -> str:
    by = dict(whole)
    if name == "cost_usd":
        return told(by["sum"].value)
    if name == "latency_ms":
        return f"{told(by['p50'].value)}, p95 {told(by['p95'].value)}"
    return told(whole[0][1].value)


def _between(estimate: Estimate, told: Callable[[float], str]) -> str:
    if estimate.low is None:
        return "too few to give an interval"
    high = "?" if estimate.high is None else told(estimate.high)
    return f"95% interval {told(estimate.low)} to {high}"


def _share(value: float) -> str:
    return f"{value:.1%}"
