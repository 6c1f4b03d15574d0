"""Which traces an address asks for: the filter, what was typed, and what of it could not be read."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from msgspec import Struct

from acidtest.errors import UsageError
from acidtest.project.config import Config
from acidtest.project.traces import kept_as
from acidtest.project.traces_times import moment
from acidtest.server.query import address, asked, day_ms
from acidtest.server.render import AnyRequest
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_job import State
from acidtest.store.traces import Cursor

TEXTS = ("text", "service", "model", "prompt_version", "session", "user", "tag", "metric")
FIELDS = (*TEXTS, "failed", "abstained", "feedback", "job", "since", "until", "through", "below")
_DAY_MS = 86_400_000
_LARGEST = 2**63 - 1
_DIGITS = 20

T = TypeVar("T")


class Wanted(Struct, frozen=True, kw_only=True):
    """What is asked for.

    Attributes:
        filter: Which traces.
        given: What was typed, by field.
        errors: What is wrong with it, by field; such a field chooses nothing, so nothing is to be shown.
        after: Where the page before ended.
        limit: The most that are wanted.
    """

    filter: TraceFilter
    given: dict[str, str]
    errors: dict[str, str]
    after: Cursor | None
    limit: int

    def next(self, path: str, end: Cursor) -> str:
        """Return the address of the next page."""
        return address(path, {**self.given, "after": f"{end[0]}-{end[1]}"})


def wanted(request: AnyRequest, config: Config, *, limit: int, most: int = 0) -> Wanted:
    """Read what is asked for.

    Args:
        request: Whose address it is.
        config: Says how users and sessions are kept.
        limit: How many traces are wanted at a time,
        most: and up to how many, where the address may say.

    `text`, `service`, `model`, `prompt_version`, `session`, `user` and `tag` are words, `metric` with `below` a score; `failed`
    and `abstained` are yes or no, `feedback` is good or bad, `job` waiting, dead or out; `since` and `until`
    (excluded) are moments, `through` is a day (included).
    """
    given, errors = asked(request, *FIELDS, "after", *(("limit",) if most else ()))
    now = time.time_ns() // 1_000_000

    def read(name: str, how: Callable[[str], T]) -> T | None:
        if name not in given or name in errors:
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
    ends = [end for end in (until, through) if end is not None]
    below = read("below", _number)
    if "below" in given and "metric" not in given:
        errors["below"] = "Say of which metric."
    limited = read("limit", lambda text: _limit(text, most))
    return Wanted(
        filter=TraceFilter(
            text=given.get("text"),
            service=given.get("service"),
            model=given.get("model"),
            prompt_version=given.get("prompt_version"),
            session=kept_as(config, given.get("session")),
            user=kept_as(config, given.get("user")),
            tag=given.get("tag"),
            failed=read("failed", _flag),
            abstained=read("abstained", _flag),
            feedback=read("feedback", _rating),
            job=read("job", _state),
            since=since,
            until=min(ends) if ends else None,
            metric=given.get("metric"),
            # Below, not at: the next smaller number.
            max_score=None if below is None else math.nextafter(below, -math.inf),
        ),
        given={name: value for name, value in given.items() if name != "after"},
        errors=errors,
        after=read("after", _cursor),
        limit=limited or limit,
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


def _flag(text: str) -> bool:
    return _one(text, {"yes": True, "no": False})


def _rating(text: str) -> Literal["good", "bad"]:
    return _one(text, {"good": "good", "bad": "bad"})


def _state(text: str) -> State:
    return _one(text, {"waiting": "waiting", "dead": "dead", "out": "out"})


def _one(text: str, known: Mapping[str, T]) -> T:
    if text not in known:
        *others, last = known
        raise ValueError(f"Write {', '.join(others)} or {last}.")
    return known[text]


def _limit(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and 1 <= int(text) <= most):
        raise ValueError(f"Write a number from 1 to {most}.")
    return int(text)


def _cursor(text: str) -> Cursor:
    started, _, trace_id = text.partition("-")
    if not (started.isascii() and started.isdigit() and len(started) <= _DIGITS and trace_id):
        raise ValueError("Take it from the page before: it is what `next` says there.")
    return min(int(started), _LARGEST), trace_id
