"""Whose the traces are that were not understood yet, so that deleting a user reaches these too.

Nothing is saved: a trace of which more comes is understood when it is due.
"""

from collections.abc import Iterator, Sequence

from acidtest.data.traces import Trace
from acidtest.online.assemble import batches, readable, readable_spans
from acidtest.online.rooms import Rooms
from acidtest.store.spans import KeptSpan
from acidtest.store.trace_rows import fitted
from acidtest.tracing.understand.trace import understand

_PAGE = 200


def pending_of(
    rooms: Rooms, *, sessions: tuple[str, ...] = (), users: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield the ids of traces that wait to be understood, and are of these sessions or users.

    Args:
        rooms: The store's.
        sessions: Names of sessions, and
        users: of users.

    Raises:
        StoreError: The store failed.
        MissingExtra: Spans are protobuf, and the package that reads them is not installed.
    """
    named = {fitted(name) for name in sessions}, {fitted(name) for name in users}
    after = ""
    while page := rooms.traces.pending(after=after, limit=_PAGE):
        after = page[-1].trace_id
        # What is too large to be read never tells whose it is: not when it is understood either.
        for batch in batches([one for one in page if readable(one)]):
            kept = rooms.spans.spans_of([one.trace_id for one in batch])
            for one in batch:
                session, user = _whose(kept.pop(one.trace_id))
                if session in named[0] or user in named[1]:
                    yield one.trace_id


def _whose(kept: Sequence[KeptSpan]) -> tuple[str | None, str | None]:
    """Return the session and the user of a trace."""
    spans, _ = readable_spans(kept)
    try:
        trace = understand(spans) if spans else Trace(id="")
    except Exception:  # noqa: BLE001 - one trace must not keep the others from being found
        return None, None
    return fitted(trace.session), fitted(trace.user)
