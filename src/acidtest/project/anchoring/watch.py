"""From an anchor's lines to what they say: how far each metric's verdicts moved, and whether that is drift.

Everything follows from the file: the same file says the same, on any machine. What the test is and why it
may be looked at every day stands in `acidtest.stats.sequential`.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from acidtest.data.outcomes import Score
from acidtest.data.runs import JudgeRef
from acidtest.project.anchoring.records import Anchor, Look, Recorded, Source
from acidtest.stats.sequential import LIMIT, e_value, evidence, first_alarm, together
from acidtest.stats.sequential_noise import NOISE_RISK, Bounds, Moves, noise_bounds

ENOUGH = 0.95
"""Share of the recorded verdicts that a look must have."""

Result = Literal["new", "steady", "changed", "drift", "incomplete"]


class MetricWatch(Struct, frozen=True, kw_only=True):
    """One metric.

    Attributes:
        cases: How many have a recorded verdict.
        repeats: How often the judge moved by itself when the anchor was made.
        bounds: How often it may move by itself, at most.
        e_value: The evidence for a change so far.
        last: How often it moved in the last look; None before the first.
        recorded_mean: Mean of the recorded verdicts.
        mean: Mean of the last look's, None where there is none.
    """

    cases: int
    repeats: Moves
    bounds: Bounds
    e_value: float
    last: Moves | None
    recorded_mean: float | None
    mean: float | None


class Seen(Struct, frozen=True, kw_only=True):
    """One look of the history: when, by whom, how many verdicts moved, and the e-value after it."""

    created: str
    judge: JudgeRef
    same_judge: bool
    up: int
    down: int
    missing: int
    e_value: float | None
    calls: int
    cost_usd: float | None


class Flip(Struct, frozen=True, kw_only=True):
    """A verdict of the last look that is another than the recorded one; `times` in how many looks it was."""

    case: str
    metric: str
    question: str
    recorded: Score
    now: Score
    times: int


class JudgeChange(Struct, frozen=True, kw_only=True):
    """The same judge was asked for, and another one answered than the time before."""

    since: str
    before: JudgeRef
    now: JudgeRef


class AnchorRef(Struct, frozen=True, kw_only=True):
    """Which anchor it is."""

    path: str
    created: str
    source: Source
    judge: JudgeRef
    cases: int
    repeat: int
    tolerance: float


class Status(Struct, frozen=True, kw_only=True):
    """What an anchor says of the judge of its last look.

    `e_value` is the mean over metrics; at `limit` it is drift, and stays so: `drift_since` is the look at
    which that was reached. `coverage` is the share of recorded verdicts that the last look has.
    """

    format: str = "acidtest/judge-anchor"
    version: int = 1
    anchor: AnchorRef
    judge: JudgeRef
    result: Result
    e_value: float
    limit: float = LIMIT
    drift_since: str | None = None
    judge_changed: JudgeChange | None = None
    other_judge: bool = False
    coverage: float | None = None
    metrics: dict[str, MetricWatch]
    reworded: tuple[str, ...] = ()
    history: tuple[Seen, ...] = ()
    moved: tuple[Flip, ...] = ()

    @property
    def exit_status(self) -> int:
        """1 for drift or a changed judge, 3 for a look that lacks verdicts, else 0."""
        return {"drift": 1, "changed": 1, "incomplete": 3}.get(self.result, 0)


def status_of(anchor: Anchor, path: str) -> Status:
    """Say what an anchor's lines amount to."""
    header, looks = anchor.header, anchor.looks
    by = looks[-1].by if looks else header.by
    series = [look for look in looks if look.by.asked == by.asked]
    risk = NOISE_RISK / len(header.metrics)
    logs, metrics = [], {}
    for name in header.metrics:
        recorded = anchor.of(name)
        repeats = _repeats(recorded, header.tolerance)
        bounds = noise_bounds(repeats, risk=risk)
        days = [_moves(recorded, look, name, header.tolerance) for look in series]
        logs.append(evidence(bounds, days))
        last = series[-1].values.get(name, {}) if series else {}
        metrics[name] = MetricWatch(
            cases=len(recorded),
            repeats=repeats,
            bounds=bounds,
            e_value=e_value(logs[-1][-1]) if series else 1.0,
            last=days[-1] if days else None,
            recorded_mean=_mean([r.verdict.value for r in recorded.values()]),
            mean=_mean(list(last.values())),
        )
    whole = together(logs)
    alarm = first_alarm(whole)
    changed = _judge_change(anchor, series)
    coverage = _coverage(anchor, series[-1]) if series else None
    result: Result = (
        "new"
        if not series
        else "drift"
        if alarm is not None
        else "changed"
        if changed is not None
        else "incomplete"
        if coverage is None or coverage < ENOUGH
        else "steady"
    )
    return Status(
        anchor=AnchorRef(
            path=path,
            created=header.created,
            source=header.source,
            judge=header.by.judge,
            cases=len(anchor.cases),
            repeat=header.repeat,
            tolerance=header.tolerance,
        ),
        judge=by.judge,
        result=result,
        e_value=e_value(whole[-1]) if whole else 1.0,
        drift_since=series[alarm].created if alarm is not None else None,
        judge_changed=changed,
        other_judge=by.asked != header.by.asked,
        coverage=coverage,
        metrics=metrics,
        reworded=series[-1].reworded if series else (),
        history=_history(anchor, series, whole),
        moved=_flips(anchor, series),
    )


def moved(value: float, recorded: float, tolerance: float) -> int:
    """Return 1 for a score above the recorded one, -1 for one below, 0 within the tolerance."""
    # Scores are sums of fractions: what is the tolerance apart on paper counts as within it.
    return 0 if abs(value - recorded) <= tolerance + 1e-9 else 1 if value > recorded else -1


def _repeats(recorded: dict[str, Recorded], tolerance: float) -> Moves:
    ways = [
        moved(value, each.verdict.value, tolerance)
        for each in recorded.values()
        for value in each.repeats
    ]
    return Moves(up=ways.count(1), down=ways.count(-1), n=len(ways))


def _moves(recorded: dict[str, Recorded], look: Look, metric: str, tolerance: float) -> Moves:
    values = look.values.get(metric, {})
    if not values:  # it was not judged at all: the day says nothing
        return Moves(up=0, down=0, n=0)
    ways = [
        moved(values[case], each.verdict.value, tolerance)
        for case, each in recorded.items()
        if case in values
    ]
    return Moves(up=ways.count(1), down=ways.count(-1), n=len(recorded))


def _judge_change(anchor: Anchor, series: Sequence[Look]) -> JudgeChange | None:
    if not series:
        return None
    before = [anchor.header.by, *(look.by for look in series[:-1])]
    last = next((by for by in reversed(before) if by.asked == series[-1].by.asked), None)
    now = series[-1].by.judge
    if last is None or last.judge.fingerprint == now.fingerprint:
        return None
    return JudgeChange(since=series[-1].created, before=last.judge, now=now)


def _coverage(anchor: Anchor, look: Look) -> float | None:
    wanted = sum(len(anchor.of(name)) for name in anchor.header.metrics)
    have = sum(case in anchor.of(name) for name, values in look.values.items() for case in values)
    return have / wanted if wanted else None


def _history(anchor: Anchor, series: Sequence[Look], logs: Sequence[float]) -> tuple[Seen, ...]:
    worth = {id(look): e_value(log) for look, log in zip(series, logs, strict=True)}
    recorded = {name: anchor.of(name) for name in anchor.header.metrics}
    found = []
    for look in anchor.looks:
        moves = [_moves(r, look, name, anchor.header.tolerance) for name, r in recorded.items()]
        found.append(
            Seen(
                created=look.created,
                judge=look.by.judge,
                same_judge=id(look) in worth,
                up=sum(m.up for m in moves),
                down=sum(m.down for m in moves),
                missing=sum(len(cases) for cases in look.missing.values()),
                e_value=worth.get(id(look)),
                calls=look.by.calls,
                cost_usd=look.by.cost_usd,
            )
        )
    return tuple(found)


def _flips(anchor: Anchor, series: Sequence[Look]) -> tuple[Flip, ...]:
    if not series:
        return ()
    found = []
    for kept in anchor.cases:
        for name, each in kept.verdicts.items():
            now = series[-1].moved.get(name, {}).get(kept.case.id)
            if now is not None:
                times = sum(kept.case.id in look.moved.get(name, {}) for look in series)
                found.append(
                    Flip(
                        case=kept.case.id,
                        metric=name,
                        question=kept.case.question,
                        recorded=each.verdict,
                        now=now,
                        times=times,
                    )
                )
    return tuple(found)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
