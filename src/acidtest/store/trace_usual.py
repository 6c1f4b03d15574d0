"""What the traces of one store have in common: how long they take, and which documents they had."""

from collections.abc import Sequence

from sqlalchemy import func, select

from acidtest.store.database import IN, Database
from acidtest.store.trace_tables import seen_documents, traces


class TraceUsual(Database):
    """Says what is usual in one store. Methods raise `StoreError` when it fails.

    Args:
        url: See `acidtest.store.schema.connect`.
    """

    def latencies(self, limit: int) -> list[float]:
        """Return the total latencies of the newest traces that tell one, in milliseconds."""
        query = select(traces.c.latency_ms).where(traces.c.latency_ms.is_not(None))
        rows = self._rows(query.order_by(traces.c.started.desc()).limit(limit))
        return [row["latency_ms"] for row in rows]

    def unseen(self, documents: Sequence[str]) -> set[str]:
        """Return which of these hashes are of documents that no trace had before."""
        seen: set[str] = set()
        for start in range(0, len(documents), IN):
            some = documents[start : start + IN]
            query = select(seen_documents.c.hash).where(seen_documents.c.hash.in_(some))
            seen |= {row["hash"] for row in self._rows(query)}
        return set(documents) - seen

    def first_document(self) -> int | None:
        """Return when the first document was seen; None where none was."""
        first = self._rows(select(func.min(seen_documents.c.first).label("first")))[0]["first"]
        return None if first is None else int(first)
