"""Which verdicts of judges quote which traces: what quotes a trace goes when the trace goes."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import String, literal, select

from acidtest.store.trace_tables import trace_verdicts, traces


def quote(
    connection: Any, insert: Callable[[Any], Any], quotes: Sequence[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Note which verdicts quote which traces; return those whose trace is there."""
    there: set[tuple[str, str]] = set()
    for trace_id, key in dict.fromkeys(quotes):
        # In one statement: a trace that somebody deletes now is there for both, or for neither.
        source = select(traces.c.id, literal(key, String)).where(traces.c.id == trace_id)
        query = insert(trace_verdicts).from_select(["trace_id", "key"], source)
        connection.execute(query.on_conflict_do_nothing())
        found = select(trace_verdicts.c.key).where(
            trace_verdicts.c.trace_id == trace_id, trace_verdicts.c.key == key
        )
        if connection.execute(found).first() is not None:
            there.add((trace_id, key))
    return there
