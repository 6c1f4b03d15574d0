"""The weekly digest, sent where alerts go: once a week, by whichever worker looks first.

What was sent is kept in the store. Of several workers one claims the week, so nobody is told twice, whatever their
clocks say within some minutes; an address that it did not reach is tried again, alone. Only what arrives and is not
noted as such is sent a second time: the worker was killed before it has noted it, or the answer was lost. `key` in
the JSON is the same then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from acidtest.errors import AcidtestError, StoreError
from acidtest.online.addresses import mark_of
from acidtest.online.config import WEEKDAYS, AlertsConfig
from acidtest.online.digest import WEEK_MS
from acidtest.online.notify import Parcel, Sent, send
from acidtest.online.readings import DAY_MS, day_begins, day_number
from acidtest.online.rooms import Rooms
from acidtest.store.alerts import Alerts

TRIES = 8
"""How often one that did not arrive is sent: the pauses double, from that between two looks."""

STATE = "week"
"""What a parcel says that it tells."""

_KEY = "digest"
_LONGEST_MS = 10 * 60_000  # that a claim lasts
_CLOCKS_MS = DAY_MS  # that another worker's clock may be before this one's


class Weekly(Struct, frozen=True, kw_only=True):
    """What is kept of the latest digest.

    Attributes:
        until_ms: The end of its week; 0: there was none yet.
        claimed_ms: Since when a worker is at it; 0: none is.
        done: It arrived everywhere, or was given up. Where there was nothing to tell, there may be yet: traces
            of the week are imported.
        tries: How often it was sent.
        again_ms: Not before then is it sent again.
        arrived: Marks of the addresses that it arrived at.
        sent: What came of each address the last time that it was tried.
    """

    until_ms: int = 0
    claimed_ms: int = 0
    done: bool = False
    tries: int = 0
    again_ms: int = 0
    arrived: tuple[str, ...] = ()
    sent: tuple[Sent, ...] = ()


Make = Callable[[int, int], Parcel | None]
"""Makes the digest of a beginning and an end in milliseconds; None where there is nothing to tell."""


def week_end(weekday: str, now_ms: int) -> int:
    """Return when a weekday last began, UTC: there the week that is told of ends."""
    today = day_number(now_ms)
    return day_begins(today - (today - WEEKDAYS.index(weekday)) % 7)


def key_of(until_ms: int) -> str:
    """Return what the digest of a week is known by."""
    last = datetime.fromtimestamp((until_ms - DAY_MS) / 1000, UTC).date()
    return f"digest:{last.isoformat()}"


def read_weekly(kept: Alerts) -> Weekly:
    """Return what is kept of the latest digest; what nobody can read counts as nothing."""
    return _decoded(kept.state(_KEY))


def weekly(
    config: AlertsConfig, make: Make, *, every_ms: int
) -> Callable[[Rooms, int], Awaitable[None]]:
    """Return what a worker calls at each look; it sends the week's digest where that is due.

    Args:
        config: The weekday, and where to.
        make: Makes it.
        every_ms: Between two looks; it is what the pauses between tries begin with.
    """

    async def look(rooms: Rooms, now_ms: int) -> None:
        if config.digest is not None:
            with Alerts(rooms.traces.url) as kept:
                await _look(kept, config, make, week_end(config.digest, now_ms), now_ms, every_ms)

    return look


async def _look(
    kept: Alerts, config: AlertsConfig, make: Make, until_ms: int, now_ms: int, every_ms: int
) -> None:
    body = await asyncio.to_thread(kept.state, _KEY)
    state = _decoded(body)
    # A clock that was set back must not end the digests; one that is a little behind must not send the last again.
    if state.until_ms < until_ms or state.until_ms > now_ms + _CLOCKS_MS:
        state = Weekly(until_ms=until_ms)
    if state.done or now_ms < state.again_ms or abs(now_ms - state.claimed_ms) < _LONGEST_MS:
        return
    claimed = msgspec.json.encode(replace(state, claimed_ms=now_ms))
    if not await asyncio.to_thread(kept.swap, _KEY, body, claimed):
        return
    new = await _sent(state, config, make, now_ms, every_ms)
    await asyncio.to_thread(kept.swap, _KEY, claimed, msgspec.json.encode(new))


async def _sent(
    state: Weekly, config: AlertsConfig, make: Make, now_ms: int, every_ms: int
) -> Weekly:
    until, key = state.until_ms, key_of(state.until_ms)
    try:
        parcel = await asyncio.to_thread(make, until - WEEK_MS, until)
    except StoreError:
        raise
    except AcidtestError as error:
        # Such as a golden set that cannot be read: somebody may mend it meanwhile.
        why = Sent(key=key, state=STATE, to="anybody", at_ms=now_ms, tries=0, error=str(error))
        return _after(state, [why], frozenset({""}), now_ms, every_ms)
    if parcel is None:
        return replace(state, claimed_ms=0)
    wanted = frozenset(map(mark_of, filter(None, (config.webhook, *config.apprise))))
    sent = await send([parcel], config, now_ms=now_ms, without=state.arrived)
    return _after(state, sent, wanted, now_ms, every_ms)


def _after(
    state: Weekly, sent: list[Sent], wanted: frozenset[str], now_ms: int, every_ms: int
) -> Weekly:
    arrived = {*state.arrived, *(each.channel for each in sent if not each.error)}
    latest = {each.channel: each for each in (*state.sent, *sent) if each.channel or each in sent}
    tries = state.tries + 1
    return replace(
        state,
        claimed_ms=0,
        done=wanted <= arrived or tries >= TRIES,
        tries=tries,
        again_ms=now_ms + every_ms * 2 ** (tries - 1),
        arrived=tuple(sorted(arrived)),
        sent=tuple(latest.values()),
    )


def _decoded(body: bytes | None) -> Weekly:
    try:
        return msgspec.json.decode(body, type=Weekly) if body is not None else Weekly()
    except msgspec.DecodeError:
        return Weekly()
