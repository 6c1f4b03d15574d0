"""Spans as they came: stored before they are acknowledged, and read back by trace."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from acidtest.data.spans import Arrivals, Form
from acidtest.store.again import again
from acidtest.store.database import IN, Database
from acidtest.store.span_rows import rows_of
from acidtest.store.span_sql import ORIGINS, PENDING, SPANS, steps
from acidtest.store.trace_tables import origins, spans

MOST_SPANS = 20_000
"""Spans of one trace that are looked at together: an answer takes some dozens."""


class KeptSpan(NamedTuple):
    """A span as the store has it; `origin` is the JSON of an `Origin`, empty where it is gone."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: int
    end_ns: int
    received: int
    form: Form
    body: bytes
    origin: bytes


class SpanStore(Database):
    """The spans of one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    @again
    def add(
        self, arrivals: Sequence[Arrivals], *, now_ms: int, quiet_ms: int, ended_ms: int
    ) -> None:
        """Store spans in one transaction; they are on disk when this returns.

        A span that is there already (same trace and span id) is left, unless this one ends later. Each
        trace is noted with when it is to be assembled.

        Args:
            arrivals: What some requests or files brought.
            now_ms: The time in milliseconds since 1970.
            quiet_ms: A trace whose root has not ended is due when so long nothing came.
            ended_ms: One whose root has ended is due this long after its last span.
        """
        rows = rows_of(arrivals, now_ms=now_ms, quiet_ms=quiet_ms, ended_ms=ended_ms)
        if not rows.spans:
            return
        postgres = self._engine.dialect.name == "postgresql"
        with self._begin() as connection:
            for target, some in (
                (SPANS, rows.spans),
                (PENDING, rows.pending),
                (ORIGINS, rows.origins),
            ):
                for sql, values in steps(target, some, postgres=postgres, ended_ms=ended_ms):
                    _run(connection, sql, values)

    def spans_of(self, trace_ids: Sequence[str]) -> dict[str, list[KeptSpan]]:
        """Return the spans of some traces by trace id, each trace's in the order of their start."""
        found: dict[str, list[KeptSpan]] = {trace_id: [] for trace_id in trace_ids}
        listed = list(found)
        for start in range(0, len(listed), IN):
            for each in self._kept(spans.c.trace_id.in_(listed[start : start + IN])):
                found[each.trace_id].append(each)
        return found

    def first_of(
        self, trace_id: str, *, most_bytes: int, most: int = MOST_SPANS
    ) -> tuple[list[KeptSpan], int]:
        """Return the spans of a trace that began first, and how many were left out.

        Args:
            trace_id: Of which trace.
            most_bytes: So much may they hold together; one that is larger is left out.
            most: So many may they be.
        """
        query = (
            select(spans.c.id, func.length(spans.c.body).label("size"))
            .where(spans.c.trace_id == trace_id)
            .order_by(spans.c.start_ns, spans.c.span_id)
        )
        ids: list[int] = []
        room, left_out = most_bytes, 0
        for number, size in self._tuples(query):
            if size > room or len(ids) == most:
                left_out += 1
                continue
            room -= size
            ids.append(number)
        parts = (ids[start : start + IN] for start in range(0, len(ids), IN))
        return [each for some in parts for each in self._kept(spans.c.id.in_(some))], left_out

    def _kept(self, which: ColumnElement[bool]) -> Iterator[KeptSpan]:
        query = (
            select(spans, origins.c.body.label("origin_body"))
            .join_from(spans, origins, spans.c.origin == origins.c.hash, isouter=True)
            .where(which)
            .order_by(spans.c.start_ns, spans.c.span_id)
        )
        for row in self._rows(query):
            yield KeptSpan(
                trace_id=row["trace_id"],
                span_id=row["span_id"],
                parent_id=row["parent_id"],
                name=row["name"],
                start_ns=row["start_ns"],
                end_ns=row["end_ns"],
                received=row["received"],
                form=row["form"],
                body=row["body"],
                origin=row["origin_body"] or b"",
            )


def _run(connection: Connection, sql: str, values: tuple[object, ...]) -> None:
    connection.exec_driver_sql(sql, values)
