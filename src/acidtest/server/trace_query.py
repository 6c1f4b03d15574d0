"""Which traces an address asks for: the filter, what was typed, and what of it could not be read."""

import math
import time
from collections.abc import Callable

from msgspec import Struct

from acidtest.errors import UsageError
from acidtest.project.config import Config
from acidtest.project.traces import kept_as
from acidtest.project.traces_times import moment
from acidtest.server.query import address, asked, day_ms
from acidtest.server.render import AnyRequest
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.traces import Cursor

TEXTS = ("text", "service", "model", "prompt_version", "session", "user", "tag", "metric")
FIELDS = (*TEXTS, "failed", "abstained", "feedback", "job", "since", "until", "through", "below")
_DAY_MS = 86_400_000
_LARGEST = 2**63 - 1


class Wanted(Struct, frozen=True, kw_only=True):
    """What is asked for.

    Attributes:
        filter: Which traces.
        given: What was typed, by field.
        errors: What is wrong with it, by field; such a field chooses nothing.
        after: Where the page before ended.
    """

    filter: TraceFilter
    given: dict[str, str]
    errors: dict[str, str]
    after: Cursor | None

    def next(self, path: str, end: Cursor) -> str:
        """Return the address of the next page."""
        return address(path, {**self.given, "after": f"{end[0]}-{end[1]}"})


def wanted(request: AnyRequest, config: Config) -> Wanted:
    """Read what is asked for.

    `text`, `service`, `model`, `prompt_version`, `session`, `user` and `tag` are words, `metric` with `below` a score; `failed`
    and `abstained` are yes or no, `feedback` is good or bad, `job` waiting, dead or out; `since` and `until`
    (excluded) are moments, `through` is a day (included).
    """
    given = asked(request, *FIELDS)
    errors: dict[str, str] = {}
    now = time.time_ns() // 1_000_000

    def read(name: str, how: Callable[[str], int | float]) -> int | float | None:
        if name not in given:
            return None
        try:
            return how(given[name])
        except (ValueError, UsageError) as error:
            errors[name] = error.fix if isinstance(error, UsageError) and error.fix else str(error)
            return None

    since, until, through = (
        read("since", lambda text: moment(text, "since", now_ms=now)),
        read("until", lambda text: moment(text, "until", now_ms=now)),
        read("through", _day_end),
    )
    ends = [int(end) for end in (until, through) if end is not None]
    below = read("below", _number)
    if "below" in given and "metric" not in given:
        errors["below"] = "Say of which metric."
    return Wanted(
        filter=TraceFilter(
            text=given.get("text"),
            service=given.get("service"),
            model=given.get("model"),
            prompt_version=given.get("prompt_version"),
            session=kept_as(config, given.get("session")),
            user=kept_as(config, given.get("user")),
            tag=given.get("tag"),
            failed=_flag(given.get("failed")),
            abstained=_flag(given.get("abstained")),
            feedback=_one(given.get("feedback"), "good", "bad"),  # type: ignore[arg-type]
            job=_one(given.get("job"), "waiting", "dead", "out"),  # type: ignore[arg-type]
            since=None if since is None else int(since),
            until=min(ends) if ends else None,
            metric=given.get("metric"),
            # Below, not at: the next smaller number.
            max_score=None if below is None else math.nextafter(below, -math.inf),
        ),
        given=given,
        errors=errors,
        after=_cursor(asked(request, "after").get("after", "")),
    )


def _day_end(text: str) -> int:
    found = day_ms(text)
    if found is None:
        raise ValueError("Write a day: 2026-11-30.")
    return found + _DAY_MS


def _number(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError("Write a number such as 0.5.")
    return value


def _flag(text: str | None) -> bool | None:
    return {"yes": True, "no": False}.get(text or "")


def _one(text: str | None, *known: str) -> str | None:
    return text if text in known else None


def _cursor(text: str) -> Cursor | None:
    started, dash, trace_id = text.partition("-")
    if not dash or not (started.isascii() and started.isdigit()) or int(started) > _LARGEST:
        return None
    return int(started), trace_id
