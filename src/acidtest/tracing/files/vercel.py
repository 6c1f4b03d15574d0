"""Spans as OpenTelemetry's JavaScript SDK keeps them, which is how the Vercel AI SDK's are saved: `spanContext`, times in pairs."""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span, SpanEvent
from acidtest.tracing.files.attributes import mapping, records
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.otel import hex_id
from acidtest.tracing.files.times import nanos
from acidtest.tracing.otlp.open import status_of


def _fits(item: dict[str, Any]) -> bool:
    return isinstance(item.get("spanContext"), dict)


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    context = mapping(item.get("spanContext"))
    trace_id, span_id = hex_id(context.get("traceId"), 32), hex_id(context.get("spanId"), 16)
    if not trace_id or not span_id:
        yield Refused("it has no spanContext.traceId and spanContext.spanId")
        return
    parent = item.get("parentSpanId") or mapping(item.get("parentSpanContext")).get("spanId")
    status = mapping(item.get("status"))
    scope = mapping(item.get("instrumentationScope") or item.get("instrumentationLibrary"))
    yield Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=hex_id(parent, 16),
        name=str(item.get("name") or ""),
        start_ns=nanos(item.get("startTime")),
        end_ns=nanos(item.get("endTime")),
        # OpenTelemetry's JavaScript counts as OTLP does: 0 unset, 1 ok, 2 error.
        status=status_of(status.get("code")),
        status_message=str(status.get("message") or ""),
        attributes=mapping(item.get("attributes")),
        events=tuple(
            SpanEvent(
                name=str(each.get("name") or ""),
                at_ns=nanos(each.get("time")),
                attributes=mapping(each.get("attributes")),
            )
            for each in records(item.get("events"))
        ),
        resource=mapping(mapping(item.get("resource")).get("attributes")),
        scope=str(scope.get("name") or ""),
    )


VERCEL = TraceFormat(
    name="vercel",
    title="spans of OpenTelemetry's JavaScript SDK, as the Vercel AI SDK makes them",
    fits=_fits,
    spans=_spans,
)
