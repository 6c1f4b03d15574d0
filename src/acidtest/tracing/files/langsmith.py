"""LangSmith: runs, one a span, as `list_runs` and bulk exports give them; child runs may be nested.

Session and user are the metadata that LangSmith reads them from: `session_id`, `thread_id` or
`conversation_id`, and `user_id`.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.files import attributes as to
from acidtest.tracing.files.cells import cell
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.times import nanos

_KINDS = {
    "llm": "LLM",
    "retriever": "RETRIEVER",
    "embedding": "EMBEDDING",
    "tool": "TOOL",
    "chain": "CHAIN",
    "prompt": "PROMPT",
    "parser": "CHAIN",
}
_SESSIONS = ("session_id", "thread_id", "conversation_id")
_DEEPEST = 50


def _fits(item: dict[str, Any]) -> bool:
    if isinstance(item.get("runs"), list):
        return any("run_type" in each for each in to.records(item["runs"]))
    return "run_type" in item and "id" in item


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    runs = item["runs"] if isinstance(item.get("runs"), list) else [item]
    for run in runs:
        yield from _run(run, None, None, 0)


def _run(
    run: Any, trace_id: str | None, parent_id: str | None, depth: int
) -> Iterator[Span | Refused]:
    if not isinstance(run, dict):
        yield Refused("a run is no mapping")
        return
    span_id = run.get("id")
    if not isinstance(span_id, str) or not span_id:
        yield Refused("a run has no id")
        return
    parent_id = run.get("parent_run_id") or parent_id
    trace_id = run.get("trace_id") or trace_id or _first(run.get("dotted_order"))
    if not trace_id and parent_id:
        yield Refused("a run has a parent_run_id and no trace_id")
        return
    trace_id = trace_id or span_id
    yield _span(run, str(trace_id), span_id, str(parent_id) if parent_id else None)
    for child in run.get("child_runs") or () if isinstance(run.get("child_runs"), list) else ():
        if depth >= _DEEPEST:
            yield Refused("child runs nest too deep")
            return
        yield from _run(child, str(trace_id), span_id, depth + 1)


def _span(run: dict[str, Any], trace_id: str, span_id: str, parent_id: str | None) -> Span:
    extra = to.mapping(cell(run.get("extra")))
    metadata = to.mapping(extra.get("metadata")) or to.mapping(cell(run.get("metadata")))
    kind = _KINDS.get(str(run.get("run_type")).lower())
    inputs, outputs = cell(run.get("inputs")), cell(run.get("outputs"))
    error = run.get("error")
    session = next((metadata[key] for key in _SESSIONS if metadata.get(key)), None)
    parameters = to.mapping(extra.get("invocation_params"))
    model = metadata.get("ls_model_name") or parameters.get("model") or parameters.get("model_name")
    told = to.told(
        {
            "openinference.span.kind": kind,
            "session.id": session,
            "user.id": metadata.get("user_id"),
            "tag.tags": cell(run.get("tags")) or None,
            "llm.model_name": model if kind == "LLM" else None,
            "llm.provider": metadata.get("ls_provider") if kind == "LLM" else None,
            "llm.token_count.prompt": run.get("prompt_tokens") if kind == "LLM" else None,
            "llm.token_count.completion": run.get("completion_tokens") if kind == "LLM" else None,
            "llm.token_count.total": run.get("total_tokens") if kind == "LLM" else None,
            "llm.cost.total": run.get("total_cost") if kind == "LLM" else None,
            "metadata": to.as_json(metadata) if metadata else None,
        }
    )
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=str(run.get("name") or ""),
        start_ns=nanos(run.get("start_time")),
        end_ns=nanos(run.get("end_time")),
        status="error" if error else "unset",
        status_message=str(error)[:10_000] if error else "",
        attributes={
            **told,
            **to.value("input", _lone(inputs)),
            **to.value("output", _lone(outputs)),
            **(to.documents(outputs) if kind == "RETRIEVER" else {}),
            **to.annotations(_judged(run)),
        },
    )


def _lone(given: Any) -> Any:
    """Return the text of inputs or outputs that hold nothing else, such as `{"question": "..."}`."""
    if isinstance(given, dict) and len(given) == 1:
        (only,) = given.values()
        if isinstance(only, str):
            return only
    return given or None


def _judged(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    listed = to.records(cell(run.get("feedback")))
    for each in listed:
        value = each.get("value")
        yield {
            "name": each.get("key"),
            "score": each.get("score"),
            "label": value if isinstance(value, str) else None,
            "explanation": each.get("comment"),
            "created": each.get("created_at"),
        }
    if listed:
        return
    for name, stats in to.mapping(cell(run.get("feedback_stats"))).items():
        counted = to.mapping(stats)
        yield {"name": name, "score": counted.get("avg"), "label": _only(counted.get("values"))}


def _only(values: Any) -> str | None:
    return next(iter(values)) if isinstance(values, dict) and len(values) == 1 else None


def _first(dotted: Any) -> str | None:
    """Return the trace's id from a run's place: `20240101T000000000000ZUUID.20240101...`."""
    if not isinstance(dotted, str) or "Z" not in dotted:
        return None
    return dotted.split(".", 1)[0].rpartition("Z")[2] or None


LANGSMITH = TraceFormat(
    name="langsmith",
    title="LangSmith: runs, as JSON, JSONL, CSV or Parquet",
    fits=_fits,
    spans=_spans,
)
