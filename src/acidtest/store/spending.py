"""What judging traces took, day by day, and taking from a day's budget before anything is asked.

A day is one of UTC. Taking is one statement of the database: several workers together never take more than
there is.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import case, select, update

from acidtest.store.database import Database
from acidtest.store.trace_tables import spending

Insert = Callable[[Any], Any]


class Limits(Struct, frozen=True, kw_only=True):
    """What may be spent on a day; None for no bound."""

    usd: float | None = None
    calls: int | None = None
    traces: int | None = None

    def __bool__(self) -> bool:
        """Say whether there is a bound at all."""
        return (self.usd, self.calls, self.traces) != (None, None, None)

    @property
    def spent_words(self) -> str:
        """What to say of a trace that was left out."""
        bounds = [
            f"${self.usd:g}" if self.usd is not None else "",
            f"{self.calls:,} calls" if self.calls is not None else "",
            f"{self.traces:,} traces" if self.traces is not None else "",
        ]
        return f"the day's budget was spent: {', '.join(filter(None, bounds))}"


class Day(Struct, frozen=True, kw_only=True):
    """What was spent on a day: US dollars, calls, tokens, traces that were begun."""

    day: str
    usd: float = 0.0
    calls: int = 0
    tokens: int = 0
    traces: int = 0


class Entry(NamedTuple):
    """A call: what is taken for it before it is made (`taking`), or what it took beyond that.

    Where nobody knows what a call will cost, `usd` is None: what calls did cost lately is taken. `at_ms` is when,
    by default now: what a call took goes to the day that it was taken from.
    """

    taking: bool
    usd: float | None
    calls: int
    tokens: int = 0
    at_ms: int | None = None


class Spending(Database):
    """What judging traces took, in one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def take(self, limits: Limits, *, now_ms: int, usd: float = 0.0, calls: int = 0) -> bool:
        """Take from the day's budget what a call is expected to take; False where it is spent."""
        with self._begin() as connection:
            return take(connection, self._insert, now_ms, limits, usd=usd, calls=calls)

    def took(self, *, now_ms: int, usd: float = 0.0, calls: int = 0, tokens: int = 0) -> None:
        """Add what a call took beyond what had been taken for it, which may be less than nothing."""
        with self._begin() as connection:
            took(connection, self._insert, now_ms, usd=usd, calls=calls, tokens=tokens)

    def entered(
        self, entries: Sequence[Entry], limits: Limits, *, now_ms: int
    ) -> list[float | None]:
        """Take and settle several calls in one transaction, in order.

        Returns:
            What was taken for each, in US dollars; None for a call that the budget does not allow.
        """
        with self._begin() as connection:
            return [self._entered(connection, entry, limits, now_ms) for entry in entries]

    def _entered(self, connection: Any, entry: Entry, limits: Limits, now_ms: int) -> float | None:
        usd = _lately(connection) if entry.usd is None else entry.usd
        now_ms = now_ms if entry.at_ms is None else entry.at_ms
        if not entry.taking:
            more = entry.tokens
            took(connection, self._insert, now_ms, usd=usd, calls=entry.calls, tokens=more)
            return usd
        taken = take(connection, self._insert, now_ms, limits, usd=usd, calls=entry.calls)
        return usd if taken else None

    def day(self, now_ms: int) -> Day:
        """Return what was spent on the day of a moment."""
        name = day_of(now_ms)
        rows = self._rows(select(spending).where(spending.c.day == name))
        return Day(**rows[0]) if rows else Day(day=name)

    def days(self, limit: int = 31) -> list[Day]:
        """Return what was spent on the last days on which anything was, the newest first."""
        rows = self._rows(select(spending).order_by(spending.c.day.desc()).limit(limit))
        return [Day(**row) for row in rows]


def day_of(now_ms: int) -> str:
    """Return the day in UTC that a moment is of, as 2026-11-30."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).date().isoformat()


def take(
    connection: Any,
    insert: Insert,
    now_ms: int,
    limits: Limits,
    *,
    usd: float = 0.0,
    calls: int = 0,
    traces: int = 0,
) -> bool:
    """Take from the day's budget within a transaction; False, and nothing is taken, where it is spent.

    Money that is bounded lets nothing through once it is reached, whatever is expected of a call.
    """
    _begin(connection, insert, now_ms)
    t = spending.c
    which = [t.day == day_of(now_ms)]
    if limits.usd is not None and not traces:
        which += [t.usd < limits.usd, t.usd + usd <= limits.usd]
    if limits.calls is not None:
        which.append(t.calls + calls <= limits.calls)
    if limits.traces is not None:
        which.append(t.traces + traces <= limits.traces)
    values = {"usd": t.usd + usd, "calls": t.calls + calls, "traces": t.traces + traces}
    return bool(connection.execute(update(spending).where(*which).values(**values)).rowcount)


def took(
    connection: Any,
    insert: Insert,
    now_ms: int,
    *,
    usd: float = 0.0,
    calls: int = 0,
    tokens: int = 0,
    traces: int = 0,
) -> None:
    """Add to what was spent on a day, within a transaction."""
    _begin(connection, insert, now_ms)
    t = spending.c
    values = {
        "usd": t.usd + usd,
        "calls": t.calls + calls,
        "tokens": t.tokens + tokens,
        # One that is given back on another day than it was begun takes nothing off that day.
        "traces": case((t.traces + traces < 0, 0), else_=t.traces + traces),
    }
    connection.execute(update(spending).where(t.day == day_of(now_ms)).values(**values))


def _lately(connection: Any) -> float:
    """Return what a call took on the last day that had any; 0 before the first."""
    query = select(spending).where(spending.c.calls > 0).order_by(spending.c.day.desc()).limit(1)
    row = connection.execute(query).first()
    return 0.0 if row is None else max(row.usd / row.calls, 0.0)


def _begin(connection: Any, insert: Insert, now_ms: int) -> None:
    row = {"day": day_of(now_ms), "usd": 0.0, "calls": 0, "tokens": 0, "traces": 0}
    connection.execute(insert(spending).on_conflict_do_nothing(), [row])
