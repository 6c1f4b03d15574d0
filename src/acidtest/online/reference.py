"""What each quantity is held against, and from when on a change of it can be told."""

from collections.abc import Sequence

from msgspec.structs import replace

from acidtest.data.watching import Reading, Reference
from acidtest.online.held import (
    LEAST_DAYS,
    LEAST_REFERENCE,
    REFERENCE_DAYS,
    Window,
    own_window,
    too_few,
)
from acidtest.online.readings import DAY_MS, Quantity, Series, quantities, series


def references(
    readings: Sequence[Reading], window: Window | None, begun: Window | None, *, now_ms: int
) -> list[Reference]:
    """Return the reference of every quantity of all traces, as `drift.drifts` uses it.

    Args:
        readings: Of the reference window and all since; without one, of the latest 28 days.
        window: The reference window of the whole; None: it is not complete.
        begun: Where that is so, the window that has begun; None: there are too few traces to say.
        now_ms: The time.
    """
    held = [r for r in readings if r.at_ms <= now_ms]
    return [
        _reference(series(held, quantity), quantity, window, begun, now_ms)
        for quantity in quantities(held)
    ]


def _reference(
    some: Series, quantity: Quantity, window: Window | None, begun: Window | None, now_ms: int
) -> Reference:
    if window is not None and window.until_ms <= now_ms:
        inside = some.between(window.since_ms, window.until_ms)
        own = window if not too_few(inside) else own_window(some, window.until_ms, now_ms)
    else:
        own = window or begun
        # What began later than that is held against days of its own.
        late = own is None or _first(some, own.since_ms) > own.until_ms - LEAST_DAYS * DAY_MS
        own = own_window(some, 0, now_ms) if late else own
    found = own or Window(since_ms=now_ms - REFERENCE_DAYS * DAY_MS, until_ms=now_ms + 1)
    inside = some.between(found.since_ms, found.until_ms)
    n, days = len(inside.values), len(set((inside.at_ms // DAY_MS).tolist()))
    whole = Reference(
        metric=quantity.name,
        scored=quantity.scored,
        state="short",
        since_ms=found.since_ms,
        until_ms=None if own is None else own.until_ms,
        traces=n,
        days=days,
    )
    if own is None:
        return whole
    if own.until_ms <= now_ms:
        return replace(whole, state="short" if too_few(inside) else "complete")
    # Days that are over tell the pace; the first one alone tells little.
    over = max((now_ms - own.since_ms) / DAY_MS, 1.0)
    slow = n / over * REFERENCE_DAYS < LEAST_REFERENCE
    return replace(whole, state="collecting", slow=slow)


def _first(some: Series, since_ms: int) -> int:
    later = some.at_ms[some.at_ms >= since_ms]
    return int(later.min()) if len(later) else since_ms
