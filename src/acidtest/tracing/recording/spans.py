"""A recorded answer as spans: a root with question and answer, a retriever, a language model.

The root's id is the first half of the trace's, so that feedback which comes later finds it.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.text.surrogates import without_halves_in
from acidtest.tracing.files.attributes import annotations, as_json, documents, told, value
from acidtest.tracing.otlp.encode import pairs
from acidtest.tracing.recording.kept import first_of

_SCOPE = {"name": "acidtest.record"}


def answer_spans(
    trace_id: str,
    *,
    question: str,
    answer: str | None,
    contexts: Iterable[Any] | None,
    session: str | None,
    user: str | None,
    model: str | None,
    usage: Usage | Mapping[str, Any] | None,
    latency_ms: float | Latency | Mapping[str, Any] | None,
    feedback: Any,
    tags: Iterable[str],
    metadata: Mapping[str, Any] | None,
    prompt_version: str | None,
    error: str | None,
    now: int,
) -> list[dict[str, Any]]:
    """Return the spans of one answer in OTLP's JSON; `record` says what the arguments mean.

    `now` is when it was recorded, in nanoseconds since 1970.
    """
    took = _latency(latency_ms)
    start = now - _nanos(took.total or (took.retrieve or 0) + (took.generate or 0))
    root = {
        **value("input", question),
        **value("output", answer),
        **_context(session, user, tags, metadata),
        "openinference.span.kind": "CHAIN",
        **annotations([judged(feedback)] if feedback is not None else []),
    }
    root_id = trace_id[:16]
    status = {"code": 2, "message": str(error)} if error is not None else None
    spans = [
        _span(trace_id, root_id, None, "answer", start, now if took.total else None, root, status)
    ]
    if contexts is not None:
        end = start + _nanos(took.retrieve) if took.retrieve is not None else None
        found = {
            "openinference.span.kind": "RETRIEVER",
            **value("input", question),
            **retrieved(contexts),
        }
        spans.append(_span(trace_id, _id(), root_id, "retrieve", start, end, found))
    used = _usage(usage)
    if model is not None or used != Usage() or prompt_version is not None:
        known = took.generate is not None
        begun = now - _nanos(took.generate) if known else start
        generated = told(
            {
                "openinference.span.kind": "LLM",
                "llm.model_name": model or used.model,
                "llm.prompt_template.version": prompt_version,
                "llm.token_count.prompt": used.input_tokens,
                "llm.token_count.completion": used.output_tokens,
                "llm.cost.total": used.cost_usd,
                **value("output", answer),
            }
        )
        spans.append(
            _span(trace_id, _id(), root_id, "generate", begun, now if known else None, generated)
        )
    return spans


def feedback_span(trace_id: str, said: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Return the span that carries what somebody said of an answer, in the answer's trace."""
    given = {"openinference.span.kind": "EVALUATOR", **annotations([said])}
    return _span(trace_id, _id(), trace_id[:16], "feedback", now, now, given)


def request(spans: Iterable[bytes], service: str | None) -> bytes:
    """Return an export request over spans that are JSON already."""
    resource = {"attributes": pairs({"service.name": service})}
    return (
        b'{"resourceSpans":[{"resource":'
        + encoded(resource)
        + b',"scopeSpans":[{"scope":'
        + encoded(_SCOPE)
        + b',"spans":['
        + b",".join(spans)
        + b"]}]}]}"
    )


def written(spans: Iterable[Mapping[str, Any]]) -> bytes:
    """Return spans as `request` takes them."""
    return b",".join(map(encoded, spans))


def encoded(given: Any) -> bytes:
    """Return JSON; halves of surrogate pairs count as U+FFFD."""
    try:
        return msgspec.json.encode(given)
    except UnicodeEncodeError:
        return msgspec.json.encode(without_halves_in(given))


def judged(
    given: Any, *, label: str | None = None, comment: str | None = None, name: str = "feedback"
) -> dict[str, Any]:
    """Return feedback as one annotation: a number or yes/no is its score, a text its label."""
    if isinstance(given, Mapping):
        found = {key: given.get(key) for key in ("name", "score", "label")}
        found["explanation"] = given.get("comment", given.get("explanation"))
        return {"name": name, "annotator_kind": "USER", **told(found)}
    known = isinstance(given, int | float)
    return {
        "name": name,
        "annotator_kind": "USER",
        "score": float(given) if known else None,
        "label": label if label is not None or known or given is None else str(given),
        "explanation": comment,
    }


def retrieved(contexts: Iterable[Any]) -> dict[str, Any]:
    """Return contexts as a retriever's documents; an empty list says that nothing was found."""
    listed = [_context_of(each) for each in first_of(contexts) or ()]
    return documents(listed) if listed else {"retrieval.documents": []}


def _context_of(given: Any) -> dict[str, Any]:
    if isinstance(given, Chunk):
        given = msgspec.structs.asdict(given)
    if not isinstance(given, Mapping):
        return {"text": str(given)}
    metadata = given.get("metadata")
    more = told({key: given.get(key) for key in ("doc_id", "source", "url")})
    found = {**given, "metadata": {**(metadata if isinstance(metadata, Mapping) else {}), **more}}
    return found if documents([found]) else {"text": as_json(given)}


def _context(
    session: str | None,
    user: str | None,
    tags: Iterable[str],
    metadata: Mapping[str, Any] | None,
) -> dict[str, Any]:
    return told(
        {
            "session.id": None if session is None else str(session),
            "user.id": None if user is None else str(user),
            "tag.tags": [str(each) for each in tags] or None,
            "metadata": as_json(dict(metadata)) if metadata else None,
        }
    )


def _latency(given: float | Latency | Mapping[str, Any] | None) -> Latency:
    if isinstance(given, Latency):
        return given
    if isinstance(given, Mapping):
        return msgspec.convert(dict(given), Latency)
    return Latency(total=given)


def _usage(given: Usage | Mapping[str, Any] | None) -> Usage:
    if given is None:
        return Usage()
    return given if isinstance(given, Usage) else msgspec.convert(dict(given), Usage)


def _nanos(milliseconds: float | None) -> int:
    return int((milliseconds or 0) * 1e6)


def _id() -> str:
    return os.urandom(8).hex()


def _span(
    trace_id: str,
    span_id: str,
    parent_id: str | None,
    name: str,
    start: int,
    end: int | None,
    attributes: Mapping[str, Any],
    status: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a span; one whose length is not known has no end, so that none is made up."""
    times = {"startTimeUnixNano": str(start)}
    if end is not None:
        times["endTimeUnixNano"] = str(end)
    return {
        "traceId": trace_id,
        "spanId": span_id,
        **({"parentSpanId": parent_id} if parent_id else {}),
        "name": name,
        "kind": 1,
        **times,
        "attributes": pairs(attributes),
        **({"status": status} if status else {}),
    }
