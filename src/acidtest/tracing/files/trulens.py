"""TruLens: rows of its table of OpenTelemetry events (CSV with cells that Python printed), and spans in JSON.

Ids are OpenTelemetry's as whole numbers and become hex, so that the same trace sent over OTLP is the same
trace. An evaluation's root has no trace: it names the record that it is of.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.files.attributes import mapping
from acidtest.tracing.files.cells import cell
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.otel import hex_id
from acidtest.tracing.files.times import nanos
from acidtest.tracing.otlp.open import status_of


def _fits(item: dict[str, Any]) -> bool:
    return {"record_attributes", "trace"} <= item.keys()


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    trace, record = mapping(cell(item.get("trace"))), mapping(cell(item.get("record")))
    attributes = mapping(cell(item.get("record_attributes")))
    trace_id = _id(trace.get("trace_id"), 32)
    span_id = _id(trace.get("span_id") or item.get("event_id"), 16)
    if not trace_id or not span_id:
        target = attributes.get("ai.observability.eval.target_record_id")
        of = (
            f"; it judges the record {str(target)[:60]!r}, whose trace it does not name"
            if target
            else ""
        )
        yield Refused(f"it has no trace.trace_id and trace.span_id{of}")
        return
    resource = mapping(cell(item.get("resource_attributes")))
    yield Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_id(trace.get("parent_id") or record.get("parent_span_id"), 16),
        name=str(record.get("name") or attributes.get("name") or ""),
        start_ns=nanos(item.get("start_timestamp")),
        end_ns=nanos(item.get("timestamp")),
        status=status_of(record.get("status")),
        attributes=attributes,
        resource=resource,
    )


def _id(given: Any, digits: int) -> str | None:
    """Return a whole number's hex, also where the number is a text; another id as it is."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 40:
        given = int(given)
    return hex_id(given, digits)


TRULENS = TraceFormat(
    name="trulens",
    title="TruLens: the table of OpenTelemetry events, as CSV, JSON or JSONL",
    fits=_fits,
    spans=_spans,
)
