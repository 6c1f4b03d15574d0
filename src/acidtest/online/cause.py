"""What explains a change: the slice of traces without which it is gone; and the traces that show it best."""

from collections.abc import Sequence

import numpy as np

from acidtest.data.watching import Cause, Drift, Estimate, Reading
from acidtest.online import estimates
from acidtest.online.readings import Quantity, Series, in_slice, quantities, series, value_of

LEAST = 10
"""Traces of a slice after the change, from which on it can be a cause."""

MOST_WORST = 10

_EXPLAINS = 0.6


def cause_of(readings: Sequence[Reading], drift: Drift) -> Cause | None:
    """Return the slice that explains a change best; None where none explains 60 % of it.

    With the traces of a slice left out on both sides, the change of the mean is what the others changed; the
    rest is the slice's. A slice that has all traces since, and had not before, explains all, unless it was as
    the others were while there were both. It must have moved itself, by its interval. Among equals the one
    with the fewest traces is named.

    Args:
        readings: Of the reference window and all since, without what is left out.
        drift: What moved; nothing explains a change of the questions.
    """
    inside = [r for r in readings if in_slice(r, drift.by, drift.of)]
    quantity = next((q for q in quantities(inside) if q.name == drift.metric), None)
    if quantity is None or drift.since_ms is None:
        return None
    since = drift.since_ms
    old, new = [r for r in inside if r.at_ms < since], [r for r in inside if r.at_ms >= since]
    before, after = _scaled(old, quantity), _scaled(new, quantity)
    if not len(before.values) or not len(after.values):
        return None
    change = _mean(after) - _mean(before)
    found = []
    for by, of in sorted({(by, of) for r in new for by, names in r.slices.items() for of in names}):
        if (by, of) == (drift.by, drift.of) or not change:
            continue
        one = _explained(old, new, quantity, by, of, change, _mean(before))
        if one is not None:
            found.append(one)
    return min(found, key=lambda c: (-round(c.explains, 1), c.after.n, c.by, c.of), default=None)


def _explained(
    old: Sequence[Reading],
    new: Sequence[Reading],
    quantity: Quantity,
    by: str,
    of: str,
    change: float,
    usual: float,
) -> Cause | None:
    inside = [r for r in new if in_slice(r, by, of)]
    left = [r for r in new if not in_slice(r, by, of)]
    own, rest = _scaled(inside, quantity), _scaled(left, quantity)
    others = _scaled([r for r in old if not in_slice(r, by, of)], quantity)
    if len(own.values) < LEAST or not len(others.values):
        return None  # too few, or all there ever was
    explains = 1.0
    if len(rest.values):
        explains = min(max(1 - (_mean(rest) - _mean(others)) / change, 0.0), 1.0)
    elif len(others.values) < len(_scaled(old, quantity).values) / 2:
        return None  # it was most of it before, too
    elif _was_well([r for r in old if in_slice(r, by, of)], quantity, _mean(others), _mean(own)):
        return None
    if not _has_moved(own, usual) or explains < _EXPLAINS or (_mean(own) - usual) * change <= 0:
        return None
    return Cause(
        by=by,
        of=of,
        explains=explains,
        after=_shown(inside, quantity),
        rest=_shown(left, quantity) if len(rest.values) else None,
        metric=quantity.name,
    )


def _has_moved(own: Series, usual: float) -> bool:
    """Say whether a slice is elsewhere than usual, by its interval.

    Values that are all one, such as a flat price, have none: there as many conversations as it takes do.
    """
    found = estimates.mean(own)
    if found.low is None or found.high is None:
        alike = float(np.ptp(own.values)) == 0
        return alike and len(set(own.sessions)) >= LEAST and found.value != usual
    return not found.low <= usual <= found.high


def _was_well(before: Sequence[Reading], quantity: Quantity, others: float, since: float) -> bool:
    """Say whether a slice that has all traces since was there before, and was as the others were then.

    What took over and was well for some days is not what broke it.
    """
    own = _scaled(before, quantity)
    return len(own.values) >= LEAST and abs(_mean(own) - others) < abs(_mean(own) - since)


def worst(
    readings: Sequence[Reading],
    drifts: Sequence[Drift],
    cause: Cause | None,
) -> tuple[str, ...]:
    """Return the ids of the traces that show best what moved: those furthest the way that it moved.

    A trace that shows several of the changes comes before one that shows one.

    Args:
        readings: As for `cause_of`; also traces whose chance to be scored is not known.
        drifts: What moved together.
        cause: Only its traces are shown, where there is one.
    """
    points: dict[str, float] = {}
    for drift in drifts:
        for reading, value in _since(readings, drift, cause):
            points[reading.trace] = points.get(reading.trace, 0.0) + value
    ordered = sorted(points, key=lambda trace: (-points[trace], trace))
    return tuple(ordered[:MOST_WORST])


def _since(
    readings: Sequence[Reading], drift: Drift, cause: Cause | None
) -> list[tuple[Reading, float]]:
    """Return the traces since a change with how far each is the way that it moved, from 0 to 1."""
    by, of = (cause.by, cause.of) if cause else (drift.by, drift.of)
    inside = [r for r in readings if in_slice(r, drift.by, drift.of) and in_slice(r, by, of)]
    quantity = next((q for q in quantities(inside) if q.name == drift.metric), None)
    if quantity is None or drift.since_ms is None:
        return []
    held = [
        (r, v)
        for r in inside
        if r.at_ms >= drift.since_ms and (v := value_of(r, quantity)) is not None
    ]
    if not held:
        return []
    values = np.array([value for _, value in held])
    width = float(np.ptp(values)) or 1.0
    far = (values - values.min()) / width if drift.rising else (values.max() - values) / width
    return [(r, float(f)) for (r, _), f in zip(held, far, strict=True) if f > 0]


def _scaled(readings: Sequence[Reading], quantity: Quantity) -> Series:
    some = series(readings, quantity)
    if quantity.kind != "size":
        return some
    # Latencies and costs are multiplied more than added to.
    return Series(
        some.at_ms, np.log(np.maximum(some.values, 1e-9)), some.weights, some.sessions, some.traces
    )


def _mean(some: Series) -> float:
    return float(some.weights @ some.values / some.weights.sum())


def _shown(readings: Sequence[Reading], quantity: Quantity) -> Estimate:
    some = series(readings, quantity)
    if quantity.kind == "size":
        return estimates.quantile(some, 0.5)
    return estimates.mean(some) if quantity.kind == "score" else estimates.rate(some)
