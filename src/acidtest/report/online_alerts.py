"""Alerts as their page shows them: what moved from where to where, by what evidence, and where to look."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from acidtest.data.watching import Alert, Drift, Estimate, Missed
from acidtest.report.alert_words import RATES, called, explained, sliced, subject
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import NBSP, NONE
from acidtest.report.online_chart import told_of
from acidtest.report.online_dashboard import day, duration, moment, teller

_NAME = 120
_MOST = 30
_WORST = 20
_UNTOLD = 300


class Moved(Struct, frozen=True, kw_only=True):
    """One quantity of an alert, before and after."""

    name: str
    where: str
    word: str
    since: str
    before: str
    after: str
    recent: str
    evidence: str
    note: str


class AlertView(Struct, frozen=True, kw_only=True):
    """An alert; `seen` says who has acknowledged it, `untold` where it did not arrive, and why."""

    id: int
    title: str
    is_open: bool
    opened: str
    ended: str
    lasted: str
    moved: tuple[Moved, ...]
    missed: tuple[Moved, ...]
    cause: str
    cause_link: tuple[str, str]
    worst: tuple[str, ...]
    calm: str
    seen: str
    untold: tuple[str, ...] = ()


def alert_view(
    number: int, alert: Alert, *, now_ms: int, seen: str = "", untold: Iterable[str] = ()
) -> AlertView:
    """Return what is shown of an alert.

    Args:
        number: Its number in the store.
        alert: The alert.
        now_ms: The time.
        seen: Who has acknowledged it, and when.
        untold: Where it did not arrive, and why.
    """
    cause = alert.cause
    return AlertView(
        id=number,
        title=clip(one_line(alert.title[:2_000]), 400) or "Something changed",
        is_open=alert.state == "open",
        opened=moment(alert.opened_ms),
        ended=moment(alert.ended_ms) if alert.ended_ms is not None else "",
        lasted=duration(max((alert.ended_ms or now_ms) - alert.opened_ms, 0)),
        moved=tuple(_moved(drift) for drift in alert.drifts[:_MOST]),
        missed=tuple(_missed(each) for each in alert.missed[:_MOST]),
        cause=explained(cause, alert.drifts) if cause is not None else "",
        cause_link=(cause.by, cause.of) if cause is not None else ("", ""),
        worst=alert.worst[:_WORST],
        calm=moment(alert.calm_since_ms) if alert.calm_since_ms is not None else "",
        seen=seen,
        untold=tuple(clip(one_line(each), _UNTOLD) for each in untold),
    )


def _moved(drift: Drift) -> Moved:
    parts = [_estimate(each, drift) for each in (drift.before, drift.after, drift.recent)]
    return Moved(
        name=subject(drift),
        where=sliced(drift.by, drift.of or "") if drift.by else "all traces",
        word="rose" if drift.rising else "fell",
        since=day(drift.since_ms) if drift.since_ms is not None else NONE,
        before=parts[0],
        after=parts[1],
        recent=parts[2],
        evidence=f"{_statistic(drift.evidence)}, limit{NBSP}{_statistic(drift.limit)}",
        note="" if drift.kind == "topic" else clip(one_line(drift.note[:2_000]), 300),
    )


def _missed(missed: Missed) -> Moved:
    told = teller(missed.metric, "rate" if missed.metric in RATES else "score")
    return Moved(
        name=called(missed.metric),
        where="all traces",
        word=f"{'below' if missed.at_least else 'above'} the target",
        since=NONE,
        before=told(missed.target),
        after=told_of(missed.estimate, told),
        recent=NONE,
        evidence="the whole interval is on the wrong side",
        note="",
    )


def _estimate(estimate: Estimate | None, drift: Drift) -> str:
    return NONE if estimate is None else told_of(estimate, _teller(drift))


def _teller(drift: Drift) -> Callable[[float], str]:
    return teller(drift.metric, "rate" if drift.kind == "topic" else drift.kind)


def _statistic(value: float) -> str:
    if value > 1e9:
        return "over a billion"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _short(text: str) -> str:
    return clip(one_line(text[: _NAME * 4]), _NAME)
