"""Retrieved documents in the shapes that frameworks and vector stores write them in."""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.data.answers import Chunk
from acidtest.tracing.conventions.values import (
    LIST,
    MAX_DEPTH,
    RECORD,
    first,
    flat,
    name,
    number,
    parsed,
    plain,
    record,
    text,
)

MAX_CHUNKS = 1_000
"""Chunks of one list: no prompt holds more, and each costs room in the store."""

_TEXT = (
    "document.content",
    "page_content",
    "pageContent",
    "content",
    "text",
    "chunk_text",
    "passage",
    "snippet",
    "excerpt",
    "body",
    "document.text",
    "document",
    "node.text",
    "",
)
_ID = ("document.id", "chunk_id", "node_id", "id", "_id", "id_", "node.id_", "node.node_id", "uuid")
_SCORE = ("document.score", "score", "relevance_score", "similarity", "_score")
_DOC_ID = ("doc_id", "document_id", "ref_doc_id", "node.ref_doc_id")
_SOURCE = ("source", "url", "file_path", "file_name", "filename", "document.url")
_METADATA = ("document.metadata", "metadata", "node.metadata", "payload")
_LISTS = (
    "documents",
    "docs",
    "source_documents",
    "sourceDocuments",
    "source_nodes",
    "retrieved_documents",
    "retrieved_contexts",
    "retrieved_chunks",
    "contexts",
    "context",
    "nodes",
    "chunks",
    "passages",
    "matches",
    "hits",
    "results",
)
_NO_TEXT = re.compile(r"\[object \w+\]|<\w+\(.*\)>|<[\w.]+ object at 0x[0-9a-f]+>", re.DOTALL)
"""What a program prints of an object that it cannot write out: it is not the object's text."""


def documents(value: Any, *, texts: bool = False, depth: int = 0) -> tuple[Chunk, ...] | None:
    """Return the documents of a value, in order; None where there is no list of documents.

    Args:
        value: A list of documents, or a record that holds one.
        texts: Whether a list of bare texts is one of documents, as in a retriever's output.
        depth: How deep the value lies.
    """
    value = parsed(value)
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, RECORD):
        return _held(value, depth)
    if not isinstance(value, LIST):
        return None
    items = [parsed(each) for each in value[:MAX_CHUNKS]]
    if len(items) == 1 and isinstance(items[0], list):
        return documents(items[0], texts=texts, depth=depth + 1)
    chunks = [chunk(item, texts=texts) for item in items]
    if any(each is None for each in chunks):
        return None
    return ranked(each for each in chunks if each is not None)


def _held(value: Mapping[str, Any], depth: int) -> tuple[Chunk, ...] | None:
    columns = _columns(value)
    if columns is not None:
        return documents(columns, depth=depth + 1)
    for key in _LISTS:
        if isinstance(parsed(value.get(key)), list | tuple):
            found = documents(value[key], texts=True, depth=depth + 1)
            if found is not None:
                return found
    return None


def chunk(value: Any, *, texts: bool = False) -> Chunk | None:
    """Return one document; None for what is none, such as a chat message."""
    if isinstance(value, str):
        return Chunk(text=_written(value)) if texts else None
    if not isinstance(value, RECORD):
        return None
    if value.get("lc") is not None and isinstance(value.get("kwargs"), Mapping):
        value = value["kwargs"]
    if "role" in value or "message.role" in value:
        return None
    if isinstance(value, dict):
        value = flat(value)
    metadata = record(first(value, *_METADATA))
    said = next((t for key in _TEXT if (t := _written(first(value, key)))), None)
    found = name(first(value, *_ID)) or name(first(metadata, "chunk_id", "node_id", "id", "_id"))
    doc_id = name(first(value, *_DOC_ID)) or name(first(metadata, *_DOC_ID))
    if said is None:
        said = _written(first(metadata, "text", "content", "page_content"))
    if said is None and found is None and doc_id is None:
        return None
    score = number(first(value, *_SCORE))
    if score is None:
        score = number(first(metadata, "score", "relevance_score", "similarity"))
    if (distance := first(value, "distance")) is not None:
        metadata = {**metadata, "distance": plain(distance)}  # less is nearer: no score
    return Chunk(
        id=found,
        text=said,
        score=score,
        doc_id=doc_id,
        source=name(first(value, *_SOURCE)) or name(first(metadata, *_SOURCE)),
        metadata=metadata,
    )


def ranked(chunks: Any) -> tuple[Chunk, ...]:
    """Return chunks with their ranks, counted from 1 in their order."""
    return tuple(
        Chunk(
            id=each.id,
            rank=rank,
            text=each.text,
            score=each.score,
            doc_id=each.doc_id,
            source=each.source,
            span=each.span,
            metadata=each.metadata,
        )
        for rank, each in enumerate(chunks, 1)
        if rank <= MAX_CHUNKS
    )


def completed(
    chunks: tuple[Chunk, ...] | None, other: tuple[Chunk, ...] | None
) -> tuple[Chunk, ...] | None:
    """Return one list of documents with what another copy of it knows besides: ids, texts, scores."""
    if chunks is None or (not chunks and other):
        return other
    if not other or len(chunks) != len(other):
        return chunks
    if any(a.text and b.text and a.text != b.text for a, b in zip(chunks, other, strict=True)):
        return chunks
    if any(a.id and b.id and a.id != b.id for a, b in zip(chunks, other, strict=True)):
        return chunks
    return ranked(
        Chunk(
            id=a.id or b.id,
            text=a.text or b.text,
            score=a.score if a.score is not None else b.score,
            doc_id=a.doc_id or b.doc_id,
            source=a.source or b.source,
            metadata={**b.metadata, **a.metadata},
        )
        for a, b in zip(chunks, other, strict=True)
    )


def _written(value: Any) -> str | None:
    found = text(value)
    return None if found is None or _NO_TEXT.fullmatch(found.strip()) else found


def _columns(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a result in columns, as Chroma gives it: ids, documents, metadatas."""
    ids, texts = (_column(value.get(key)) for key in ("ids", "documents"))
    if not ids or len(ids) != len(texts or ids):
        return None
    names = (("document", texts), ("metadata", _column(value.get("metadatas"))))
    more = (*names, ("distance", _column(value.get("distances"))))
    rows = [{"id": each} for each in ids]
    for key, column in more:
        if column is not None and len(column) == len(rows):
            rows = [{**row, key: each} for row, each in zip(rows, column, strict=True)]
    return rows


def _column(value: Any) -> list[Any] | None:
    value = parsed(value)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return value if isinstance(value, list) else None
