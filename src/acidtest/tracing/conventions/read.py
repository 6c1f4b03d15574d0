"""What a span says, in all the conventions that it speaks.

Instrumentations mix names: a span of the Vercel SDK carries `ai.*` and `gen_ai.*`, one of Langfuse may
carry all of OpenInference besides. Each convention reads what it knows; where two speak of the same
thing, the earlier one of `_CONVENTIONS` wins.
"""

from msgspec import structs

from acidtest.data.answers import Chunk
from acidtest.data.spans import Span
from acidtest.tracing.conventions import (
    common,
    genai,
    langfuse,
    mlflow,
    openinference,
    traceloop,
    trulens,
    vercel,
)
from acidtest.tracing.conventions.asked import question
from acidtest.tracing.conventions.documents import completed, documents
from acidtest.tracing.conventions.said import Said, joined
from acidtest.tracing.conventions.values import flat

_CONVENTIONS = (openinference, vercel, genai, traceloop, trulens, langfuse, mlflow)


def read(span: Span) -> Said:
    """Return what a span says; never raises, whatever its attributes hold."""
    families = {key.partition(".")[0] for key in span.attributes if isinstance(key, str)}
    span = structs.replace(span, attributes=flat(span.attributes))
    events = {event.name.partition(".")[0] for event in span.events}
    said = Said()
    for convention in _CONVENTIONS:
        if convention.FAMILY & (families | events):
            found = convention.read(span)
            if found is not None:
                said = joined(said, found)
    said = joined(said, common.read(span))
    return _ranked(said) if said.kind in {"retriever", "reranker"} else said


def _ranked(said: Said) -> Said:
    """Return a retriever or reranker with its query, and with what its output says of the documents."""
    found: tuple[Chunk, ...] | None = said.documents
    if found is None or any(chunk.id is None or chunk.text is None for chunk in found):
        found = completed(found, _some(documents(said.output, texts=True)))
    given = said.given
    if given is None and said.kind == "reranker":
        given = documents(said.input)
    query = said.query or question(said.input)
    return structs.replace(said, documents=found, given=given, query=query)


def _some(chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
    """Return documents that hold something; a list of printed objects holds nothing."""
    if chunks and not any(chunk.text or chunk.id or chunk.doc_id for chunk in chunks):
        return None
    return chunks
