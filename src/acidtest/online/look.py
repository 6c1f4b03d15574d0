"""One look at the live system: read the store, tell what drifted, and keep and tell of alerts."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.watching import Alert, Drift, Missed, Reading, Reference
from acidtest.online.alert import over, updated
from acidtest.online.config import OnlineConfig, reference_of
from acidtest.online.drift import drifts
from acidtest.online.held import (
    LEAST_REFERENCE,
    REFERENCE_DAYS,
    Span,
    Window,
    reference_days,
    window_of,
)
from acidtest.online.missed import measured, missed
from acidtest.online.notify import Sent
from acidtest.online.reading import read
from acidtest.online.readings import DAY_MS, Taken, day_begins, day_number, slices, with_chances
from acidtest.online.reference import references
from acidtest.online.rooms import Rooms
from acidtest.online.sample import sampled
from acidtest.online.told import tell
from acidtest.online.untold import is_news, to_tell, told_after
from acidtest.store.alerts import Alerts
from acidtest.store.trace_readings import TraceReadings, TraceRow

WATCHED_DAYS = 100
"""Days since the reference that are read; longer ago is not watched again."""

EVERY_MS = 15 * 60_000

_LONGEST_LOOK_MS = 10 * 60_000
_STATE = "watch"
_LEAST_SLICE = 100
_MOST_SLICES = 20
_SENT = 100  # of the latest messages that are kept
_STRATA = frozenset({"thumbs-down", "error", "abstained"})


class State(Struct, frozen=True, kw_only=True):
    """What the watch keeps between looks.

    Attributes:
        window: The reference window; None until there is one.
        looked_ms: When it looked last.
        looking_ms: Since when somebody looks just now; 0: nobody does.
        drifts: What it saw.
        references: What each quantity is held against.
        targets: What it measured.
        told: Alert and state -> at how many more looks it is to be sent; 0: it arrived, or was given up.
        sent: The latest messages, and what came of them.
    """

    window: Window | None = None
    looked_ms: int = 0
    looking_ms: int = 0
    drifts: tuple[Drift, ...] = ()
    references: tuple[Reference, ...] = ()
    targets: tuple[Missed, ...] = ()
    told: dict[str, int] = {}
    sent: tuple[Sent, ...] = ()


def alerting(
    config: OnlineConfig, *, lower_is_better: Iterable[str] = (), every_ms: int = EVERY_MS
) -> Callable[[Rooms, int], Awaitable[int]]:
    """Return what a worker calls to look for alerts; it returns how many are open.

    Of several workers on one store one looks, and none before `every_ms` are over.

    Args:
        config: What is sampled, the targets, and where alerts go.
        lower_is_better: Metrics of which less is better.
        every_ms: Between two looks; 0 looks each time.
    """
    fewer = tuple(lower_is_better)

    async def look(rooms: Rooms, now_ms: int) -> int:
        with Alerts(rooms.traces.url) as kept:
            return await _look(kept, rooms.traces.url, config, fewer, now_ms, every_ms)

    return look


def read_state(kept: Alerts) -> State:
    """Return what the watch keeps; what a later version wrote, or nobody can read, counts as nothing."""
    return _decoded(kept.state(_STATE))


def set_window(kept: Alerts, window: Window) -> None:
    """Make another window the reference, such as when a change is accepted as the new normal."""
    while True:
        body = kept.state(_STATE)
        new = replace(_decoded(body), window=window, looked_ms=0)
        if kept.swap(_STATE, body, msgspec.json.encode(new)):
            return


def readings_of(rows: Iterable[TraceRow], config: OnlineConfig) -> list[Reading]:
    """Return rows of the store as readings, with their chances to be scored.

    Of each metric only scores of what scores it now are among them: what another judge, or version, gave
    cannot be compared.
    """
    rows = list(rows)
    # The newest trace that was scored tells; a later one of the same metric overwrites it.
    now = {metric: scorer for row in rows for metric, scorer in row.scorers.items()}
    rows = [_of(row, now) for row in rows]
    shared: Shared = {}
    return with_chances(
        Taken(
            reading=_reading(row, shared),
            caught=_caught(row, config),
            drawn=sampled(row.id, config.sample),
        )
        for row in rows
    )


async def _look(
    kept: Alerts, url: str, config: OnlineConfig, fewer: tuple[str, ...], now_ms: int, every_ms: int
) -> int:
    body = await asyncio.to_thread(kept.state, _STATE)
    state = _decoded(body)
    # Who looks beside another would tell the same twice; one that was killed is not waited for for long. The
    # other's clock may be ahead.
    alone = abs(now_ms - state.looking_ms) >= _LONGEST_LOOK_MS
    claimed = msgspec.json.encode(replace(state, looked_ms=now_ms, looking_ms=now_ms))
    # A clock that was set back must not end the watch.
    is_due = abs(now_ms - state.looked_ms) >= every_ms
    if is_due and alone and await asyncio.to_thread(kept.swap, _STATE, body, claimed):
        new, found = await asyncio.to_thread(_seen, kept, url, config, fewer, now_ms, state)
        due = to_tell(found, state.told)
        sent = await tell(due, config.alerts, before=state.sent, now_ms=now_ms)
        told = told_after(found, state.told, sent)
        new = replace(new, told=told, sent=(*state.sent, *sent)[-_SENT:])
        await asyncio.to_thread(_keep, kept, claimed, new)
    return len(await asyncio.to_thread(lambda: kept.listed(state="open")))


def _keep(kept: Alerts, claimed: bytes, new: State) -> None:
    """Keep what a look came to, unless another has looked since; a window that was set meanwhile stays."""
    body, mine = claimed, _decoded(claimed).looking_ms
    while not kept.swap(_STATE, body, msgspec.json.encode(new)):
        body = kept.state(_STATE) or b""
        now = _decoded(body)
        if now.looking_ms != mine:
            return
        new = replace(new, window=now.window, looked_ms=now.looked_ms)


def _seen(
    kept: Alerts, url: str, config: OnlineConfig, fewer: tuple[str, ...], now_ms: int, state: State
) -> tuple[State, list[Alert]]:
    stored = [each.alert for each in kept.listed(limit=1_000)]
    spans = over(stored)
    with TraceReadings(url) as store:
        window, begun = _windows(store, _set(config) or state.window, now_ms)
        read_of = [(now_ms - REFERENCE_DAYS * DAY_MS, now_ms + 1)]
        if window is not None:
            long_ago = now_ms - WATCHED_DAYS * DAY_MS
            if long_ago > window.until_ms:
                spans.append(
                    Span(since_ms=window.until_ms, until_ms=day_begins(day_number(long_ago)))
                )
            later = max(window.until_ms, day_begins(day_number(long_ago)))
            read_of = [(window.since_ms, window.until_ms), (later, now_ms + 1)]
        rows = read(store, read_of)
    readings = readings_of(rows, config)
    told: list[Drift] = []
    if window is not None:
        told = drifts(
            readings,
            window,
            now_ms=now_ms,
            slices=slices(readings, least=_LEAST_SLICE)[:_MOST_SLICES],
            lower_is_better=fewer,
            over=spans,
        )
    known = references(readings, window, begun, now_ms=now_ms)
    left = [r for r in readings if not any(s.since_ms <= r.at_ms < s.until_ms for s in spans)]
    goals = measured(readings, config.targets, now_ms=now_ms, lower_is_better=fewer)
    below = missed(readings, config.targets, now_ms=now_ms, lower_is_better=fewer)
    found = updated(stored, told, goals, below, left, now_ms=now_ms, lower_is_better=fewer)
    kept.save(found)
    new = replace(
        state,
        window=window,
        looked_ms=now_ms,
        drifts=tuple(told),
        references=tuple(known),
        targets=tuple(goals),
    )
    # That an alert is over may not have arrived; or the look that ended it was killed before it told so.
    ended = [each for each in stored if each.state == "ended" and is_news(each, state.told)]
    return new, [*found, *ended]


def _set(config: OnlineConfig) -> Window | None:
    """Return the reference window that is configured."""
    if config.reference is None:
        return None
    since, until = reference_of(config.reference, "[online] reference")
    return Window(since_ms=since, until_ms=until)


def _windows(
    store: TraceReadings, window: Window | None, now_ms: int
) -> tuple[Window | None, Window | None]:
    """Return the reference window: the one that is set, as long as its traces are there; else the oldest days.

    Returns:
        The window, and where there is none yet the one that has begun.
    """
    if window is not None and store.count(window.since_ms, window.until_ms) >= LEAST_REFERENCE:
        return window, None
    days = store.days()
    first = reference_days([day for day, _ in days], [n for _, n in days])
    if first is None:
        return None, None
    found = window_of(first)
    return (found, None) if found.until_ms <= now_ms else (None, found)


def _of(row: TraceRow, now: Mapping[str, str]) -> TraceRow:
    if all(scorer == now[metric] for metric, scorer in row.scorers.items()):
        return row
    kept = {m: value for m, value in row.scores.items() if row.scorers[m] == now[m]}
    return replace(row, scores=kept, scorers={m: now[m] for m in kept})


Shared = dict[
    tuple[str | None, str | None, str | None, tuple[str, ...]], dict[str, tuple[str, ...]]
]
"""What traces that are in the same slices share: of many traces it would be the most that is held."""


def _reading(row: TraceRow, shared: Shared) -> Reading:
    facts = {
        "error": float(row.failed),
        "thumbs_down": float(row.feedback is not None and row.feedback <= 0),
        "abstained": None if row.abstained is None else float(row.abstained),
        "latency_ms": row.latency_ms,
        "cost_usd": row.cost_usd,
    }
    return Reading(
        trace=row.id,
        at_ms=row.started,
        session=row.session,
        slices=_slices(row, shared),
        question=row.question,
        scores=row.scores,
        scorers=row.scorers,
        facts={name: value for name, value in facts.items() if value is not None},
    )


def _slices(row: TraceRow, shared: Shared) -> dict[str, tuple[str, ...]]:
    key = (row.model, row.prompt_version, row.service, row.tags)
    if key not in shared:
        named = zip(("model", "prompt_version", "service"), key[:3], strict=True)
        shared[key] = {name: (value,) for name, value in named if value}
        if row.tags:
            shared[key]["tag"] = row.tags
    return shared[key]


def _caught(row: TraceRow, config: OnlineConfig) -> bool:
    """Say whether a rule that looks at the trace alone would have it scored.

    What is slow, and which document is new, depends on what was seen before: these rules are not asked, and
    traces that they alone chose do not count for the whole.
    """
    holds = {
        "thumbs-down": row.feedback is not None and row.feedback <= 0,
        "error": row.failed,
        "abstained": bool(row.abstained),
    }
    for rule in config.always:
        kind, _, name = rule.partition(":")
        if rule in _STRATA and holds[rule]:
            return True
        if (kind == "tag" and name in row.tags) or (kind == "model" and name == row.model):
            return True
    return False


def _decoded(body: bytes | None) -> State:
    try:
        return msgspec.json.decode(body, type=State) if body is not None else State()
    except msgspec.DecodeError:
        return State()
