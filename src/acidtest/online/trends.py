"""Trends: what the live system does per day, of all traces and of slices, each with its interval."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from acidtest.data.watching import Estimate, Kind, Reading, Statistic, Trend
from acidtest.online import estimates
from acidtest.online.readings import (
    DAY_MS,
    Quantity,
    Series,
    in_slice,
    quantities,
    series,
)

_READ: Mapping[Kind, Mapping[Statistic, Callable[[Series], Estimate]]] = {
    "score": {"mean": estimates.mean},
    "rate": {"rate": estimates.rate},
    "topic": {"rate": estimates.rate},
    "size": {
        "p50": lambda some: estimates.quantile(some, 0.5),
        "p95": lambda some: estimates.quantile(some, 0.95),
    },
}
_SUMMED: Mapping[Statistic, Callable[[Series], Estimate]] = {
    "mean": estimates.mean,
    "sum": estimates.total,
}


def trends(
    readings: Sequence[Reading],
    *,
    since_ms: int,
    until_ms: int,
    window_ms: int = DAY_MS,
    slices: Iterable[tuple[str, str]] = (),
) -> list[Trend]:
    """Return every quantity in every window, for all traces and then for each slice.

    Windows begin at multiples of their length since 1970, so days are days of UTC; the first and the last
    are cut to the span. Windows without traces are left out.

    Args:
        readings: In any order.
        since_ms: The beginning.
        until_ms: The end, excluded.
        window_ms: A window's length.
        slices: Pairs of what tells apart and which, such as `("model", "small-2")`.
    """
    inside = [r for r in readings if since_ms <= r.at_ms < until_ms]
    known = quantities(inside)
    by_window: dict[int, list[Reading]] = {}
    for reading in sorted(inside, key=lambda r: (r.at_ms, r.trace)):
        by_window.setdefault(reading.at_ms // window_ms, []).append(reading)
    found: list[Trend] = []
    for by, of in ((None, None), *slices):
        for number, held in sorted(by_window.items()):
            some = [r for r in held if in_slice(r, by, of)]
            span = max(number * window_ms, since_ms), min((number + 1) * window_ms, until_ms)
            found += _of_window(some, known, span, by, of)
    return found


def _of_window(
    some: Sequence[Reading],
    known: Iterable[Quantity],
    span: tuple[int, int],
    by: str | None,
    of: str | None,
) -> list[Trend]:
    found = []
    for quantity in known:
        held = series(some, quantity)
        if not len(held.values):
            continue
        read = _SUMMED if quantity.name == "cost_usd" else _READ[quantity.kind]
        found += [
            Trend(
                metric=quantity.name,
                statistic=statistic,
                since_ms=span[0],
                until_ms=span[1],
                traces=len(some),
                estimate=estimate(held),
                by=by,
                of=of,
            )
            for statistic, estimate in read.items()
        ]
    return found
