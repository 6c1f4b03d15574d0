"""Alerts in words, the same in a terminal, a message and on a page: what moved, since when, and why.

Everything that comes from outside (names of models and tags, kinds of questions) is one line of text.
"""

from collections.abc import Callable, Sequence

from acidtest.data.watching import Alert, Cause, Drift, Estimate, Missed
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import NBSP, share
from acidtest.report.online_dashboard import day, teller

_CALLED = {
    "abstained": "abstentions",
    "error": "errors",
    "thumbs_down": "thumbs down",
    "citation_error": "citation errors",
    "latency_ms": "latency",
    "cost_usd": "cost",
}
"""Quantities in a sentence; a metric is called by its name."""

RATES = frozenset({"abstained", "error", "thumbs_down", "citation_error"})
"""Quantities that are shares of the answers."""

_KINDS = {
    "other words": "questions unlike those before",
    "new words": "new words in questions",
}
"""Kinds of questions that are told apart by no words of their own."""

_NAMED = 3  # quantities that a title names, the strongest
_NAME = 120


def called(metric: str) -> str:
    """Return what a quantity is called in a sentence."""
    return _CALLED.get(metric) or _short(metric)


def subject(drift: Drift) -> str:
    """Return what moved: a quantity, or a kind of questions."""
    if drift.kind != "topic":
        return called(drift.metric)
    name = one_line(drift.note[:400]).partition(": ")[2]
    return _KINDS.get(name) or f"questions on {clip(name, _NAME)}"


def sliced(by: str, of: str) -> str:
    """Return a slice in words, such as `model small-2`."""
    return f"{_short(by.replace('_', ' '))} {_short(of)}"


def titled(alert: Alert) -> str:
    """Return an alert in one line: the strongest changes, and each day that some began on once."""
    by_day: dict[str, list[Drift]] = {}
    for drift in alert.drifts[:_NAMED]:
        known = drift.since_ms is not None and drift.before is not None
        by_day.setdefault(day(drift.since_ms or 0) if known else "", []).append(drift)
    parts = [
        f"{_listed([_moved(drift) for drift in some])}{f' since {date}' if date else ''}"
        for date, some in by_day.items()
    ]
    if len(alert.drifts) > _NAMED:
        parts.append(f"{len(alert.drifts) - _NAMED} more with them")
    lead = next(iter(alert.drifts), None)
    if lead is not None and lead.by:
        parts[-1] += f", with {sliced(lead.by, lead.of or '')}"
    parts += [_missed(each) for each in alert.missed]
    if alert.cause is not None:
        cause = alert.cause
        # Where one thing moved it is plain what the cause is of.
        what = _of_what(cause, alert.drifts) if len(alert.drifts) > 1 else ""
        parts.append(f"likely cause{what}: {sliced(cause.by, cause.of)}")
    return "; ".join(parts)


def explained(cause: Cause, drifts: Sequence[Drift] = ()) -> str:
    """Return in words what a cause explains, and of which quantity."""
    drift = _explained(cause, drifts)
    told = _teller(drift) if drift is not None else teller(cause.metric, "score")
    line = (
        f"{sliced(cause.by, cause.of)} explains {share(cause.explains)}"
        f"{_of_what(cause, drifts) or ' of it'}: {_plain(told(cause.after.value))} there"
    )
    return f"{line}, {_plain(told(cause.rest.value))} elsewhere" if cause.rest else line


def sides(drift: Drift) -> str:
    """Return a change with its intervals and numbers of traces: before, and since."""
    told = _teller(drift)
    said = [
        f"{_figure(side, told)} in {side.n:,} traces {word}"
        for side, word in ((drift.before, "before"), (drift.after, "since"))
        if side is not None
    ]
    return f"{subject(drift)}: {', '.join(said)}" if said else ""


def _moved(drift: Drift) -> str:
    ends = ""
    if drift.before is not None and drift.after is not None:
        told = _teller(drift)
        old, new = (_plain(told(side.value)) for side in (drift.before, drift.after))
        if old == new:  # too near for so few digits
            old, new = f"{drift.before.value:.4g}", f"{drift.after.value:.4g}"
        ends = f" from {old} to {new}"
    return f"{subject(drift)} {'rose' if drift.rising else 'fell'}{ends}"


def _missed(each: Missed) -> str:
    side = "below" if each.at_least else "above"
    told = teller(each.metric, "rate" if each.metric in RATES else "score")
    name, verb = called(each.metric), "are" if each.metric in RATES else "is"
    if each.metric in ("latency_ms", "cost_usd"):
        name = f"the 95th percentile of {name}"
    value, target = (_plain(told(v)) for v in (each.estimate.value, each.target))
    return f"{name} {verb} {value}, {side} the target of {target}"


def _of_what(cause: Cause, drifts: Sequence[Drift]) -> str:
    drift = _explained(cause, drifts)
    if drift is None:
        return ""
    return f" of the {'rise' if drift.rising else 'fall'} in {subject(drift)}"


def _explained(cause: Cause, drifts: Sequence[Drift]) -> Drift | None:
    """Return the change that a cause explains; of one that was kept before it was named, the first."""
    if not cause.metric:
        return next(iter(drifts), None)
    return next((d for d in drifts if d.metric == cause.metric), None)


def _teller(drift: Drift) -> Callable[[float], str]:
    return teller(drift.metric, "rate" if drift.kind == "topic" else drift.kind)


def _figure(side: Estimate, told: Callable[[float], str]) -> str:
    if side.low is None or side.high is None:
        return _plain(told(side.value))
    return _plain(f"{told(side.value)} ({told(side.low)} to {told(side.high)})")


def _listed(some: Sequence[str]) -> str:
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} and {some[-1]}"


def _plain(text: str) -> str:
    # These words go through mails and terminals, where a wide space may be a box.
    return text.replace(NBSP, " ")


def _short(text: str) -> str:
    return clip(one_line(text[: _NAME * 4]), _NAME)
