"""Kept spans to `Span`s, whatever form their bodies have, and back."""

from collections.abc import Iterable
from typing import Any

import msgspec

from acidtest.data.spans import Arrivals, Arrived, Form, Origin, Span, SpanEvent, SpanStatus
from acidtest.errors import TraceFormatError
from acidtest.extras import need
from acidtest.text.surrogates import without_halves_in
from acidtest.tracing.otlp.ids import NO_SPAN
from acidtest.tracing.otlp.jsontext import lenient
from acidtest.tracing.otlp.origins import hashed
from acidtest.tracing.otlp.receive import LAST_TIME, cut_name
from acidtest.tracing.otlp.values import from_json, from_message, plain, whole

LINKS = "otel.links"
"""The attribute under which the spans that a span points to are kept: `[{"trace_id", "span_id"}]`."""

_SPANS = "opentelemetry.proto.trace.v1.trace_pb2"
_STATUS: tuple[SpanStatus, ...] = ("unset", "ok", "error")
_span = msgspec.json.Decoder(Span)
_origin = msgspec.json.Decoder(Origin)


def opened(form: Form, body: bytes, origin_body: bytes) -> Span:
    """Return a kept span, whole.

    Args:
        form: How the body is written.
        body: The span's body as it was kept (`Arrived.body`).
        origin_body: JSON of its `Origin`; empty where nothing is known of it.

    Raises:
        TraceFormatError: The body is not of that form; bodies that were received are.
        MissingExtra: The body is protobuf and opentelemetry-proto is not installed.
    """
    try:
        origin = _origin.decode(origin_body) if origin_body else Origin()
        if form == "span":
            span = _span.decode(body)
        elif form == "protobuf":
            span = _of_message(need(_SPANS, extra="otlp").Span.FromString(body))
        else:
            span = _of_json(lenient(body))
    except (TraceFormatError, ImportError):
        raise
    except Exception as fault:
        # Whatever a damaged body makes of itself: a stored one must never be a traceback.
        raise _unreadable(form, fault) from fault
    if origin_body and not span.resource:
        return msgspec.structs.replace(
            span, resource=origin.resource, scope=span.scope or origin.scope
        )
    return span


def closed(span: Span) -> Arrived:
    """Return a span as the store takes it, in our own form; its origin is apart (`gathered`)."""
    origin, _ = hashed(_origin_of(span))
    return _closed(span, origin)


def gathered(spans: Iterable[Span], refused: int = 0, why: str = "") -> Arrivals:
    """Return spans as the store takes them, in our own form, with their origins."""
    origins: dict[str, bytes] = {}
    taken = list[Arrived]()
    for span in spans:
        origin, body = hashed(_origin_of(span))
        origins[origin] = body
        taken.append(_closed(span, origin))
    return Arrivals(taken, origins, refused, why)


def _closed(span: Span, origin: str) -> Arrived:
    kept = msgspec.structs.replace(
        span,
        resource={},
        scope="",
        start_ns=_time(span.start_ns),
        end_ns=_time(span.end_ns),
        attributes=plain(span.attributes),
        events=tuple(
            msgspec.structs.replace(event, attributes=plain(event.attributes))
            for event in span.events
        ),
    )
    return Arrived(
        span.trace_id,
        span.span_id,
        span.parent_id,
        cut_name(span.name),
        _time(span.start_ns) or 0,
        _time(span.end_ns) or 0,
        "span",
        origin,
        _encoded(kept),
    )


def _encoded(span: Span) -> bytes:
    try:
        return msgspec.json.encode(span)
    except UnicodeEncodeError:
        return msgspec.json.encode(without_halves_in(msgspec.to_builtins(span)))


def _origin_of(span: Span) -> Origin:
    return Origin(resource=plain(span.resource), scope=span.scope)


def _of_message(message: Any) -> Span:
    attributes = from_message(message.attributes)
    if message.links:
        attributes[LINKS] = [
            {"trace_id": link.trace_id.hex(), "span_id": link.span_id.hex()}
            for link in message.links
        ]
    parent = message.parent_span_id.hex()
    code = message.status.code
    return Span(
        trace_id=message.trace_id.hex(),
        span_id=message.span_id.hex(),
        parent_id=parent if parent and parent != NO_SPAN else None,
        name=message.name,
        start_ns=_time(message.start_time_unix_nano),
        end_ns=_time(message.end_time_unix_nano),
        status=_STATUS[code] if 0 <= code < len(_STATUS) else "unset",
        status_message=message.status.message,
        attributes=attributes,
        events=tuple(
            SpanEvent(
                name=event.name,
                at_ns=_time(event.time_unix_nano),
                attributes=from_message(event.attributes),
            )
            for event in message.events
        ),
    )


def _of_json(given: Any) -> Span:
    if not isinstance(given, dict):
        raise _unreadable("json", None)
    attributes = from_json(given.get("attributes"))
    links = _mappings(given.get("links"))
    if links:
        attributes[LINKS] = [
            {
                "trace_id": _text(link.get("traceId")).lower(),
                "span_id": _text(link.get("spanId")).lower(),
            }
            for link in links
        ]
    status = given.get("status")
    status = status if isinstance(status, dict) else {}
    parent = _text(given.get("parentSpanId")).lower()
    return Span(
        trace_id=_text(given.get("traceId")).lower(),
        span_id=_text(given.get("spanId")).lower(),
        parent_id=parent if parent.strip("0") else None,
        name=_text(given.get("name")),
        start_ns=_time(given.get("startTimeUnixNano")),
        end_ns=_time(given.get("endTimeUnixNano")),
        status=status_of(status.get("code")),
        status_message=_text(status.get("message")),
        attributes=attributes,
        events=tuple(
            SpanEvent(
                name=_text(event.get("name")),
                at_ns=_time(event.get("timeUnixNano")),
                attributes=from_json(event.get("attributes")),
            )
            for event in _mappings(given.get("events"))
        ),
    )


def status_of(code: Any) -> SpanStatus:
    """Return the status that a code or its name means: 2, `ERROR`, `STATUS_CODE_ERROR`, `StatusCode.ERROR`."""
    if isinstance(code, str):
        name = code.strip().upper()
        for number, status in enumerate(_STATUS):
            if name == str(number) or name.endswith(status.upper()):
                return status
        return "unset"
    known = isinstance(code, int) and 0 <= code < len(_STATUS)
    return _STATUS[code] if known else "unset"


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(value: Any) -> int | None:
    """Return nanoseconds, which JSON may have as text; None where there are none."""
    if isinstance(value, str):
        value = whole(value)
    return value if isinstance(value, int) and 0 < value <= LAST_TIME else None


def _unreadable(form: str, fault: Exception | None) -> TraceFormatError:
    told = f": {str(fault)[:200]}" if fault else ""
    return TraceFormatError(f"a kept span of the form {form!r} cannot be read{told}")
