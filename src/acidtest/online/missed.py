"""Fixed targets: missed when the whole interval lies on the wrong side, never by a point alone."""

from collections.abc import Iterable, Mapping, Sequence

from acidtest.data.watching import Estimate, Missed, Reading
from acidtest.online import estimates
from acidtest.online.cause import MOST_WORST
from acidtest.online.readings import DAY_MS, Quantity, Series, quantities, series, value_of

DAYS = 7
"""Targets are read over the latest week."""

LEAST = 50
LEVEL = 0.99
"""Of the interval: it is looked at every day."""


def missed(
    readings: Sequence[Reading],
    targets: Mapping[str, float],
    *,
    now_ms: int,
    lower_is_better: Iterable[str] = (),
) -> list[Missed]:
    """Return the targets that are missed in the latest week.

    A score is to reach its target, or to stay below it where less is better; a rate is to stay below; of
    latency and cost it is the 95th percentile that is to stay below. With fewer than 50 traces nothing is
    told.

    Args:
        readings: In any order.
        targets: Quantity and value.
        now_ms: The time.
        lower_is_better: Metrics of which less is better.
    """
    return [
        each
        for each in measured(readings, targets, now_ms=now_ms, lower_is_better=lower_is_better)
        if _is_missed(each)
    ]


def measured(
    readings: Sequence[Reading],
    targets: Mapping[str, float],
    *,
    now_ms: int,
    lower_is_better: Iterable[str] = (),
) -> list[Missed]:
    """Return all targets with what was measured, missed or not; those without enough traces are left out."""
    week = [r for r in readings if now_ms - DAYS * DAY_MS <= r.at_ms <= now_ms]
    fewer = frozenset(lower_is_better)
    known = {quantity.name: quantity for quantity in quantities(week)}
    found = []
    for name, target in sorted(targets.items()):
        quantity = known.get(name)
        some = series(week, quantity) if quantity else None
        if quantity is None or some is None or len(some.values) < LEAST:
            continue
        at_least = quantity.kind == "score" and name not in fewer
        found.append(
            Missed(
                metric=name, target=target, at_least=at_least, estimate=_estimate(some, quantity)
            )
        )
    return found


def beyond(
    readings: Sequence[Reading], targets: Sequence[Missed], *, now_ms: int
) -> tuple[str, ...]:
    """Return the ids of the latest week's traces on the wrong side of targets, the furthest and latest first.

    A trace beyond several targets comes before one that is beyond one.

    Args:
        readings: In any order; also traces whose chance to be scored is not known.
        targets: Those that are missed.
        now_ms: The time.
    """
    week = {r.trace: r for r in readings if now_ms - DAYS * DAY_MS <= r.at_ms <= now_ms}
    known = {quantity.name: quantity for quantity in quantities(week.values())}
    points: dict[str, float] = {}
    for each in targets:
        if (quantity := known.get(each.metric)) is None:
            continue
        held = {name: v for name, r in week.items() if (v := value_of(r, quantity)) is not None}
        far = {name: (each.target - v) * (1 if each.at_least else -1) for name, v in held.items()}
        furthest = max(far.values(), default=0.0)
        for name, by in far.items():
            if by > 0:
                points[name] = points.get(name, 0.0) + by / furthest
    ordered = sorted(points, key=lambda name: (-points[name], -week[name].at_ms, name))
    return tuple(ordered[:MOST_WORST])


def is_met(one: Missed) -> bool:
    """Say whether the estimate itself is on the right side."""
    return one.estimate.value >= one.target if one.at_least else one.estimate.value <= one.target


def _is_missed(one: Missed) -> bool:
    edge = one.estimate.high if one.at_least else one.estimate.low
    return edge is not None and (edge < one.target if one.at_least else edge > one.target)


def _estimate(some: Series, quantity: Quantity) -> Estimate:
    if quantity.kind == "size":
        return estimates.quantile(some, 0.95, level=LEVEL)
    if quantity.kind == "score":
        return estimates.mean(some, level=LEVEL)
    return estimates.rate(some, level=LEVEL)
