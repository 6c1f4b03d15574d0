"""Reading traces for the watch and the digest: all of them, or of very many a share, by their ids.

What is read has to fit into the server's memory. Fifty thousand traces tell what a million would: a rate of
5 % to within a fifth of a point. The share is halved as often as it takes, so it seldom changes, and what is
read at one share is read at each larger one, as with the traces that are scored.
"""

from collections.abc import Sequence

from acidtest.online.sample import sampled
from acidtest.store.trace_readings import TraceReadings, TraceRow

MOST = 50_000
"""Traces that are read at a time."""

Span = tuple[int, int]
"""When a span of time begins and ends, in milliseconds since 1970, its end excluded."""


def read(store: TraceReadings, spans: Sequence[Span]) -> list[TraceRow]:
    """Return traces of some spans of time, or a share of them.

    Args:
        store: Where they are.
        spans: Which, the earliest first; they do not overlap.
    """
    share = share_of(sum(store.count(*span) for span in spans))
    keep = None if share == 1 else lambda name: sampled(name, share)
    return [row for span in spans for row in store.between(*span, keep=keep)]


def share_of(traces: int) -> float:
    """Return the share that is read of so many traces: all, a half, a quarter and so on."""
    share = 1.0
    while traces * share > MOST:
        share /= 2
    return share
