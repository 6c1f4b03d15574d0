"""One quantity held against its reference window: what its watch says, and the estimates before and after."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from msgspec import Struct

from acidtest.data.watching import Drift, Estimate
from acidtest.online import estimates
from acidtest.online.readings import DAY_MS, Quantity, Series, day_begins, day_number
from acidtest.stats.drift import NONE, Evidence, Reference, Watch
from acidtest.stats.drift_days import Values, days_of, reference_of
from acidtest.stats.units import Column

REFERENCE_DAYS = 28

LEAST_REFERENCE = 100
"""Values in the reference window; with fewer nothing is told."""

LEAST_DAYS = 7
LEAST_AFTER = 30
"""Traces after a change before it can be an alarm."""

_RECENT_DAYS = 3
_RECENT = 100
_TODAY = 0.5  # of a usual day's traces, from which on today counts
_LARGEST_LOG = 690.0


class Window(Struct, frozen=True, kw_only=True):
    """The reference window, in milliseconds since 1970; its end is excluded."""

    since_ms: int
    until_ms: int


class Span(Struct, frozen=True, kw_only=True):
    """A time that is left out: what an alert that is over was about. The statistic begins anew after it."""

    since_ms: int
    until_ms: int


class View(Struct, frozen=True):
    """When the reference is, from when on it is watched, when now is; and metrics of which less is better."""

    window: Window
    restart_ms: int
    now_ms: int
    lower_is_better: frozenset[str]


class Watched(Struct, frozen=True):
    """What a watch says: the evidence for a change, and since when the values rise or fall."""

    evidence: Evidence
    since_ms: int | None
    rising: bool


def too_few(reference: Series) -> str:
    """Return why a reference window tells too little; nothing where it tells enough."""
    n, days = len(reference.values), len({day_number(int(t)) for t in reference.at_ms})
    if n < LEAST_REFERENCE or days < LEAST_DAYS:
        return (
            f"the reference window has {n} values on {days} days; "
            f"{LEAST_REFERENCE} on {LEAST_DAYS} are needed"
        )
    return ""


def reference_days(days: Sequence[int], counts: Sequence[int]) -> int | None:
    """Return the first day from which on a reference window has enough; None where none has.

    So one trace with a wrong clock is no beginning.

    Args:
        days: Those that have values, in order.
        counts: How many each has.
    """
    at, n = np.asarray(days), np.concatenate([[0], np.cumsum(counts)])
    for start, first in enumerate(days):
        end = int(np.searchsorted(at, first + REFERENCE_DAYS))
        if end - start >= LEAST_DAYS and n[end] - n[start] >= LEAST_REFERENCE:
            return first
    return None


def own_window(some: Series, after_ms: int, now_ms: int) -> Window | None:
    """Return a series' own first 28 days, which may not be over; None where there are none that hold enough.

    Args:
        some: The series.
        after_ms: What began then or later, and less than four weeks ago, has only begun.
        now_ms: The time.
    """
    days, counts = np.unique(some.at_ms // DAY_MS, return_counts=True)
    first = reference_days(days.tolist(), counts.tolist())
    if first is None and len(days):
        # What is older than that, and still holds too little, has not only begun.
        young = days[0] > now_ms // DAY_MS - REFERENCE_DAYS + 1
        first = int(days[0]) if young and days[0] * DAY_MS >= after_ms else None
    return None if first is None else window_of(int(first))


def window_of(first: int) -> Window:
    """Return the window of 28 days that begins with a day, counted since 1970."""
    return Window(since_ms=first * DAY_MS, until_ms=(first + REFERENCE_DAYS) * DAY_MS)


def own_view(some: Series, view: View) -> tuple[View, str]:
    """Return the view of a series that the reference window has too little of: its own first 28 days.

    So is watched what came later: a new metric, another judge or version, a new model.

    Returns:
        The view, and why nothing can be told, if so.
    """
    window = own_window(some, view.window.until_ms, view.now_ms)
    if window is None:
        return view, too_few(some.between(view.window.since_ms, view.window.until_ms))
    if window.until_ms > view.now_ms:
        began, ends = (_date(at_ms) for at_ms in (window.since_ms, window.until_ms))
        return view, f"its own reference began on {began}, and is complete on {ends}"
    return View(
        window, max(view.restart_ms, window.until_ms), view.now_ms, view.lower_is_better
    ), ""


def nothing(quantity: Quantity, limit: float, why: str) -> Drift:
    """Return that nothing can be told, and why."""
    return Drift(
        metric=quantity.name,
        kind=quantity.kind,
        evidence=0.0,
        limit=limit,
        alarmed=False,
        rising=False,
        note=why,
    )


def _date(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def _held(
    some: Series, values: Column, chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> Values:
    places = np.flatnonzero(chosen)
    return Values.of(
        [day_number(int(some.at_ms[n])) for n in places],
        values[places],
        some.weights[places].tolist(),
        [some.sessions[n] for n in places],
    )


def watched(some: Series, values: Column, view: View, *, falls: float) -> Watched:
    """Watch a series.

    Args:
        some: The series, its reference window among it.
        values: Its values on a scale from 0 to 1.
        view: When is when.
        falls: The share of the bets that is on a fall.
    """
    before = (some.at_ms >= view.window.since_ms) & (some.at_ms < view.window.until_ms)
    reference = reference_of(_held(some, values, before))
    later = days_of(
        _held(some, values, some.at_ms >= view.window.until_ms), effect=reference.effect
    )
    first, today = day_number(view.restart_ms), day_number(view.now_ms)
    # Quiet days before a restart sharpen the reference; what an alert was about is not among them.
    known = Reference(
        shape=reference.shape,
        days=(*reference.days, *(day for day in later if day.day < first)),
        weekdays=reference.weekdays,
        levels=reference.levels,
        doubt=reference.doubt,
        effect=reference.effect,
    )
    usual = float(np.median([day.n for day in known.days]))
    watch = Watch(known, falls=falls)
    evidence = NONE
    for day in later:
        if day.day >= first and (day.day < today or day.n >= _TODAY * usual):
            evidence = watch.look(day, over=day.day < today)
    change = watch.change()
    if change is None:
        return Watched(evidence, None, False)
    return Watched(evidence, max(day_begins(change.since), view.restart_ms), change.rising)


def told(
    some: Series,
    quantity: Quantity,
    limit: float,
    log: float,
    since_ms: int | None,
    *,
    rising: bool,
) -> Drift:
    """Return a drift with the estimates of both sides.

    Args:
        some: The series as people read it.
        quantity: What it is.
        limit: From which on the evidence is an alarm.
        log: The logarithm of the evidence.
        since_ms: When the change began; None where nothing came to be watched.
        rising: Which way.
    """
    if since_ms is None:
        return nothing(quantity, limit, "nothing came since the reference window")
    before, after = some.part(some.at_ms < since_ms), some.part(some.at_ms >= since_ms)
    enough = len(after.values) >= LEAST_AFTER
    return Drift(
        metric=quantity.name,
        kind=quantity.kind,
        evidence=math.exp(min(log, _LARGEST_LOG)),
        limit=limit,
        alarmed=enough and log >= math.log(limit),
        rising=rising,
        since_ms=since_ms,
        before=_estimate(before, quantity),
        after=_estimate(after, quantity),
        recent=_estimate(_recent(after), quantity),
    )


def _recent(some: Series) -> Series:
    """Return the latest three days, or more until there are 100 values."""
    days = np.array([day_number(int(t)) for t in some.at_ms])
    for first in sorted(set(days.tolist()), reverse=True):
        part = some.part(days >= first)
        if days[-1] - first + 1 >= _RECENT_DAYS and len(part.values) >= _RECENT:
            return part
    return some


def _estimate(some: Series, quantity: Quantity) -> Estimate | None:
    if not len(some.values):
        return None
    if quantity.kind == "size":
        return estimates.quantile(some, 0.5)
    return estimates.mean(some) if quantity.kind == "score" else estimates.rate(some)
