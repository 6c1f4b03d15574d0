"""Gains that have a price: better scores for more money or time, or one stage for the other.

A gate does not weigh them: it shows them, and a person decides.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from acidtest.comparison.own_value import own_value
from acidtest.comparison.quantity import OPERATIONS, Quantity, has
from acidtest.data.compared import Change
from acidtest.data.runs import Run

POINT = 0.01
"""A score that moves by less is neither gain nor price."""

DEARER = 0.10
"""So much more money, time or tokens is a price."""

_ROUNDING = 1e-9


class _Moved(Struct, frozen=True):
    name: str
    better: float
    clear: bool


def trades(baseline: Run, run: Run, changes: Iterable[Change] | None) -> tuple[str, ...]:
    """Return the decisions that a person has to take, one sentence each.

    A price is money, p95 latency or output tokens up by a tenth, or a score that fell by a point while
    another rose. Where cases are known, a fall within noise is no price, and a gain within noise is
    said to be one.

    Args:
        baseline: The baseline.
        run: The candidate.
        changes: What changed in the metrics that both have; None where a run has summaries only.
    """
    moved = _moved(baseline, run, changes)
    gains = [m for m in moved if m.better >= POINT - _ROUNDING]
    losses = [m for m in moved if m.better <= _ROUNDING - POINT and m.clear]
    if not gains:
        return ()
    told = [f"{_list(gains)}, and {price}: is it worth it?" for price in _dearer(baseline, run)]
    clear = [m for m in gains if m.clear]
    if losses and clear:
        told.append(f"{_list(clear)}, but {_list(losses)}: which one matters?")
    return tuple(told)


def _moved(baseline: Run, run: Run, changes: Iterable[Change] | None) -> list[_Moved]:
    if changes is not None:
        return [
            _Moved(
                change.metric,
                change.delta if change.direction == "higher" else -change.delta,
                clear=change.ci is not None and not change.ci[0] <= 0.0 <= change.ci[1],
            )
            for change in changes
        ]
    found = []
    for name, summary in baseline.metrics.items():
        before, after = summary.mean, run.metrics[name].mean if name in run.metrics else None
        if before is not None and after is not None:
            sign = 1 if summary.direction == "higher" else -1
            found.append(_Moved(name, sign * (after - before), clear=True))
    return found


def _dearer(baseline: Run, run: Run) -> list[str]:
    told = []
    for head in OPERATIONS:
        if head in {"latency_ms.retrieve", "latency_ms.generate", "tokens.input"}:
            continue  # parts of the total; what input tokens cost is in the money
        wanted = Quantity(head, None, "p95" if head.startswith("latency_ms") else "mean")
        if not (has(baseline, head) and has(run, head)):
            continue
        before, after = own_value(baseline, wanted), own_value(run, wanted)
        if before and after and after >= before * (1 + DEARER) - _ROUNDING:
            rise = f"+{after / before - 1:.0%} ({wanted.told(before)} to {wanted.told(after)})"
            told.append(f"{wanted.name} {rise}")
    return told


def _list(moved: Sequence[_Moved]) -> str:
    shown = [
        f"{m.name} {'better' if m.better > 0 else 'worse'} by {abs(m.better) * 100:.1f} points"
        + ("" if m.clear else " (within noise)")
        for m in moved[:4]
    ]
    more = len(moved) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
