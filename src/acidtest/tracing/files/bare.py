"""The attributes of one span and nothing else, in the names of OpenInference or OpenTelemetry.

Such a span has no ids: they are made from what it says, so that the same file read twice is one span.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.codec.json import content_hash
from acidtest.data.spans import Span
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.otlp.values import plain

_LEADS = ("openinference.", "gen_ai.", "llm.", "input.", "output.", "retrieval.", "reranker.")


def _fits(item: dict[str, Any]) -> bool:
    named = [key for key in item if key.startswith(_LEADS)]
    return bool(named) and ("openinference.span.kind" in item or "gen_ai.operation.name" in item)


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    attributes = plain(item)
    digest = content_hash(attributes).partition(":")[2]
    yield Span(
        trace_id=digest[:32],
        span_id=digest[32:48],
        name=str(item.get("gen_ai.operation.name") or item.get("openinference.span.kind") or ""),
        attributes=attributes,
    )


BARE = TraceFormat(
    name="attributes",
    title="the attributes of one span (OpenInference or gen_ai names), without ids",
    fits=_fits,
    spans=_spans,
)
