"""The overview of a live system: each quantity over a span of time and day by day, of all traces or of a slice."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from acidtest.data.watching import Estimate, Kind, Statistic
from acidtest.online import estimates
from acidtest.online.observed import Mask, Observed
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

    `unscored` counts traces on which the metric was skipped or failed.
    """

    name: str
    kind: Kind
    scored: bool
    whole: dict[Statistic, Estimate]
    days: dict[Statistic, tuple[Estimate | None, ...]]
    unscored: int = 0


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
    on = [inside & (day == k) for k in range(len(begins))]
    quantities = [
        _daily(seen, quantity, inside, on)
        for quantity in seen.quantities()
        if len(seen.plain(quantity, inside).values)
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
    often = Counter(getattr(trace, by) for trace in seen.traces)
    del often[None]
    return often.most_common(most)


def sliced(seen: Observed, wanted: Mapping[str, str], tagged: set[str] | None) -> Mask | None:
    """Return which traces are in a slice; None for all.

    Args:
        seen: The traces.
        wanted: A value by its column.
        tagged: Ids of traces that bear the tag that is wanted; None for no tag.
    """
    if not wanted and tagged is None:
        return None
    return np.array(
        [
            all(getattr(t, by) == of for by, of in wanted.items())
            and (tagged is None or t.id in tagged)
            for t in seen.traces
        ],
        np.bool_,
    )


def _daily(seen: Observed, quantity: Quantity, inside: Mask, on: Sequence[Mask]) -> Daily:
    read = _COST if quantity.name == "cost_usd" else _READ[quantity.kind]
    held = seen.plain(quantity, inside)
    by_day = [seen.plain(quantity, some) for some in on]
    return Daily(
        name=quantity.name,
        kind=quantity.kind,
        scored=quantity.scored,
        whole={statistic: estimate(held) for statistic, estimate in read.items()},
        days={
            statistic: tuple(estimate(some) if len(some.values) else None for some in by_day)
            for statistic, estimate in read.items()
        },
        unscored=seen.unscored.get(quantity.name, 0),
    )
