"""Assembling: spans that are due become traces, and it is decided which of these are scored.

A trace is understood from all of its spans each time, so it does not matter how they came. It is saved only
if nothing came, and nobody deleted it, meanwhile.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.spans import Span
from acidtest.data.traces import Feedback, Trace
from acidtest.errors import AcidtestError, MissingExtra
from acidtest.metrics.declining import declining
from acidtest.online.config import OnlineConfig
from acidtest.online.rooms import Rooms
from acidtest.online.rules import Seen, choose, document_hash, document_names, slow_over
from acidtest.store.spans import KeptSpan
from acidtest.store.trace_saving import Pending, Understood
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.understand.trace import understand

OUR_SCOPE = "acidtest.online"
"""The instrumentation that results are sent back by: they are no traces to be scored."""

_AT_ONCE = 50
_HOLD_MS = 60_000
_SLACK_MS = 60_000
"""Clocks of several machines may differ by so much without a trace being understood too early."""

_ROOM = 16 * 2**20
"""Bytes of spans that are read at a time."""

_MOST_BYTES = 64 * 2**20
_MOST_SPANS = 20_000

_LATEST = 500
"""Traces whose latencies say what is slow."""

_NEW_AFTER_MS = 86_400_000
"""In the first day every document is new."""


class Usual(NamedTuple):
    """What is usual here: what slow is, and whether a document can be new yet."""

    slow_ms: float | None
    settled: bool


def assemble_due(rooms: Rooms, config: OnlineConfig, now_ms: int, *, limit: int = _AT_ONCE) -> int:
    """Understand traces that are due, save them, and put in the queue those that are to be scored.

    Args:
        rooms: The store's.
        config: What is scored.
        now_ms: The time in milliseconds since 1970.
        limit: How many traces at most.

    Returns:
        How many were due; 0 when there is nothing to do.

    Raises:
        StoreError: The store failed.
        MissingExtra: Spans are protobuf, and the package that reads them is not installed.
    """
    within_s = max(config.quiet_s, config.ended_s)
    within_ms = round(within_s * 1000) + _SLACK_MS
    due = rooms.traces.claim(now_ms, limit=limit, hold_ms=_HOLD_MS, within_ms=within_ms)
    if not due:
        return 0
    usual = _usual(rooms, config, now_ms)
    for batch in batches(due):
        _assemble(rooms, config, batch, usual, now_ms)
    return len(due)


def digest_of(trace: Trace) -> str:
    """Return the hash of what metrics read of a trace: question, history, contexts and answer."""
    contexts = None if trace.retrieved is None else [[c.id, c.text] for c in trace.retrieved]
    history = [[turn.role, turn.text] for turn in trace.history]
    return content_hash([trace.question, history, contexts, trace.answer])


def batches(due: Sequence[Pending]) -> Iterator[list[Pending]]:
    """Yield traces so many at a time that their spans can be held at once."""
    batch: list[Pending] = []
    size = 0
    for one in due:
        room = one.size if readable(one) else 0
        if batch and size + room > _ROOM:
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += room
    if batch:
        yield batch


def _assemble(
    rooms: Rooms, config: OnlineConfig, batch: list[Pending], usual: Usual, now_ms: int
) -> None:
    kept = rooms.spans.spans_of([one.trace_id for one in batch if readable(one)])
    said = rooms.traces.feedback([one.trace_id for one in batch])
    ready: list[Understood] = []
    nothing: list[Pending] = []
    for one in batch:
        trace = _trace(rooms, one, kept.pop(one.trace_id, []))
        if trace is None:
            nothing.append(one)
            continue
        trace = _with_feedback(trace, said.get(one.trace_id, ()))
        ready.append(_understood(rooms, config, one, trace, usual))
    rooms.traces.drop(nothing)
    rooms.traces.save(ready, now_ms=now_ms)


def _trace(rooms: Rooms, one: Pending, kept: Sequence[KeptSpan]) -> Trace | None:
    """Understand a trace; None where there is nothing to understand."""
    if not readable(one):
        size = f"{one.spans:,} spans of {one.size / 2**20:,.0f} MB"
        return _closed(one, f"the trace has {size}: too much to be read")
    if not kept:
        # Feedback to a trace that is yet to come, or whose spans are gone.
        stored = rooms.traces.trace(one.trace_id)
        return None if stored is None else stored.trace
    spans, refused = readable_spans(kept)
    if spans and all(span.scope == OUR_SCOPE for span in spans):
        return None
    if not spans:
        return _closed(one, f"none of its spans could be read: {refused}")
    try:
        trace = understand(spans)
    except Exception as error:  # noqa: BLE001 - one trace must not keep the others waiting
        return _closed(one, f"it could not be understood: {type(error).__name__}: {error}")
    if refused:
        trace = replace(trace, notes=(*trace.notes, f"a span could not be read: {refused}"))
    return replace(trace, id=one.trace_id)


def readable_spans(kept: Sequence[KeptSpan]) -> tuple[list[Span], str]:
    """Return the spans that can be read, and why the first of the others cannot."""
    spans: list[Span] = []
    refused = ""
    for each in kept:
        try:
            spans.append(opened(each.form, each.body, each.origin))
        except MissingExtra:
            raise
        except AcidtestError as error:
            refused = refused or str(error)
    return spans, refused


def _closed(one: Pending, why: str) -> Trace:
    """Return a trace of which nothing is known but why."""
    parts = ("question", "retrieved", "answer", "model", "usage", "latency")
    return Trace(id=one.trace_id, spans=one.spans, missing=dict.fromkeys(parts, why[:1000]))


def readable(one: Pending) -> bool:
    """Say whether a trace is small enough to be read."""
    return one.size <= _MOST_BYTES and one.spans <= _MOST_SPANS


def _with_feedback(trace: Trace, said: tuple[Feedback, ...]) -> Trace:
    more = tuple(given for given in said if given not in trace.feedback)
    return replace(trace, feedback=(*trace.feedback, *more)) if more else trace


def _understood(
    rooms: Rooms, config: OnlineConfig, one: Pending, trace: Trace, usual: Usual
) -> Understood:
    hashes = [document_hash(name) for name in document_names(trace)]
    new = rooms.traces.unseen(hashes) if usual.settled else set()
    declined = declining(trace.as_answer())
    seen = Seen(declined is not None and declined.declined, usual.slow_ms, new)
    choice = choose(trace, config, seen)
    return Understood(
        trace=trace,
        digest=digest_of(trace),
        last=one.last,
        why=choice.why if choice else None,
        priority=choice.priority if choice else 0,
        documents=tuple(hashes),
        declined=None if declined is None else declined.declined,
    )


def _usual(rooms: Rooms, config: OnlineConfig, now_ms: int) -> Usual:
    slow = config.slow_ms
    if slow is None and "slow" in config.always:
        slow = slow_over(rooms.traces.latencies(_LATEST))
    first = rooms.traces.first_document() if "new-document" in config.always else None
    return Usual(slow, first is not None and now_ms - first >= _NEW_AFTER_MS)
