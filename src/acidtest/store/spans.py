"""Spans as they came: stored before they are acknowledged, and read back by trace."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from acidtest.data.spans import Arrivals, Form
from acidtest.store.database import IN, Database
from acidtest.store.span_rows import rows_of
from acidtest.store.span_sql import ORIGINS, PENDING, SPANS, steps
from acidtest.store.trace_tables import origins, spans


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
            query = (
                select(spans, origins.c.body.label("origin_body"))
                .join_from(spans, origins, spans.c.origin == origins.c.hash, isouter=True)
                .where(spans.c.trace_id.in_(listed[start : start + IN]))
                .order_by(spans.c.start_ns, spans.c.span_id)
            )
            for row in self._rows(query):
                found[row["trace_id"]].append(
                    KeptSpan(
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
                )
        return found


def _run(connection: Connection, sql: str, values: tuple[object, ...]) -> None:
    connection.exec_driver_sql(sql, values)
