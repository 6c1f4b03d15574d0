"""The geometry of a ranking's charts: intervals on one axis, and quality against a price.

The template draws them as inline SVG: bars `BAR` units wide, scatters `WIDTH` x `HEIGHT`.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from acidtest.data.sweep import Contender, Sweep
from acidtest.report.figures import interval, score

BAR = 200.0

WIDTH, HEIGHT = 360.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 24.0, 14.0, 34.0
"""The room that the axes of a scatter have around its points."""

LETTER = (6.5, 11.0)
"""About how large a digit beside a point is."""

SIDES = ((-8, 4), (-8, -5), (0, -8), (8, 4), (8, -5), (-8, 13), (0, 16), (8, 13))
"""Where a point's number may stand, from its middle: first on its left, where the line never comes from."""


class Axis(Struct, frozen=True):
    """An axis from `low` to `high`, with its marks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float, length: float) -> float:
        """Return where a value stands on so long an axis."""
        share = (value - self.low) / (self.high - self.low)
        return round(length * min(1.0, max(0.0, share)), 2)


class Bar(Struct, frozen=True, kw_only=True):
    """A mean and its interval on the common axis."""

    x: float
    low: float | None
    width: float | None
    label: str


class Point(Struct, frozen=True, kw_only=True):
    """A run in a scatter; `number` is its line in the table, shown where there is room for it."""

    key: str
    number: int
    x: float
    y: float
    text: tuple[float, float, str] | None
    front: bool
    label: str


class Scatter(Struct, frozen=True, kw_only=True):
    """Quality against one price: points, axes, and the line of those that none beats in both."""

    title: str
    label: str
    points: tuple[Point, ...]
    line: str
    across: tuple[tuple[float, str], ...]
    upright: tuple[tuple[float, str], ...]
    unknown: int


def axis(values: Iterable[float], marks: int = 6) -> Axis:
    """Return an axis with about so many round marks that holds all values; 0 is in it if near."""
    known = list(values)
    low, high = min(known), max(known)
    if 0.0 < low < 0.3 * high:
        low = 0.0
    # One value alone, or equal ones, stand in the middle of something.
    room = high - low or abs(high) * 0.2 or 1.0
    step = _round_step(room / marks)
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    if start == end:
        start, end = start - 1, end + 1
    ticks = tuple(round(n * step, 12) for n in range(start, end + 1))
    return Axis(ticks[0], ticks[-1], ticks)


def _round_step(least: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= least * (1 - 1e-9))


def score_axis(sweep: Sweep) -> Axis:
    """Return the axis of all means and intervals."""
    return axis(x for one in sweep.contenders for x in (one.value, *(one.ci or ())))


def bar(one: Contender, on: Axis) -> Bar:
    """Return a run's bar."""
    low = width = None
    label = f"mean {score(one.value)}"
    if one.ci is not None:
        low = on.at(one.ci[0], BAR)
        width = round(max(on.at(one.ci[1], BAR) - low, 2.0), 2)  # one of no width is still seen
        label += f", 95% interval {interval(one.ci)}"
    return Bar(x=on.at(one.value, BAR), low=low, width=width, label=label)


def scatter(
    sweep: Sweep,
    title: str,
    of: Callable[[Contender], float | None],
    figure: Callable[[float], str],
    key: Callable[[int], str],
) -> Scatter | None:
    """Return the mean against one price of the runs that tell it; None where fewer than two do.

    Args:
        sweep: The ranking.
        title: What the price is called.
        of: A run's price.
        figure: A price as text.
        key: The anchor of the run at a place in the ranking, counted from 1.
    """
    known = [
        (n, one, found)
        for n, one in enumerate(sweep.contenders, 1)
        if (found := of(one)) is not None
    ]
    if len(known) < 2:
        return None
    upright = axis(one.value for _, one, _ in known)
    across = axis((found for _, _, found in known), 4)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    spots = [
        (LEFT + across.at(found, wide), HEIGHT - BOTTOM - upright.at(one.value, high))
        for _, one, found in known
    ]
    texts = _texts([str(n) for n, _, _ in known], spots)
    points = tuple(
        Point(
            key=key(n),
            number=n,
            x=round(x, 2),
            y=round(y, 2),
            text=text,
            front=one.front,
            label=f"{n}. {one.run.name}: {sweep.metric} {score(one.value)}, {title} {figure(found)}"
            + (", on the front" if one.front else ""),
        )
        for (n, one, found), (x, y), text in zip(known, spots, texts, strict=True)
    )
    return Scatter(
        title=title,
        label=f"{sweep.metric} against {title}: {len(known)} runs from {figure(min(f for _, _, f in known))} "
        f"to {figure(max(f for _, _, f in known))}; each point leads to its line in the table",
        points=points,
        line=_staircase(sweep, known, points),
        across=tuple((round(LEFT + across.at(t, wide), 2), figure(t)) for t in across.ticks),
        upright=tuple(
            (round(HEIGHT - BOTTOM - upright.at(t, high), 2), f"{t:.4g}") for t in upright.ticks
        ),
        unknown=len(sweep.contenders) - len(known),
    )


def _staircase(
    sweep: Sweep, known: Sequence[tuple[int, Contender, float]], points: Sequence[Point]
) -> str:
    """Return the corners of the line through what no other beats in mean and this price, as steps."""
    sign = 1 if sweep.direction == "higher" else -1
    corners: list[str] = []
    best = -math.inf
    order = sorted(
        zip(known, points, strict=True), key=lambda one: (one[0][2], -sign * one[0][1].value)
    )
    for (_, one, _), point in order:
        if sign * one.value > best:
            if corners:
                corners.append(f"H{point.x}V{point.y}")
            else:
                corners.append(f"M{point.x} {point.y}")
            best = sign * one.value
    return "".join(corners)


def _texts(
    texts: Sequence[str], spots: Sequence[tuple[float, float]]
) -> list[tuple[float, float, str] | None]:
    """Return where each number stands: beside its point where nothing else is, else nowhere."""
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in spots]
    placed: list[tuple[float, float, str] | None] = []
    for text, (x, y) in zip(texts, spots, strict=True):
        wide, high = LETTER[0] * len(text), LETTER[1]
        for dx, dy in SIDES:
            anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
            left = x + dx - {"start": 0.0, "end": wide, "middle": wide / 2}[anchor]
            box = (left, y + dy - high + 2, left + wide, y + dy)
            inside = (
                box[0] >= LEFT and box[2] <= WIDTH and box[1] >= 0 and box[3] <= HEIGHT - BOTTOM
            )
            if inside and not any(_meet(box, other) for other in taken):
                taken.append(box)
                placed.append((round(x + dx, 2), round(y + dy, 2), anchor))
                break
        else:
            placed.append(None)
    return placed


Box = tuple[float, float, float, float]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
