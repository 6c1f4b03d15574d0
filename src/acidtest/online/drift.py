"""Drift: each quantity of the live system held against its reference window, for all traces and by slice."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from acidtest.data.watching import Drift, Reading
from acidtest.online.held import Span, View, Window, nothing, own_view, told, too_few, watched
from acidtest.online.questions import UNKNOWN, Kinds
from acidtest.online.readings import (
    Quantity,
    Series,
    day_number,
    in_slice,
    quantities,
    series,
    series_by,
)
from acidtest.stats.drift import LIMIT, Evidence
from acidtest.stats.drift_shape import perfect, ranks, with_perfect
from acidtest.stats.units import Column

QUESTIONS = "questions"

OTHERS_RARER = 4
"""Of rates, latency, cost and questions a false alarm is so much rarer than of scores: they have more traces."""

_WORSE_FALLS = 0.9
"""The share of the false alarms, and of the bets, that is on the worse: a gain may wait for more evidence."""


def drifts(
    readings: Sequence[Reading],
    window: Window,
    *,
    now_ms: int,
    limit: float = LIMIT,
    slices: Iterable[tuple[str, str]] = (),
    lower_is_better: Iterable[str] = (),
    over: Sequence[Span] = (),
) -> list[Drift]:
    """Hold every quantity against the reference window.

    Slices of one sort share the limit: with three models each has three times as much, so that false alarms
    stay as rare.

    Args:
        readings: Of the window and all since, in any order.
        window: The reference.
        now_ms: The time.
        limit: Quiet days to a false alarm of one score, on average at least; four times as many of others.
        slices: Pairs of what tells apart and which.
        lower_is_better: Metrics whose falls are good.
        over: What is left out.
    """
    held = [r for r in readings if window.since_ms <= r.at_ms <= now_ms]
    held.sort(key=lambda r: (r.at_ms, r.trace))
    kept = [r for r in held if not any(s.since_ms <= r.at_ms < s.until_ms for s in over)]
    restart = max((s.until_ms for s in over), default=window.until_ms)
    view = View(window, max(restart, window.until_ms), now_ms, frozenset(lower_is_better))
    listed = list(slices)
    found = []
    for by, of in [(None, None), *listed]:
        some = [r for r in kept if in_slice(r, by, of)]
        most = limit * max(1, sum(each == by for each, _ in listed))
        found += [
            replace(_drift(series(some, quantity), quantity, view, most), by=by, of=of)
            for quantity in quantities(some)
        ]
        if by is None:
            found += _questions(some, view, limit * OTHERS_RARER)
    return found


def _drift(some: Series, quantity: Quantity, view: View, limit: float) -> Drift:
    reference = some.between(view.window.since_ms, view.window.until_ms)
    if too_few(reference):
        view, why = own_view(some, view)
        if why:
            return nothing(quantity, limit, why)
        reference = some.between(view.window.since_ms, view.window.until_ms)
    scaled = _scaled(some, reference, quantity, view)
    if quantity.kind != "score":
        limit *= OTHERS_RARER
    said = watched(some, scaled, view, falls=_falls(quantity))
    rising = said.rising != _turned(quantity, view)
    return told(some, quantity, limit, said.evidence.log, said.since_ms, rising=rising)


def _turned(quantity: Quantity, view: View) -> bool:
    return quantity.kind == "score" and quantity.name in view.lower_is_better


def _falls(quantity: Quantity) -> float:
    """Return how much is bet on a fall: most on what is worse, where that is known."""
    if quantity.kind == "score":
        return _WORSE_FALLS
    return 0.5 if quantity.name == "abstained" or quantity.kind == "topic" else 1 - _WORSE_FALLS


def _scaled(some: Series, reference: Series, quantity: Quantity, view: View) -> Column:
    """Return the values from 0 to 1, as the watch reads them."""
    x = some.values
    if quantity.kind != "size" and x.min() >= 0 and x.max() <= 1:
        if quantity.kind != "score":
            return x
        known = reference.values
        if _turned(quantity, view):
            x, known = 1 - x, 1 - known
        return with_perfect(x, perfect(known))
    ranked = ranks(reference.values.tolist(), x)
    return 1 - ranked if _turned(quantity, view) else ranked


def _questions(readings: Sequence[Reading], view: View, limit: float) -> list[Drift]:
    """Hold the kinds of questions against the reference; one drift for all kinds.

    The sums of the kinds are averaged, which is one again (V. Vovk and R. Wang, Ann. Stat. 49, 2021); of how
    unlikely their latest days are, the least likely counts, by as many times less as there are kinds.
    """
    asked = [r for r in readings if r.question]
    if not asked:
        return []
    whole = Quantity(name=QUESTIONS, kind="topic", scored=False)
    at = np.array([r.at_ms for r in asked])
    old = (at >= view.window.since_ms) & (at < view.window.until_ms)
    odd = np.array([day_number(int(t)) % 2 == 1 for t in at])
    measured = [r for r, out in zip(asked, old & odd, strict=True) if not out]
    base = series_by(measured, lambda _: 0.0, scored=False)
    why = too_few(base.between(view.window.since_ms, view.window.until_ms))
    if why:
        return [nothing(whole, limit, f"of questions, half of which tell the kinds, {why}")]
    kinds = Kinds([r.question or "" for r, out in zip(asked, old & odd, strict=True) if out])
    shares = kinds.shares([r.question or "" for r in measured])
    seen = []
    for name, values in shares.items():
        some = replace(base, values=np.asarray(values, np.float64))
        seen.append((name, some, watched(some, some.values, view, falls=0.5)))
    summed = np.array([said.evidence.summed for _, _, said in seen])
    most = float(summed.max())
    if most == -math.inf:
        return [nothing(whole, limit, "nothing came since the reference window")]
    log = Evidence(
        most + math.log(float(np.exp(summed - most).mean())),
        max(said.evidence.latest for _, _, said in seen) - math.log(len(seen)),
    ).log
    name, some, said = max(seen, key=lambda each: each[2].evidence.log)
    quantity = replace(whole, kind="score" if name == UNKNOWN else "topic")
    found = told(some, quantity, limit, log, said.since_ms, rising=said.rising)
    return [replace(found, kind="topic", note=f"{'more' if said.rising else 'fewer'}: {name}")]
