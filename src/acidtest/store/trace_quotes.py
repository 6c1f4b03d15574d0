"""Which verdicts of judges quote which traces: what quotes a trace goes when the trace goes."""

from collections.abc import Callable, Sequence
from typing import Any

from acidtest.store.trace_hold import held_traces
from acidtest.store.trace_tables import trace_verdicts


def quote(
    connection: Any, insert: Callable[[Any], Any], quotes: Sequence[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Note which verdicts quote which traces; return those whose trace is there."""
    # A trace that somebody deletes now is there until the end of this, or is not there.
    there = held_traces(connection, [trace_id for trace_id, _ in quotes], "quote")
    kept = sorted({(trace_id, key) for trace_id, key in quotes if trace_id in there})
    if kept:
        rows = [{"trace_id": trace_id, "key": key} for trace_id, key in kept]
        connection.execute(insert(trace_verdicts).on_conflict_do_nothing(), rows)
    return set(kept)
