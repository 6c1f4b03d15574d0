"""Alerts: what moved together is one, with its cause and its worst traces; opened, kept, and ended.

An alert opens when a watch reaches its limit or a target is missed, and ends when all that it is about has been
back for a day. In between it neither opens again nor ends for an hour's luck.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from acidtest.data.watching import Alert, Drift, Missed, Reading
from acidtest.online.cause import cause_of, worst
from acidtest.online.held import Span
from acidtest.online.missed import beyond, is_met
from acidtest.online.readings import DAY_MS
from acidtest.report.alert_words import titled
from acidtest.report.online_dashboard import day

TOGETHER_MS = 7 * DAY_MS
"""What began within a week moved together."""

Name = tuple[str, str | None, str | None]
"""A quantity, and the slice that it is of."""

_GAIN = 2
_BACK = 1 / 3  # of the change: nearer than that to what was before is back


def updated(
    alerts: Iterable[Alert],
    drifts: Sequence[Drift],
    targets: Sequence[Missed],
    missed: Sequence[Missed],
    readings: Sequence[Reading],
    *,
    now_ms: int,
    lower_is_better: Iterable[str] = (),
) -> list[Alert]:
    """Return all alerts after a look: those that were open, some of them ended now, and new ones.

    Args:
        alerts: Those that are open.
        drifts: What the watches say of every quantity and slice.
        targets: What was measured of every target.
        missed: Those that are missed.
        readings: Of the reference window and all since, without what is left out.
        now_ms: The time.
        lower_is_better: Metrics whose falls are good.
    """
    fewer = frozenset(lower_is_better)
    found = [alert for alert in alerts if alert.state == "open"]
    for drift in _news(drifts, fewer):
        place = _place(found, drift)
        if place is None:
            found.append(_opened(drift, now_ms))
        elif all(_name(d) != _name(drift) for d in found[place].drifts):
            found[place] = replace(found[place], drifts=(*found[place].drifts, drift))
    keys = {alert.key for alert in found}
    found += [
        _opened_target(each, now_ms) for each in missed if f"target:{each.metric}" not in keys
    ]
    told = frozenset(_name(drift) for drift in drifts if drift.before is not None)
    return [
        _settled(_seen(each, drifts, targets, readings, fewer, now_ms), told, now_ms)
        for each in found
    ]


def over(alerts: Iterable[Alert]) -> list[Span]:
    """Return the times that ended alerts on drift were about: the watches leave them out."""
    found = []
    for alert in alerts:
        since = [d.since_ms for d in alert.drifts if d.since_ms is not None]
        if alert.ended_ms is not None and since:
            found.append(Span(since_ms=min(since), until_ms=alert.ended_ms))
    return found


def _news(drifts: Sequence[Drift], fewer: frozenset[str]) -> list[Drift]:
    """Return what is alarmed, the whole and the worse first; a slice that moved like the whole says nothing more."""
    alarmed = [drift for drift in drifts if drift.alarmed]
    whole = {drift.metric: drift for drift in alarmed if drift.by is None}
    return sorted(
        (d for d in alarmed if d.by is None or not _near(d, whole.get(d.metric))),
        key=lambda d: (
            *(d.by is not None, _good(d, fewer), -d.evidence / d.limit),
            *(d.by or "", d.of or "", d.metric),
        ),
    )


def _good(drift: Drift, fewer: frozenset[str]) -> int:
    """Return 0 for a change to the worse, 1 where nobody can say, `_GAIN` for one to the better.

    However strong a gain is, what it came with is what somebody must look at.
    """
    if drift.kind == "topic":
        return 1
    is_score = drift.kind == "score" and drift.metric not in fewer
    return 0 if drift.rising != is_score else _GAIN


def _near(one: Drift, other: Drift | None) -> bool:
    if other is None or one.since_ms is None or other.since_ms is None:
        return False
    return abs(one.since_ms - other.since_ms) <= TOGETHER_MS


def _place(alerts: Sequence[Alert], drift: Drift) -> int | None:
    for n, alert in enumerate(alerts):
        if any(_name(d) == _name(drift) for d in alert.drifts):
            return n
        if any(d.by == drift.by and d.of == drift.of and _near(d, drift) for d in alert.drifts):
            return n
    return None


def _name(drift: Drift) -> Name:
    return drift.metric, drift.by, drift.of


def _opened(drift: Drift, now_ms: int) -> Alert:
    slice_ = f"{drift.by}={drift.of}" if drift.by else "all"
    since = day(now_ms if drift.since_ms is None else drift.since_ms)
    return Alert(
        key=f"drift:{slice_}:{drift.metric}:{since}",
        state="open",
        opened_ms=now_ms,
        title="",
        drifts=(drift,),
    )


def _opened_target(missed: Missed, now_ms: int) -> Alert:
    return Alert(
        key=f"target:{missed.metric}", state="open", opened_ms=now_ms, title="", missed=(missed,)
    )


def _seen(
    alert: Alert,
    drifts: Sequence[Drift],
    targets: Sequence[Missed],
    readings: Sequence[Reading],
    fewer: frozenset[str],
    now_ms: int,
) -> Alert:
    """Return an alert with what the latest look says of its parts."""
    now = {_name(drift): drift for drift in drifts}
    held = {each.metric: each for each in targets}
    larger = [_larger(old, now.get(_name(old), old)) for old in alert.drifts]
    moved = tuple(sorted(larger, key=lambda drift: _good(drift, fewer)))
    kept = tuple(held.get(each.metric, each) for each in alert.missed)
    cause = next((c for d in moved if (c := cause_of(readings, d)) is not None), None)
    # What became better shows nothing of what is to be looked at, unless it is all that moved.
    told = [drift for drift in moved if _good(drift, fewer) < _GAIN] or moved
    shown = worst(readings, told, cause) if moved else beyond(readings, alert.missed, now_ms=now_ms)
    found = replace(
        alert,
        drifts=moved,
        missed=kept,
        cause=cause or alert.cause,
        worst=shown or alert.worst,
    )
    return replace(found, title=titled(found))


def _larger(old: Drift, new: Drift) -> Drift:
    """Return the larger of two changes, with the latest state: recovery makes a change look small."""
    if _change(new) >= _change(old):
        return new
    return replace(old, recent=new.recent or old.recent, alarmed=new.alarmed)


def _change(drift: Drift) -> float:
    if drift.before is None or drift.after is None:
        return 0.0
    return abs(drift.after.value - drift.before.value)


def _settled(alert: Alert, told: frozenset[Name], now_ms: int) -> Alert:
    """Return an alert that is ended if all of it has been back for a day.

    What nothing can be told of any more, such as when another judge took over, goes on no longer.
    """
    back = all(_is_back(d) or _name(d) not in told for d in alert.drifts)
    if not (back and all(is_met(m) for m in alert.missed)):
        return replace(alert, calm_since_ms=None)
    if alert.calm_since_ms is None:
        return replace(alert, calm_since_ms=now_ms)
    if now_ms - alert.calm_since_ms < DAY_MS:
        return alert
    return replace(alert, state="ended", ended_ms=now_ms)


def _is_back(drift: Drift) -> bool:
    if drift.before is None or drift.after is None or drift.recent is None:
        return False
    before, recent = drift.before.value, drift.recent
    if recent.low is None or recent.high is None:
        return False
    # Beyond where it was is back, too.
    if drift.rising:
        return recent.low <= before and recent.value - before <= _BACK * _change(drift)
    return recent.high >= before and before - recent.value <= _BACK * _change(drift)
