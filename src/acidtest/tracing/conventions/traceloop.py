"""Traceloop (OpenLLMetry): `traceloop.span.kind`, entities, and spans of vector stores.

Source: traceloop/openllmetry, package opentelemetry-semantic-conventions-ai. Its calls of models carry
`gen_ai.*` or the older `llm.*` names; those are read here too.
"""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.data.answers import Chunk
from acidtest.data.golden import Turn
from acidtest.data.spans import Span
from acidtest.tracing.conventions import chat
from acidtest.tracing.conventions.documents import chunk, documents, ranked
from acidtest.tracing.conventions.said import Kind, Said
from acidtest.tracing.conventions.values import (
    at,
    below,
    count,
    entries,
    first,
    name,
    record,
    text,
)

NAME = "traceloop"
FAMILY = frozenset({"traceloop", "llm", "db"})

_KINDS: dict[str, Kind] = {"workflow": "chain", "task": "chain", "agent": "agent", "tool": "tool"}
_REQUESTS: dict[str, Kind] = {
    "chat": "llm",
    "completion": "llm",
    "rerank": "reranker",
    "embedding": "embedding",
}
_VECTOR_STORES = frozenset(
    [
        "chroma",
        "chromadb",
        "pinecone",
        "qdrant",
        "weaviate",
        "milvus",
        "lancedb",
        "marqo",
        "pgvector",
        "opensearch",
        "elasticsearch",
    ]
)
_READS = re.compile(r"query|search|retriev|hybrid", re.IGNORECASE)
_RETRIEVES = re.compile(r"retriev", re.IGNORECASE)
_RERANKS = re.compile(r"re-?rank", re.IGNORECASE)


def read(span: Span) -> Said | None:
    """Return what a span says in Traceloop's names; None when it says nothing of it."""
    told = span.attributes
    output = first(told, "traceloop.entity.output")
    kind = _kind(span)
    found = _results(span)
    if found is None and kind in {"chain", "tool"}:
        found = _from_task(span, output)
    if found is not None and kind in {None, "chain", "tool"}:
        kind = "reranker" if _RERANKS.search(_title(span)) else "retriever"
    shared = below(told, "traceloop.association.properties")
    said = Said(
        kind=kind,
        input=first(told, "traceloop.entity.input"),
        output=output,
        messages=_numbered(told, "llm.prompts", "user"),
        replies=_numbered(told, "llm.completions", "assistant"),
        query=text(first(told, "db.query.text", "db.marqo.search.query"))
        if kind == "retriever"
        else None,
        documents=found,
        model=name(first(told, "llm.response.model", "llm.request.model")),
        prompt_version=_prompt(told),
        input_tokens=count(at(told, "llm.usage.prompt_tokens")),
        output_tokens=count(at(told, "llm.usage.completion_tokens")),
        session=name(first(shared, "session_id", "conversation_id", "thread_id", "chat_id")),
        user=name(first(shared, "user_id")),
        metadata=record(shared),
    )
    if said == Said():
        return None
    own = any(isinstance(key, str) and key.startswith("traceloop") for key in told)
    fields = {field: getattr(said, field) for field in Said.__struct_fields__}
    mine = own or found is not None or "llm.request.type" in told
    return Said(**{**fields, "conventions": (NAME,) if mine else ()})


def _title(span: Span) -> str:
    return f"{span.name} {name(at(span.attributes, 'traceloop.entity.name')) or ''}"


def _kind(span: Span) -> Kind | None:
    told = span.attributes
    request = at(told, "llm.request.type")
    if isinstance(request, str) and request.lower() in _REQUESTS:
        return _REQUESTS[request.lower()]
    system = first(told, "db.system", "db.system.name")
    if isinstance(system, str) and system.lower() in _VECTOR_STORES:
        operation = name(first(told, "db.operation", "db.operation.name")) or span.name
        return "retriever" if _READS.search(operation) or _READS.search(span.name) else None
    own = at(told, "traceloop.span.kind")
    return _KINDS.get(own.lower()) if isinstance(own, str) else None


def _results(span: Span) -> tuple[Chunk, ...] | None:
    """Return what a vector store found: one event a result, in their order."""
    found = []
    for event in span.events:
        for lead in ("db.query.result", "db.search.result", "db.vector.query.result"):
            if event.name == lead:
                told = below(event.attributes, lead)
                one = chunk({**told, "text": first(told, "document", "text"), "document": None})
                found.append(one or Chunk())
    return ranked(found) if found else None


def _from_task(span: Span, output: Any) -> tuple[Chunk, ...] | None:
    title = _title(span)
    if not (_RETRIEVES.search(title) or _RERANKS.search(title)):
        return None
    return documents(output, texts=True) or documents(record(output).get("outputs"), texts=True)


def _numbered(told: Mapping[str, Any], path: str, role: str) -> tuple[Turn, ...]:
    found = entries(told, path)
    turns = chat.turns(found)
    if turns:
        return turns
    said = (chat.content_text(first(each, "content", "")) for each in found)
    return tuple(Turn(role, each) for each in said if each)


def _prompt(told: Mapping[str, Any]) -> str | None:
    version = name(first(told, "traceloop.prompt.version"))
    title = name(first(told, "traceloop.prompt.key"))
    return f"{title}:{version}" if title and version else version
