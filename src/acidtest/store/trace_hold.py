"""Holding traces until a transaction ends, so that two who change what hangs on one do so in turn."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import select

from acidtest.store.database import IN
from acidtest.store.trace_tables import traces

For = Literal["change", "quote", "deletion"]
"""What traces are held for; many may quote one at a time, also while it is changed."""

_SHARED = {"change": (False, True), "quote": (True, True), "deletion": (False, False)}
"""Whether others may hold it as well, and whether what leads to it may be stored meanwhile."""


def held_traces(connection: Any, trace_ids: Sequence[str], what: For = "change") -> dict[str, str]:
    """Hold the traces of these ids that are there; return their digests.

    Do it before anything else of theirs is changed, and of all of them at once: whoever has one of them waits
    for nothing that its next holder has. SQLite, in which one writes at a time, has nothing to hold.
    """
    read, key_share = _SHARED[what]
    t, ids, found = traces.c, sorted(set(trace_ids)), dict[str, str]()
    for start in range(0, len(ids), IN):
        query = select(t.id, t.digest).where(t.id.in_(ids[start : start + IN]))
        # In order, so that none wait for each other.
        held = query.order_by(t.id).with_for_update(read=read, key_share=key_share)
        for row in connection.execute(held):
            found[row.id] = row.digest
    return found
