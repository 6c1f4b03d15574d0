"""OpenInference: `openinference.span.kind`, `retrieval.documents`, `llm.*`, `input.value`.

Source: the specification in Arize-ai/openinference (spec/*.md). Names are flat in OTLP, and nested in
exports of Phoenix; both are read.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.data.answers import Chunk
from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat, documents
from acidtest.tracing.conventions.feedback import annotations
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    count,
    entries,
    first,
    name,
    names,
    number,
    record,
    text,
)

NAME = "openinference"
FAMILY = frozenset(
    [
        "openinference",
        "input",
        "output",
        "llm",
        "retrieval",
        "reranker",
        "embedding",
        "session",
        "user",
        "tag",
        "metadata",
        "annotations",
        "evaluations",
        "trace",
        "prompt",
        "tool",
    ]
)

_KINDS: dict[str, Kind] = {
    "CHAIN": "chain",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "LLM": "llm",
    "EMBEDDING": "embedding",
    "AGENT": "agent",
    "TOOL": "tool",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
    "PROMPT": "prompt",
}
_JUDGED = (
    ("annotations", "annotation"),
    ("evaluations", "evaluation"),
    ("trace.annotations", "annotation"),
    ("trace.evaluations", "evaluation"),
)


def read(span: Span) -> Said | None:
    """Return what a span says in OpenInference; None when it says nothing of it."""
    told = span.attributes
    kind = _kind(told)
    lists = _lists(told)
    if kind is None and lists["documents"] is not None:
        kind = "retriever"
    more = record(at(told, "metadata"))
    said = Said(
        conventions=(NAME,) if at(told, "openinference.span.kind") is not None else (),
        kind=kind,
        input=first(told, "input.value"),
        output=first(told, "output.value"),
        messages=_turns(told, "llm.input_messages"),
        replies=_turns(told, "llm.output_messages") or _completions(told),
        prompt=first(told, "llm.prompts", "llm.prompt_template.variables"),
        query=text(at(told, "reranker.query")),
        documents=lists["documents"],
        given=lists["given"],
        model=name(first(told, "llm.response.model_name", "llm.model_name")),
        provider=name(first(told, "llm.provider", "llm.system")),
        prompt_version=name(first(told, "llm.prompt_template.version", "prompt.version")),
        input_tokens=count(at(told, "llm.token_count.prompt")),
        output_tokens=count(at(told, "llm.token_count.completion")),
        cost_usd=_cost(told),
        session=name(at(told, "session.id")),
        # LangChain's instrumentation sends what its callers say of a user in the metadata only.
        user=name(at(told, "user.id")) or name(first(more, "user_id")),
        tags=names(at(told, "tag.tags")),
        metadata=more,
        feedback=tuple(one for place in _JUDGED for one in annotations(told, *place)),
    )
    return said if said != Said() else None


def _kind(told: Mapping[str, Any]) -> Kind | None:
    value = at(told, "openinference.span.kind")
    return _KINDS.get(value.upper()) if isinstance(value, str) else None


def _lists(told: Mapping[str, Any]) -> dict[str, tuple[Chunk, ...] | None]:
    reranked = _documents(told, "reranker.output_documents")
    found = _documents(told, "retrieval.documents")
    return {
        "documents": reranked if reranked is not None else found,
        "given": _documents(told, "reranker.input_documents"),
    }


def _documents(told: Mapping[str, Any], path: str) -> tuple[Chunk, ...] | None:
    found = entries(told, path)
    if not found:
        # An empty list sent as such says that nothing was found; a name that is absent says nothing.
        return () if at(told, path) in ((), [], "[]") else None
    chunks = (documents.chunk(each, texts=True) for each in found[: documents.MAX_CHUNKS])
    return documents.ranked(each or Chunk() for each in chunks)


def _turns(told: Mapping[str, Any], path: str) -> tuple[Turn, ...]:
    return chat.turns(entries(told, path))


def _completions(told: Mapping[str, Any]) -> tuple[Turn, ...]:
    said = (text(first(each, "completion.text", "text")) for each in entries(told, "llm.choices"))
    return tuple(Turn("assistant", each) for each in said if each)


def _cost(told: Mapping[str, Any]) -> float | None:
    total = number(at(told, "llm.cost.total"))
    if total is None:
        parts = [number(at(told, f"llm.cost.{side}")) for side in ("prompt", "completion")]
        total = sum(part for part in parts if part is not None) if any(parts) else None
    return total if total is None or total >= 0 else None
