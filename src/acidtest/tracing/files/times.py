"""Times as the tools write them, to nanoseconds since 1970, UTC."""

from datetime import UTC, datetime
from typing import Any

_LAST = (1 << 63) - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def nanos(value: Any) -> int | None:
    """Return a time in nanoseconds; None where there is none.

    ISO 8601 without a zone is UTC. Numbers are seconds, milliseconds, microseconds or nanoseconds, told by
    their size (any time from 1973 to 2262); `[seconds, nanoseconds]` is JavaScript's.
    """
    if isinstance(value, str):
        text = value.strip()
        digits = text.isascii() and text.isdigit() and len(text) < 20
        return _of_number(int(text)) if digits else _of_iso(text)
    if isinstance(value, list):
        return _of_pair(value)
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return _of_number(value) if known else None


def _of_pair(value: list[Any]) -> int | None:
    if len(value) != 2 or not all(isinstance(each, int) for each in value):
        return None
    return _kept(value[0] * 1_000_000_000 + value[1])


def _of_number(value: float) -> int | None:
    if not 0 < value <= _LAST:
        return None
    for below, factor in ((1e11, 10**9), (1e14, 10**6), (1e17, 10**3)):
        if value < below:
            return _kept(int(value * factor))
    return _kept(int(value))


def _of_iso(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        since = moment - _EPOCH
    except OverflowError:
        return None
    return _kept((since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1_000)


def _kept(value: int) -> int | None:
    return value if 0 < value <= _LAST else None
