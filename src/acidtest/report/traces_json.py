"""Traces as JSON that other programs lean on, and as rows of recorded outputs."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Chunk
from acidtest.data.spans import Span
from acidtest.data.traces import Trace
from acidtest.report.traces_order import tree
from acidtest.store.trace_rows import StoredTrace

TRACES_FORMAT = "acidtest/traces"
TRACE_FORMAT = "acidtest/trace"
VERSION = 1


def traces_json(traces: Iterable[StoredTrace]) -> Iterator[bytes]:
    """Yield a list of traces as JSON, piece by piece: see the page on traces for its members."""
    head = msgspec.json.format(encoded({"format": TRACES_FORMAT, "version": VERSION}), indent=1)
    yield head.removesuffix(b"\n}") + b',\n "traces": ['
    between = b"\n  "
    for each in traces:
        # No text in JSON holds a line break: these are all between its values.
        document = msgspec.json.format(encoded(trace_document(each)), indent=1)
        yield between + document.replace(b"\n", b"\n  ")
        between = b",\n  "
    yield (b"\n ]" if between[:1] == b"," else b"]") + b"\n}\n"


def trace_json(stored: StoredTrace, spans: Iterable[Span]) -> bytes:
    """Return one trace as JSON, with its spans, parents before children."""
    document = {
        "format": TRACE_FORMAT,
        "version": VERSION,
        "trace": trace_document(stored),
        "spans": [span for _, span in tree(tuple(spans))],
    }
    return msgspec.json.format(encoded(document), indent=1)


def trace_document(stored: StoredTrace) -> dict[str, Any]:
    """Return what the JSON says of a trace; every member is there, and null where it is not known."""
    trace = stored.trace
    return {
        "trace_id": trace.id,
        "name": trace.name,
        "started": when_ms(stored.started),
        "question": trace.question,
        "history": trace.history,
        "answer": trace.answer,
        "contexts": _chunks(trace.retrieved),
        "candidates": _chunks(trace.candidates),
        "citations": trace.citations,
        "model": trace.model,
        "prompt_version": trace.prompt_version,
        "usage": trace.usage,
        "latency_ms": trace.latency_ms,
        "abstained": trace.abstained,
        "error": trace.error,
        "session": trace.session,
        "user": trace.user,
        "service": trace.service,
        "environment": trace.environment,
        "tags": trace.tags,
        "feedback": [
            {name: getattr(said, name) for name in said.__struct_fields__}
            for said in trace.feedback
        ],
        "scores": {name: score.outcome for name, score in sorted(stored.scores.items())},
        "missing": trace.missing,
        "notes": trace.notes,
        "steps": [
            {
                "kind": step.kind,
                "name": step.name,
                "query": step.query,
                "chunks": [chunk.id for chunk in step.chunks],
                "fed": step.fed,
                "latency_ms": step.latency_ms,
            }
            for step in trace.steps
        ],
        "conventions": trace.conventions,
        "metadata": trace.metadata,
        "spans": trace.spans,
    }


def output_row(trace: Trace) -> dict[str, Any] | None:
    """Return a trace as a row of recorded outputs; None where it tells neither answer nor contexts."""
    if trace.answer is None and trace.retrieved is None:
        return None
    row: dict[str, Any] = {
        "id": trace.id,
        "question": trace.question,
        "history": [{"role": turn.role, "text": turn.text} for turn in trace.history] or None,
        "answer": trace.answer,
        "retrieved": _chunks(trace.retrieved),
        "candidates": _chunks(trace.candidates),
        "citations": trace.citations,
        "abstained": trace.abstained,
        "latency_ms": trace.latency_ms,
        "usage": trace.usage,
    }
    return {name: value for name, value in row.items() if value is not None}


def when_ms(at: int) -> str:
    """Return a moment in milliseconds since 1970 as ISO 8601, UTC; one beyond the year 9999 as a number."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return str(at)


def _chunks(chunks: tuple[Chunk, ...] | None) -> list[dict[str, Any]] | None:
    if chunks is None:
        return None
    names = ("id", "text", "score", "doc_id", "source")
    return [
        {
            name: getattr(chunk, name)
            for name in names
            if name == "id" or getattr(chunk, name) is not None
        }
        for chunk in chunks
    ]
