"""The geometry of charts over days: lines with their intervals, and bars; templates draw them as inline SVG.

A day without a value is a gap in the line, never a 0. Figures stand beside every chart as text.
"""

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from acidtest.data.watching import Estimate
from acidtest.report.figures import NBSP

WIDTH = 320.0
HEIGHT = 90.0
_EDGE = 5.0
"""Room above, below and beside, so that dots are whole."""


class Dot(Struct, frozen=True, kw_only=True):
    """A day's value, with what it says in words."""

    x: float
    y: float
    text: str


class Line(Struct, frozen=True, kw_only=True):
    """One statistic: `strokes` are the points of each unbroken stretch, `bands` those around intervals."""

    name: str
    strokes: tuple[str, ...]
    bands: tuple[str, ...]
    dots: tuple[Dot, ...]


class Column(Struct, frozen=True, kw_only=True):
    """A day's bar, and the part of it that is set apart."""

    x: float
    width: float
    y: float
    height: float
    part_y: float
    part_height: float
    text: str


class Chart(Struct, frozen=True, kw_only=True):
    """A chart of some days; `top` and `bottom` are the ends of its scale in words."""

    label: str
    top: str
    bottom: str
    lines: tuple[Line, ...] = ()
    columns: tuple[Column, ...] = ()
    broken: float | None = None
    """Where what came before cannot be compared with what came after."""


def lines(
    label: str,
    series: Sequence[tuple[str, Sequence[Estimate | None]]],
    days: Sequence[str],
    told: Callable[[float], str],
    *,
    unit: bool,
    most: float = math.inf,
    broken: int | None = None,
) -> Chart:
    """Return a chart of one statistic or several.

    Args:
        label: What it shows, for who does not see it.
        series: The name of each, and its value on each day.
        days: Each day in words.
        told: A value in words.
        unit: Values lie between 0 and 1, and small changes matter: the scale need not begin at 0.
        most: The scale ends there at the latest.
        broken: The day before which a line is drawn: what is left of it cannot be compared.
    """
    low, high = _range([e for _, some in series for e in some if e is not None], unit=unit)
    high = max(min(high, most), low + (high - low) / 2)

    def place(n: int) -> float:
        return _across(n, len(days))

    def level(value: float) -> float:
        share = (value - low) / (high - low)
        return round(HEIGHT - _EDGE - share * (HEIGHT - 2 * _EDGE), 1)

    return Chart(
        label=label,
        top=told(high),
        bottom=told(low),
        lines=tuple(_line(name, some, days, told, place, level) for name, some in series),
        broken=None if broken is None else max(place(broken) - _EDGE, 0.0),
    )


def columns(
    label: str, whole: Sequence[float], part: Sequence[float] | None, texts: Sequence[str], top: str
) -> Chart:
    """Return a chart of a bar a day.

    Args:
        label: What it shows, for who does not see it.
        whole: The height of each.
        part: How much of each is set apart; None for nothing.
        texts: What each says in words.
        top: The highest in words.
    """
    most = max([*whole, 0.0]) or 1.0
    step = WIDTH / max(len(whole), 1)
    room = HEIGHT - _EDGE
    made = []
    for n, value in enumerate(whole):
        tall, inner = (room * v / most for v in (value, part[n] if part is not None else 0.0))
        made.append(
            Column(
                x=round(n * step + step * 0.12, 1),
                width=round(step * 0.76, 1),
                y=round(HEIGHT - tall, 1),
                height=round(tall, 1),
                part_y=round(HEIGHT - inner, 1),
                part_height=round(inner, 1),
                text=texts[n],
            )
        )
    return Chart(label=label, top=top, bottom="0", columns=tuple(made))


def _range(known: Sequence[Estimate], *, unit: bool) -> tuple[float, float]:
    if not known:
        return 0.0, 1.0
    lows = [e.value if e.low is None else e.low for e in known]
    highs = [e.value if e.high is None else e.high for e in known]
    low, high = min(lows), max(highs)
    if not unit:
        low, high = min(low, 0.0), high * 1.05
    else:
        pad = max((high - low) * 0.1, 0.01)
        low, high = low - pad, high + pad
        if min(lows) >= 0 and max(highs) <= 1:
            low, high = max(low, 0.0), min(high, 1.0)
    return (low, high) if high > low else (low, low + 1.0)


def _across(n: int, of: int) -> float:
    if of < 2:
        return WIDTH / 2
    return round(_EDGE + n * (WIDTH - 2 * _EDGE) / (of - 1), 1)


def _line(
    name: str,
    some: Sequence[Estimate | None],
    days: Sequence[str],
    told: Callable[[float], str],
    place: Callable[[int], float],
    level: Callable[[float], float],
) -> Line:
    strokes, bands = [], []
    for stretch in _stretches(some):
        if len(stretch) > 1:
            strokes.append(" ".join(f"{place(n)},{level(e.value)}" for n, e in stretch))
        held = [(n, e.low, e.high) for n, e in stretch if e.low is not None and e.high is not None]
        if len(held) > 1:
            up = [f"{place(n)},{level(high)}" for n, _, high in held]
            down = [f"{place(n)},{level(low)}" for n, low, _ in reversed(held)]
            bands.append(" ".join(up + down))
    return Line(
        name=name,
        strokes=tuple(strokes),
        bands=tuple(bands),
        dots=tuple(
            Dot(x=place(n), y=level(e.value), text=f"{days[n]}: {told_of(e, told)}")
            for n, e in enumerate(some)
            if e is not None
        ),
    )


def told_of(estimate: Estimate, told: Callable[[float], str]) -> str:
    """Return an estimate in words: `0.87 (0.84 to 0.90, n 412)`; before the number no line ends."""
    n = f"n{NBSP}{estimate.n:,}"
    if estimate.low is None and estimate.high is None:
        return f"{told(estimate.value)} ({n})"
    low = "?" if estimate.low is None else told(estimate.low)
    high = "?" if estimate.high is None else told(estimate.high)
    return f"{told(estimate.value)} ({low} to {high}, {n})"


def _stretches(some: Sequence[Estimate | None]) -> list[list[tuple[int, Estimate]]]:
    found: list[list[tuple[int, Estimate]]] = [[]]
    for n, each in enumerate(some):
        if each is None:
            found.append([])
        else:
            found[-1].append((n, each))
    return [stretch for stretch in found if stretch]
