"""Holding traces until a transaction ends, so that two who change what hangs on one do so in turn."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update

from acidtest.store.trace_tables import traces


def held_traces(connection: Any, trace_ids: Sequence[str]) -> dict[str, str]:
    """Hold the traces of these ids that are there; return their digests.

    Do it before anything else of theirs is changed: whoever has one of them waits for nothing that its next
    holder has.
    """
    # It changes nothing, and nobody else changes these rows until the end.
    hold = update(traces).where(traces.c.id.in_(trace_ids)).values(updated=traces.c.updated)
    rows = connection.execute(hold.returning(traces.c.id, traces.c.digest))
    return {row.id: row.digest for row in rows}
