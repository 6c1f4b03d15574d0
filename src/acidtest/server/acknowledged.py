"""Who has seen which alert: kept beside the alerts, so that others know that somebody is on it."""

import msgspec
from msgspec import Struct

from acidtest.store.alerts import Alerts

_KEY = "acknowledged"
_MOST = 500


class Seen(Struct, frozen=True, kw_only=True):
    """Who has seen an alert, and when, in milliseconds since 1970."""

    by: str
    at_ms: int


def acknowledged(kept: Alerts) -> dict[int, Seen]:
    """Return who has seen which alert, by its number."""
    return _read(kept.state(_KEY))


def acknowledge(kept: Alerts, number: int, by: str, *, now_ms: int) -> None:
    """Note that somebody has seen an alert; who did first stays."""
    while True:
        before = kept.state(_KEY)
        seen = _read(before)
        if number in seen:
            return
        latest = sorted({**seen, number: Seen(by=by, at_ms=now_ms)}.items())[-_MOST:]
        if kept.swap(_KEY, before, msgspec.json.encode(dict(latest))):
            return


def _read(body: bytes | None) -> dict[int, Seen]:
    try:
        return msgspec.json.decode(body or b"{}", type=dict[int, Seen])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}  # of a later version: it is no alert that is lost
