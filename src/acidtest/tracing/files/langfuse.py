"""Langfuse: traces with their observations, as the export and the API's `traces/ID` give them.

Tables of traces without observations, and lists of observations alone (also with names in snake_case, as
exports to a bucket have them), are read too.

The trace itself becomes the root: it has the question, the answer, session, user, tags and scores.
`input`, `output` and `metadata` may be JSON in a text; attributes that came over OpenTelemetry stand in
`metadata.attributes` and are kept.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.files import attributes as to
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.times import nanos

_KINDS = {
    "GENERATION": "LLM",
    "EMBEDDING": "EMBEDDING",
    "RETRIEVER": "RETRIEVER",
    "AGENT": "AGENT",
    "TOOL": "TOOL",
    "EVALUATOR": "EVALUATOR",
    "GUARDRAIL": "GUARDRAIL",
    "CHAIN": "CHAIN",
    "SPAN": "CHAIN",
}
_JUDGES = {"EVAL": "LLM", "ANNOTATION": "HUMAN", "API": "API"}


def _fits(item: dict[str, Any]) -> bool:
    if isinstance(item.get("trace"), dict) and isinstance(item.get("observations"), list):
        return True
    if isinstance(item.get("observations"), list) and "id" in item:
        return True
    if item.keys() & {"parentObservationId", "parent_observation_id"}:
        return bool(item.keys() & {"traceId", "trace_id"})
    return {"id", "input", "output", "timestamp"} <= item.keys() and bool(
        item.keys() & {"sessionId", "session_id", "userId", "user_id"}
    )


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    item = {_camel(name): each for name, each in item.items()}
    if "parentObservationId" in item and "traceId" in item:
        yield _observed(item, None, [])
        return
    trace = item["trace"] if isinstance(item.get("trace"), dict) else item
    trace_id = trace.get("id")
    if not isinstance(trace_id, str) or not trace_id:
        yield Refused("the trace has no id")
        return
    observed = to.records(to.from_json(item.get("observations")))
    scores = [
        *to.records(to.from_json(trace.get("scores"))),
        *to.records(to.from_json(trace.get("corrections"))),
    ]
    yield _root(trace, trace_id, observed, [s for s in scores if not s.get("observationId")])
    for each in observed:
        yield _observed(
            each, trace_id, [s for s in scores if s.get("observationId") == each.get("id")]
        )


def _root(
    trace: dict[str, Any],
    trace_id: str,
    observed: list[dict[str, Any]],
    scores: list[dict[str, Any]],
) -> Span:
    start = nanos(trace.get("timestamp"))
    ends = [end for each in observed if (end := nanos(each.get("endTime"))) is not None]
    took = trace.get("latency")  # seconds
    if not ends and start and isinstance(took, int | float) and 0 <= took < 1e6:
        ends = [start + int(took * 1e9)]
    metadata = to.mapping(trace.get("metadata"))
    told = to.told(
        {
            "openinference.span.kind": "CHAIN",
            "session.id": trace.get("sessionId"),
            "user.id": trace.get("userId"),
            "tag.tags": to.from_json(trace.get("tags")) or None,
            "langfuse.environment": trace.get("environment"),
            "langfuse.release": trace.get("release"),
            "langfuse.version": trace.get("version"),
            "metadata": _metadata(metadata),
        }
    )
    return Span(
        trace_id=trace_id,
        span_id=trace_id,
        name=str(trace.get("name") or ""),
        start_ns=start,
        end_ns=max(ends, default=None),
        attributes={
            **to.mapping(metadata.get("attributes")),
            **told,
            **to.value("input", to.from_json(trace.get("input"))),
            **to.value("output", to.from_json(trace.get("output"))),
            **to.annotations(_judged(each) for each in scores),
        },
        **_sender(metadata),
    )


def _observed(
    given: dict[str, Any], trace_id: str | None, scores: list[dict[str, Any]]
) -> Span | Refused:
    trace_id = trace_id or given.get("traceId")
    span_id = given.get("id")
    if not isinstance(trace_id, str) or not isinstance(span_id, str):
        return Refused("an observation has no id or no traceId")
    metadata = to.mapping(given.get("metadata"))
    kind = _KINDS.get(str(given.get("type")).upper())
    usage, costs = to.mapping(given.get("usageDetails")), to.mapping(given.get("costDetails"))
    older = to.mapping(given.get("usage"))
    output = to.from_json(given.get("output"))
    total = costs.get("total") or given.get("totalCost") or given.get("calculatedTotalCost")
    told = to.told(
        {
            "openinference.span.kind": kind,
            "llm.model_name": given.get("model"),
            "llm.invocation_parameters": _parameters(given.get("modelParameters")),
            "llm.token_count.prompt": usage.get("input", older.get("input")),
            "llm.token_count.completion": usage.get("output", older.get("output")),
            "llm.token_count.total": usage.get("total", older.get("total")),
            "llm.cost.total": total if kind == "LLM" else None,
            "llm.prompt_template.version": _prompt(given),
            "metadata": _metadata(metadata),
        }
    )
    parent = given.get("parentObservationId")
    failed = str(given.get("level")).upper() == "ERROR"
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent if isinstance(parent, str) and parent else trace_id,
        name=str(given.get("name") or ""),
        start_ns=nanos(given.get("startTime")),
        end_ns=nanos(given.get("endTime")),
        status="error" if failed else "unset",
        status_message=str(given.get("statusMessage") or ""),
        attributes={
            **told,
            **to.value("input", to.from_json(given.get("input"))),
            **to.value("output", output),
            **(to.documents(output) if kind == "RETRIEVER" else {}),
            **to.mapping(metadata.get("attributes")),
            **to.annotations(_judged(each) for each in scores),
        },
        **_sender(metadata),
    )


def _judged(score: dict[str, Any]) -> dict[str, Any]:
    label = score.get("stringValue")
    form = str(score.get("dataType")).upper()
    named = form in ("CATEGORICAL", "TEXT")
    value = score.get("value")
    said = {
        "name": score.get("name"),
        "score": None if named else value,
        "label": label or (value if named and isinstance(value, str) else None),
        "explanation": score.get("comment"),
    }
    if form == "CORRECTION":  # the text as a person would have it; its value of 0 is no score
        text = score.get("longStringValue") or label
        said = {"name": "correction", "score": None, "label": None, "explanation": text}
    return {
        **said,
        "annotator_kind": _JUDGES.get(str(score.get("source")).upper()),
        "created": score.get("timestamp"),
    }


def _metadata(metadata: dict[str, Any]) -> str | None:
    own = {
        key: each
        for key, each in metadata.items()
        if key not in ("attributes", "resourceAttributes", "scope")
    }
    return to.as_json(own) if own else None


def _parameters(given: Any) -> str | None:
    found = to.mapping(given)
    return to.as_json(found) if found else None


def _prompt(given: dict[str, Any]) -> str | None:
    version, name = given.get("promptVersion"), given.get("promptName")
    if version is None:
        return None
    return f"{name}:{version}" if name else str(version)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest) if first else name


def _sender(metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "resource": to.mapping(metadata.get("resourceAttributes")),
        "scope": str(to.mapping(metadata.get("scope")).get("name") or ""),
    }


LANGFUSE = TraceFormat(
    name="langfuse",
    title="Langfuse: traces with observations and scores, as JSON or JSONL",
    fits=_fits,
    spans=_spans,
)
