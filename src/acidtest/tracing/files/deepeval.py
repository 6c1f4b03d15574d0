"""DeepEval: a trace with lists of spans by kind (`baseSpans`, `llmSpans`, `retrieverSpans`, ...).

The trace itself becomes the root: it has the question, the answer, tags, session and user.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.files import attributes as to
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.times import nanos

_LISTS = {
    "baseSpans": "CHAIN",
    "agentSpans": "AGENT",
    "llmSpans": "LLM",
    "retrieverSpans": "RETRIEVER",
    "toolSpans": "TOOL",
}


def _fits(item: dict[str, Any]) -> bool:
    return any(isinstance(item.get(name), list) for name in _LISTS)


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    trace_id = item.get("uuid")
    if not isinstance(trace_id, str) or not trace_id:
        yield Refused("the trace has no uuid")
        return
    metadata = to.mapping(item.get("metadata"))
    told = to.told(
        {
            "openinference.span.kind": "CHAIN",
            "session.id": item.get("threadId"),
            "user.id": item.get("userId"),
            "tag.tags": item.get("tags") or None,
            "metadata": to.as_json(metadata) if metadata else None,
        }
    )
    environment = item.get("environment")
    yield _span(
        item,
        trace_id=trace_id,
        span_id=trace_id,
        parent_id=None,
        attributes=told,
        resource={"deployment.environment": environment} if environment else {},
    )
    for name, kind in _LISTS.items():
        for given in to.records(item.get(name)):
            span_id = given.get("uuid")
            if not isinstance(span_id, str) or not span_id:
                yield Refused(f"a span of {name} has no uuid")
                continue
            parent = given.get("parentUuid")
            yield _span(
                given,
                trace_id=trace_id,
                span_id=span_id,
                parent_id=parent if isinstance(parent, str) and parent else trace_id,
                attributes=_told(given, kind),
            )


def _told(given: dict[str, Any], kind: str) -> dict[str, Any]:
    price = _cost(given)
    found = {
        "openinference.span.kind": kind,
        "llm.model_name": given.get("model"),
        "llm.provider": given.get("provider"),
        "llm.token_count.prompt": given.get("inputTokenCount"),
        "llm.token_count.completion": given.get("outputTokenCount"),
        "llm.cost.total": price,
        "embedding.model_name": given.get("embedder"),
        "tool.name": given.get("name") if kind == "TOOL" else None,
    }
    documents = to.documents(given.get("output")) if kind == "RETRIEVER" else {}
    return to.told(found) | documents


def _cost(given: dict[str, Any]) -> float | None:
    """Return what a call cost: tokens by their prices; None where a part is unknown or a price is 0."""
    total = 0.0
    for side in ("Input", "Output"):
        price, tokens = given.get(f"costPer{side}Token"), given.get(f"{side.lower()}TokenCount")
        if not isinstance(price, int | float) or not isinstance(tokens, int | float):
            return None
        if not 0 < price < 1 or not 0 <= tokens < 1e12:
            return None
        total += price * tokens
    return total


def _span(
    given: dict[str, Any],
    *,
    trace_id: str,
    span_id: str,
    parent_id: str | None,
    attributes: dict[str, Any],
    resource: dict[str, Any] | None = None,
) -> Span:
    failed = str(given.get("status")).upper() in ("ERRORED", "ERROR", "FAILED")
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=str(given.get("name") or ""),
        start_ns=nanos(given.get("startTime")),
        end_ns=nanos(given.get("endTime")),
        status="error" if failed else "unset",
        status_message=str(given.get("error") or "") if failed else "",
        attributes={
            **to.value("input", given.get("input")),
            **to.value("output", given.get("output")),
            **attributes,
            **to.annotations(_judged(given)),
        },
        resource=resource or {},
    )


def _judged(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in to.records(given.get("metricsData")):
        yield {
            "name": each.get("name"),
            "score": each.get("score"),
            "explanation": each.get("reason"),
            "annotator_kind": "LLM",
        }
    feedback = to.mapping(given.get("feedback"))
    if feedback:
        yield {
            "name": "user_feedback",
            "score": feedback.get("rating"),
            "explanation": feedback.get("explanation") or feedback.get("expectedOutput"),
            "annotator_kind": "USER",
        }


DEEPEVAL = TraceFormat(
    name="deepeval", title="DeepEval: traces with lists of spans by kind", fits=_fits, spans=_spans
)
