"""The statements that store spans, for either database.

SQLite takes many rows in one statement, PostgreSQL one array a column: either is one step for the
driver, during which Python is free for other threads.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple


class Target(NamedTuple):
    """A table, its columns with their types on PostgreSQL, and what happens to a row that is there."""

    table: str
    columns: tuple[tuple[str, str], ...]
    conflict: str


ORIGINS = Target("origins", (("hash", "text"), ("body", "bytea")), "DO NOTHING")

SPANS = Target(
    "spans",
    (
        ("trace_id", "text"),
        ("span_id", "text"),
        ("parent_id", "text"),
        ("name", "text"),
        ("start_ns", "bigint"),
        ("end_ns", "bigint"),
        ("received", "bigint"),
        ("form", "text"),
        ("origin", "text"),
        ("body", "bytea"),
    ),
    # The same span again changes nothing; one that was sent while it ran is replaced when it ends.
    "(trace_id, span_id) DO UPDATE SET parent_id = excluded.parent_id, name = excluded.name,"
    " start_ns = excluded.start_ns, end_ns = excluded.end_ns, received = excluded.received,"
    " form = excluded.form, origin = excluded.origin, body = excluded.body"
    " WHERE excluded.end_ns > spans.end_ns",
)

PENDING = Target(
    "pending_traces",
    (
        ("trace_id", "text"),
        ("first", "bigint"),
        ("last", "bigint"),
        ("ended", "boolean"),
        ("due", "bigint"),
    ),
    # `last` always grows: whoever assembles a trace sees that something came in between. An ended
    # trace to which spans come is due when a trace that has ended is.
    '(trace_id) DO UPDATE SET "last" = CASE WHEN excluded."last" > pending_traces."last"'
    ' THEN excluded."last" ELSE pending_traces."last" + 1 END,'
    " ended = pending_traces.ended OR excluded.ended,"
    " due = CASE WHEN pending_traces.ended AND NOT excluded.ended"
    ' THEN excluded."last" + {ended_ms} ELSE excluded.due END',
)

_SQLITE_STEPS = (64, 16, 4, 1)
"""Rows of one statement: few different ones, which the driver keeps prepared."""

_POSTGRES_ROWS = 64
"""Rows of one statement: of more the driver holds megabytes, and it goes no faster."""


def steps(
    target: Target, rows: Sequence[tuple[Any, ...]], *, postgres: bool, **numbers: int
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield statements with their parameters that store some rows.

    Args:
        target: Where to.
        rows: Values in the order of the target's columns.
        postgres: Write for PostgreSQL, otherwise for SQLite.
        numbers: What the target's statement leaves open.
    """
    conflict = target.conflict.format(**numbers)
    if postgres:
        for start in range(0, len(rows), _POSTGRES_ROWS):
            columns = zip(*rows[start : start + _POSTGRES_ROWS], strict=True)
            yield _by_columns(target, conflict), tuple(map(list, columns))
        return
    start = 0
    for size in _SQLITE_STEPS:
        while len(rows) - start >= size:
            flat = [value for row in rows[start : start + size] for value in row]
            yield _by_rows(target, conflict, size), tuple(flat)
            start += size


@cache
def _by_rows(target: Target, conflict: str, size: int) -> str:
    row = f"({', '.join('?' * len(target.columns))})"
    return f"{_into(target)} VALUES {', '.join([row] * size)} ON CONFLICT {conflict}"


@cache
def _by_columns(target: Target, conflict: str) -> str:
    arrays = ", ".join(f"%b::{kind}[]" for _, kind in target.columns)
    return f"{_into(target)} SELECT * FROM unnest({arrays}) ON CONFLICT {conflict}"  # noqa: S608 - our own names


def _into(target: Target) -> str:
    names = ", ".join(f'"{name}"' for name, _ in target.columns)
    return f"INSERT INTO {target.table} ({names})"
