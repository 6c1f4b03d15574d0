"""Spans as OpenTelemetry's SDKs dump them: `ReadableSpan.to_json`, the console, any-agent, the OpenInference spec."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from acidtest.data.spans import Span, SpanEvent
from acidtest.tracing.files.attributes import annotations, from_json, mapping, records, value
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.times import nanos
from acidtest.tracing.otlp.open import LINKS, status_of

_HEX = re.compile(r"[0-9a-fA-F-]+").fullmatch
_NO_ID = "it has no context.trace_id and context.span_id: there is no trace to put it in"


def _fits(item: dict[str, Any]) -> bool:
    if isinstance(item.get("json"), dict) and "block" in item:
        return True
    spans = item.get("spans")
    if isinstance(spans, list):
        return any("context" in each for each in records(spans))
    return isinstance(item.get("context"), dict) and "trace_id" in item["context"]


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    if isinstance(item.get("json"), dict) and "block" in item:
        yield span_of(item["json"])
    elif isinstance(item.get("spans"), list):
        final = item.get("final_output")
        for each in item["spans"]:
            found = span_of(each) if isinstance(each, dict) else Refused("it is no mapping")
            if (
                isinstance(found, Span)
                and not found.parent_id
                and "output.value" not in found.attributes
            ):
                found.attributes.update(value("output", final))
            yield found
    else:
        yield span_of(item)


def span_of(item: dict[str, Any]) -> Span | Refused:
    """Return the span of a dump: ids under `context`, as hex with or without 0x, or as whole numbers."""
    context = mapping(item.get("context"))
    trace_id = hex_id(context.get("trace_id"), 32)
    span_id = hex_id(context.get("span_id"), 16)
    if not trace_id or not span_id:
        return Refused(_NO_ID)
    parent = item.get("parent_id")
    if parent is None:
        parent = mapping(item.get("parent")).get("span_id")
    status = item.get("status")
    told = (
        status if isinstance(status, dict) else {"status_code": item.get("status_code") or status}
    )
    attributes = dict(mapping(item.get("attributes")))
    kind = item.get("span_kind")
    if isinstance(kind, str) and not kind.startswith("SPAN_KIND_"):
        attributes.setdefault("openinference.span.kind", kind)
    links = records(item.get("links"))
    if links:
        attributes[LINKS] = [_link(each) for each in links]
    judged = _judged(records(from_json(item.get("annotations"))))
    resource = mapping(item.get("resource"))
    scope = mapping(item.get("instrumentation_scope") or item.get("scope"))
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=hex_id(parent, 16),
        name=str(item.get("name") or ""),
        start_ns=nanos(item.get("start_time")),
        end_ns=nanos(item.get("end_time")),
        status=status_of(told.get("status_code")),
        status_message=str(told.get("description") or item.get("status_message") or ""),
        attributes=annotations(judged) | attributes,
        events=tuple(
            SpanEvent(
                name=str(each.get("name") or ""),
                at_ns=nanos(each.get("timestamp")),
                attributes=mapping(each.get("attributes")),
            )
            for each in records(from_json(item.get("events")))
        ),
        resource=mapping(resource.get("attributes")),
        scope=str(scope.get("name") or ""),
    )


def hex_id(given: Any, digits: int) -> str | None:
    """Return an id in lower-case hex; one in another form as it is, and None where there is none.

    Args:
        given: Hex with or without 0x, or a whole number, which `digits` of hex can hold.
        digits: 32 for traces, 16 for spans.
    """
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return f"{given:0{digits}x}" if 0 < given < 1 << 4 * digits else None
    if not isinstance(given, str) or not given.strip():
        return None
    text = given.strip()
    if text.lower().startswith("0x"):
        text = text[2:].rjust(digits, "0")
    if not text.strip("0"):
        return None
    return text.lower() if _HEX(text) else text


def _link(given: dict[str, Any]) -> dict[str, str]:
    context = mapping(given.get("context")) or given
    return {
        "trace_id": hex_id(context.get("trace_id"), 32) or "",
        "span_id": hex_id(context.get("span_id"), 16) or "",
    }


def _judged(given: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in given:
        result = mapping(each.get("result")) or each
        yield {
            "name": each.get("name"),
            "score": result.get("score"),
            "label": result.get("label"),
            "explanation": result.get("explanation"),
            "annotator_kind": each.get("annotator_kind"),
        }


OTEL = TraceFormat(
    name="otel-sdk",
    title="spans dumped by an OpenTelemetry SDK (ReadableSpan.to_json, console, any-agent)",
    fits=_fits,
    spans=_spans,
)
