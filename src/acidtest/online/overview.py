"""The overview of a live system: each quantity over a span of time and day by day, of all traces or of a slice."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.watching import Estimate, Kind, Statistic
from acidtest.online import estimates
from acidtest.online.observed import Left, Mask, Observed, Places
from acidtest.online.readings import DAY_MS, Quantity, Series

SLICES = ("service", "model", "prompt_version")
"""What columns tell traces apart by; tags come beside."""

_READ: Mapping[Kind, Mapping[Statistic, Callable[[Series], Estimate]]] = {
    "score": {"mean": estimates.mean},
    "rate": {"rate": estimates.rate},
    "size": {
        "p50": lambda some: estimates.quantile(some, 0.5),
        "p95": lambda some: estimates.quantile(some, 0.95),
    },
}
_COST: Mapping[Statistic, Callable[[Series], Estimate]] = {
    "mean": estimates.mean,
    "sum": estimates.total,
}


class Daily(Struct, frozen=True, kw_only=True):
    """One quantity: in all of the time, and on each day; None where a day has no value.

    `unscored` counts traces on which the metric was skipped or failed; `left` are scores of another judge or
    version, which are in none of the figures.
    """

    name: str
    kind: Kind
    scored: bool
    whole: dict[Statistic, Estimate]
    days: dict[Statistic, tuple[Estimate | None, ...]]
    unscored: int = 0
    left: Left | None = None


class DayCount(Struct, frozen=True, kw_only=True):
    """How many traces began on a day, and how many of them have a score."""

    begins_ms: int
    traces: int
    scored: int


class Overview(Struct, frozen=True, kw_only=True):
    """All of it. `cut` says that older traces of the time were left out."""

    days: tuple[DayCount, ...]
    quantities: tuple[Daily, ...]
    traces: int
    scored: int
    cut: bool = False


def overview(seen: Observed, chosen: Mask | None, *, since_ms: int, until_ms: int) -> Overview:
    """Return the overview of what was observed.

    Args:
        seen: All traces of the time: the chances are of all of them, whatever slice is looked at.
        chosen: Which traces are in the slice; None for all.
        since_ms: The beginning, that of a day of UTC.
        until_ms: The end, excluded.
    """
    begins = list(range(since_ms, until_ms, DAY_MS))
    day = (seen.at_ms - since_ms) // DAY_MS
    inside = np.ones(len(day), np.bool_) if chosen is None else chosen
    n = np.bincount(day[inside], minlength=len(begins))
    scored = np.bincount(day[inside & seen.scored], minlength=len(begins))
    edges = np.array([*begins, until_ms])
    quantities = [
        replace(
            _daily(quantity, held, edges),
            unscored=_within(seen.unscored.get(quantity.name), inside),
            left=_left(seen, quantity, inside),
        )
        for quantity in seen.quantities()
        if len((held := seen.series(quantity, inside)).values)
    ]
    return Overview(
        days=tuple(
            DayCount(begins_ms=b, traces=int(n[k]), scored=int(scored[k]))
            for k, b in enumerate(begins)
        ),
        quantities=tuple(quantities),
        traces=int(inside.sum()),
        scored=int((inside & seen.scored).sum()),
        cut=seen.cut,
    )


def values_of(seen: Observed, by: str, *, most: int) -> list[tuple[str, int]]:
    """Return the most frequent values of a column of `SLICES`, with how many traces have each."""
    column = seen.names[by]
    often = np.bincount(column.numbers, minlength=len(column.names)).tolist()
    known = [(name, n) for name, n in zip(column.names, often, strict=True) if name is not None]
    return sorted(known, key=lambda each: -each[1])[:most]


def sliced(seen: Observed, wanted: Mapping[str, str], tagged: set[str] | None) -> Mask | None:
    """Return which traces are in a slice; None for all.

    Args:
        seen: The traces.
        wanted: A value by its column.
        tagged: Ids of traces that bear the tag that is wanted; None for no tag.
    """
    if not wanted and tagged is None:
        return None
    found = np.ones(len(seen.ids), np.bool_)
    for by, of in wanted.items():
        column = seen.names[by]
        found &= column.numbers == (column.names.index(of) if of in column.names else -1)
    if tagged is not None:
        found &= np.fromiter(map(tagged.__contains__, seen.ids), np.bool_, len(seen.ids))
    return found


def _daily(
    quantity: Quantity,
    held: Series,
    edges: "np.ndarray[tuple[int], np.dtype[np.int64]]",
) -> Daily:
    read = _COST if quantity.name == "cost_usd" else _READ[quantity.kind]
    # The series is in the order of time: a day is a piece of it.
    cuts = np.searchsorted(held.at_ms, edges).tolist()
    by_day = [_piece(held, a, b) if a < b else None for a, b in pairwise(cuts)]
    return Daily(
        name=quantity.name,
        kind=quantity.kind,
        scored=quantity.scored,
        whole={statistic: estimate(held) for statistic, estimate in read.items()},
        days={
            statistic: tuple(None if some is None else estimate(some) for some in by_day)
            for statistic, estimate in read.items()
        },
    )


def _within(places: Places | None, inside: Mask) -> int:
    return 0 if places is None else int(inside[places].sum())


def _left(seen: Observed, quantity: Quantity, inside: Mask) -> Left | None:
    """Return what is left out of the traces inside; None where nothing is."""
    metric = seen.metric_of(quantity)
    if not quantity.scored or metric not in seen.left:
        return None
    n = _within(seen.left_at[metric], inside)
    return replace(seen.left[metric], n=n) if n else None


def _piece(some: Series, a: int, b: int) -> Series:
    return Series(
        some.at_ms[a:b], some.values[a:b], some.weights[a:b], some.sessions[a:b], some.traces[a:b]
    )
