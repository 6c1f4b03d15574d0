"""What was said of traces beside their spans: it may come before its trace, and long after it.

Every time is an argument, in milliseconds since 1970, UTC.
"""

from collections.abc import Sequence

from sqlalchemy import func, select

from acidtest.codec.lossy import encoded
from acidtest.data.traces import Feedback
from acidtest.store.again import again
from acidtest.store.database import IN, Database, storable
from acidtest.store.trace_rows import stored_feedback
from acidtest.store.trace_tables import pending_traces, trace_feedback


class TraceFeedback(Database):
    """Keeps feedback in one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    @again
    def add_feedback(self, trace_id: str, feedback: Feedback, *, now_ms: int) -> None:
        """Keep what somebody said of a trace, which may still be to come; the trace is due with it."""
        row = {"trace_id": trace_id, "created": now_ms, "body": encoded(feedback)}
        due = {"trace_id": trace_id, "first": now_ms, "last": now_ms, "ended": True, "due": now_ms}
        query = self._insert(pending_traces)
        # `last` always grows, as when spans come.
        most = func.greatest if self._engine.dialect.name == "postgresql" else func.max
        grown = most(query.excluded.last, pending_traces.c.last + 1)
        with self._begin() as connection:
            connection.execute(trace_feedback.insert(), [storable(row)])
            connection.execute(
                query.on_conflict_do_update(index_elements=["trace_id"], set_={"last": grown}),
                [storable(due)],
            )

    def feedback(self, trace_ids: Sequence[str]) -> dict[str, tuple[Feedback, ...]]:
        """Return what was said of traces beside their spans, in the order that it came."""
        found: dict[str, tuple[Feedback, ...]] = {}
        for start in range(0, len(trace_ids), IN):
            some = trace_ids[start : start + IN]
            query = select(trace_feedback).where(trace_feedback.c.trace_id.in_(some))
            for row in self._rows(query.order_by(trace_feedback.c.id)):
                trace_id = row["trace_id"]
                found[trace_id] = (*found.get(trace_id, ()), stored_feedback(row, self._where))
        return found
