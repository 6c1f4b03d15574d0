"""OTLP requests to spans on their way into the store, thousands a second.

No attribute is looked at: a span keeps the bytes that it came as, and is opened when its trace is
assembled (`open.py`). What is looked up by (ids, name, times) is read out. A span without valid ids is
refused and counted, the others are taken; a body that is no export request is refused whole.
"""

from functools import partial
from typing import Any

from acidtest.data.spans import Arrivals, Arrived, Origin
from acidtest.errors import TraceFormatError
from acidtest.extras import need
from acidtest.tracing.otlp import jsonwire
from acidtest.tracing.otlp.ids import NO_SPAN, NO_TRACE, fault_of_id
from acidtest.tracing.otlp.origins import Remembered
from acidtest.tracing.otlp.values import from_message

NAME_LENGTH = 200
LAST_TIME = (1 << 63) - 1
"""Nanoseconds, in the year 2262; the store's numbers end there, and a later time counts as none."""

_REQUESTS = "opentelemetry.proto.collector.trace.v1.trace_service_pb2"
_by_message, _by_json = Remembered(), Remembered()


def read_protobuf(body: bytes) -> Arrivals:
    """Read an `ExportTraceServiceRequest` in protobuf.

    Raises:
        TraceFormatError: The body is no such request.
        MissingExtra: opentelemetry-proto is not installed.
    """
    request = need(_REQUESTS, extra="otlp").ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except Exception as fault:
        # upb's DecodeError, or what another implementation of protobuf raises.
        raise TraceFormatError(
            "the body is not a trace export request in protobuf",
            where="POST /v1/traces",
            fix="Send ExportTraceServiceRequest, or JSON with Content-Type: application/json.",
        ) from fault
    if body and not request.resource_spans:
        raise TraceFormatError(
            "the body holds no resource spans",
            where="POST /v1/traces",
            fix="Send traces here; metrics and logs are not taken.",
        )
    origins: dict[str, bytes] = {}
    taken: list[Arrived] = []
    refused, why = 0, ""
    for i, group in enumerate(request.resource_spans):
        resource = group.resource
        resource_bytes = resource.SerializeToString()
        for j, part in enumerate(group.scope_spans):
            scope = part.scope
            key = (
                len(resource_bytes).to_bytes(4, "big") + resource_bytes + scope.SerializeToString()
            )
            origin, origin_body = _by_message.of(key, partial(_origin, resource, scope))
            origins[origin] = origin_body
            for k, span in enumerate(part.spans):
                trace_id, span_id = span.trace_id.hex(), span.span_id.hex()
                parent_id = span.parent_span_id.hex() or None
                if (
                    len(trace_id) != 32
                    or len(span_id) != 16
                    or trace_id == NO_TRACE
                    or span_id == NO_SPAN
                    or (parent_id is not None and len(parent_id) != 16)
                ):
                    refused += 1
                    why = why or (
                        f"resource_spans[{i}].scope_spans[{j}].spans[{k}]: "
                        + _fault(trace_id, span_id, parent_id)
                    )
                    continue
                start, end = span.start_time_unix_nano, span.end_time_unix_nano
                taken.append(
                    Arrived(
                        trace_id,
                        span_id,
                        None if parent_id == NO_SPAN else parent_id,
                        cut_name(span.name),
                        start if start <= LAST_TIME else 0,
                        end if end <= LAST_TIME else 0,
                        "protobuf",
                        origin,
                        span.SerializeToString(),
                    )
                )
    return Arrivals(taken, origins, refused, why)


def read_json(body: bytes) -> Arrivals:
    """Read an export request in OTLP's JSON: ids in hex, int64 as text or number, names in lowerCamelCase.

    Raises:
        TraceFormatError: The body is no such request.
    """
    origins: dict[str, bytes] = {}
    taken: list[Arrived] = []
    refused, why = 0, ""
    for i, group in enumerate(jsonwire.groups(body)):
        resource = bytes(group.resource)
        for j, part in enumerate(group.scopeSpans or ()):
            scope = bytes(part.scope)
            key = len(resource).to_bytes(4, "big") + resource + scope
            origin, origin_body = _by_json.of(key, partial(jsonwire.origin, resource, scope))
            origins[origin] = origin_body
            for k, raw in enumerate(part.spans or ()):
                head = jsonwire.head(raw)
                if isinstance(head, str):
                    refused += 1
                    why = why or f"resourceSpans[{i}].scopeSpans[{j}].spans[{k}]: {head}"
                    continue
                start, end = head.startTimeUnixNano, head.endTimeUnixNano
                parent_id = head.parentSpanId
                taken.append(
                    Arrived(
                        head.traceId.lower(),
                        head.spanId.lower(),
                        parent_id.lower() if parent_id and parent_id != NO_SPAN else None,
                        cut_name(head.name or ""),
                        start if start is not None and 0 <= start <= LAST_TIME else 0,
                        end if end is not None and 0 <= end <= LAST_TIME else 0,
                        "json",
                        origin,
                        bytes(raw),
                    )
                )
    return Arrivals(taken, origins, refused, why)


def cut_name(name: str) -> str:
    """Return a span's name as the store holds it: 200 characters, and no NUL, which PostgreSQL refuses."""
    if "\0" in name:
        name = name.replace("\0", "")
    return name if len(name) <= NAME_LENGTH else name[:NAME_LENGTH]


def _origin(resource: Any, scope: Any) -> Origin:
    return Origin(
        resource=from_message(resource.attributes), scope=scope.name, scope_version=scope.version
    )


def _fault(trace_id: str, span_id: str, parent_id: str | None) -> str:
    if len(trace_id) != 32 or trace_id == NO_TRACE:
        return fault_of_id("trace_id", trace_id, 32)
    if len(span_id) != 16 or span_id == NO_SPAN:
        return fault_of_id("span_id", span_id, 16)
    return fault_of_id("parent_span_id", parent_id or "", 16)
