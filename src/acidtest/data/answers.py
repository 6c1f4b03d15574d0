"""What a pipeline gives for a question."""

from typing import Any

from msgspec import Struct

from acidtest.data.outcomes import Failure


class Chunk(Struct, frozen=True, kw_only=True):
    """A piece of text that a retriever returned, in the order it was ranked.

    `rank` counts from 1; the engine sets it from the order, whatever the pipeline says.
    """

    id: str | None = None
    rank: int | None = None
    text: str | None = None
    score: float | None = None
    doc_id: str | None = None
    source: str | None = None
    span: tuple[int, int] | None = None
    metadata: dict[str, Any] = {}


class Usage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one answer cost; None where the pipeline does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None


class Latency(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Milliseconds that the pipeline took, apart where it can be told apart."""

    retrieve: float | None = None
    generate: float | None = None
    total: float | None = None


class Answer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the pipeline gave for one case.

    `retrieved` is None when the pipeline says nothing of its contexts, and empty when it retrieved
    none. `candidates` is the first-stage ranking before reranking. `abstained` is the pipeline's own
    word on whether it declined. `notes` are faults that were mended and must be shown, such as chunk
    ids that came twice.
    """

    case_id: str
    text: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    candidates: tuple[Chunk, ...] | None = None
    citations: tuple[str, ...] | None = None
    abstained: bool | None = None
    latency_ms: Latency | None = None
    usage: Usage | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
