"""Moments that people name: a day, a time, or how long ago."""

import re
from datetime import UTC, datetime

from acidtest.errors import UsageError

_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}


def moment(text: str, where: str, *, now_ms: int) -> int:
    """Return a moment in milliseconds since 1970.

    Args:
        text: `2026-11-30` (its beginning in UTC), `2026-11-30T12:00+01:00`, or `90m`, `12h`, `7d`, `2w` ago.
        where: The option, for messages.
        now_ms: The time.

    Raises:
        UsageError: It is none of these.
    """
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return max(0, now_ms - int(ago[1]) * _UNITS[ago[2]])
    try:
        at = datetime.fromisoformat(text.strip())
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        return max(0, round(at.timestamp() * 1000))
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{text!r} is no time",
            where=where,
            fix="Write a day (2026-11-30), a time (2026-11-30T12:00), or how long ago (12h, 7d).",
        ) from error
