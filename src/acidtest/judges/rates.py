"""When to come back, from what an endpoint's headers say of its rate limits.

The limits of the large providers are buckets that fill evenly; `reset` is when they are full again
(OpenAI, Azure, Groq and others: `x-ratelimit-...`; Anthropic: `anthropic-ratelimit-...`). So with
`remaining` of `limit` left and `reset` seconds to go, there is room for `n` after::

    reset * (n - remaining) / (limit - remaining)
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SPAN = re.compile(
    r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?"
)
_BUCKETS = (
    ("x-ratelimit-limit-{}", "x-ratelimit-remaining-{}", "x-ratelimit-reset-{}"),
    (
        "anthropic-ratelimit-{}-limit",
        "anthropic-ratelimit-{}-remaining",
        "anthropic-ratelimit-{}-reset",
    ),
)
_NAMES = {
    what: [tuple(part.format(what) for part in bucket) for bucket in _BUCKETS]
    for what in ("requests", "tokens")
}
_MOST_S = 1e7


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that `Retry-After` (or `retry-after-ms`) names; None when it does not."""
    ms = _number(headers.get("retry-after-ms"))
    if ms is not None and ms >= 0:
        return ms / 1000
    value = headers.get("Retry-After")
    return None if value is None else seconds(value, now)


def room_after(headers: Mapping[str, str], *, tokens: int, now: datetime | None = None) -> float:
    """Return the seconds until there is room for another call.

    Args:
        headers: Of a reply; names in any case.
        tokens: What such a call takes.
        now: The time, for a `reset` that is a date.

    Returns:
        0 when there is room, or the headers say nothing that can be used.
    """
    wait = 0.0
    for what, need in (("requests", 1), ("tokens", tokens)):
        for limit_name, remaining_name, reset_name in _NAMES[what]:
            said = headers.get(remaining_name)
            if said is None:
                continue
            remaining, limit = _number(said), _number(headers.get(limit_name))
            if remaining is None or remaining < 0 or remaining >= need:  # Azure says -1 for unknown
                continue
            reset = seconds(headers.get(reset_name, ""), now)
            if reset is None:
                continue
            share = 1.0
            if limit is not None and limit > remaining:
                share = min(1.0, (need - remaining) / (limit - remaining))
            wait = max(wait, reset * share)
    return wait


def seconds(value: str, now: datetime | None = None) -> float | None:
    """Read a span or a point of time: `12`, `1.5s`, `6m0s`, `12ms`, an HTTP date, an ISO date.

    Returns:
        Seconds from now, at least 0; None when it cannot be read or is beyond a hundred days.
    """
    value = value.strip()[:100]
    found = _number(value)
    if found is None and value and (span := _SPAN.fullmatch(value)):
        hours, minutes, secs, ms = (float(part or 0) for part in span.groups())
        found = hours * 3600 + minutes * 60 + secs + ms / 1000
    if found is None and (when := _date(value)) is not None:
        found = (when - (now or datetime.now(UTC))).total_seconds()
    return None if found is None or found > _MOST_S else max(0.0, found)


def _number(value: str | None) -> float | None:
    try:
        found = float(value or "")
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _date(value: str) -> datetime | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            when = read(value)
        except (ValueError, OverflowError):  # a year of twenty digits
            continue
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    return None
