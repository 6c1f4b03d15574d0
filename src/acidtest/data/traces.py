"""A trace as it was understood: question, contexts, answer, and what it took, from the spans of one answer."""

from typing import Any, Literal

from msgspec import Struct

from acidtest.data.answers import Answer, Chunk, Latency, Usage
from acidtest.data.golden import Case, Turn

StepKind = Literal["retriever", "reranker"]


class Step(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One retriever or reranker at work.

    `given` are the chunks that a reranker was handed; None for a retriever, and where it is not said. `fed`
    says that this step's list is the one that generation was given.
    """

    span_id: str
    kind: StepKind
    name: str = ""
    query: str | None = None
    chunks: tuple[Chunk, ...] = ()
    given: tuple[Chunk, ...] | None = None
    start_ns: int | None = None
    latency_ms: float | None = None
    fed: bool = False


class Generation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One call of a language model."""

    span_id: str
    model: str | None = None
    provider: str | None = None
    answer: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    prompt_version: str | None = None
    start_ns: int | None = None
    latency_ms: float | None = None


class Feedback(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What somebody said of an answer.

    `score` is as given; `good` is the sign of it where that can be told: thumbs up or down. `by` is who
    said it: the `user` of the system, another `person`, or a `machine`. `name` is what was rated.
    """

    name: str = "feedback"
    score: float | None = None
    label: str | None = None
    good: bool | None = None
    comment: str | None = None
    by: Literal["user", "person", "machine"] = "user"
    created: str | None = None


class Trace(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One answer of a live system.

    Every part that could not be told is None, and `missing` says why, under the part's name: `question`,
    `retrieved`, `answer`, `model`, `usage`, `latency`; and under `texts` where the retriever told ids
    alone, under `ids` where it told texts alone. Nothing is guessed in silence: `notes` tell what was chosen among several. `started_ns` is the start of the earliest span, UTC. `conventions` are the span
    conventions that were recognised.

    `retrieved` is the list that fed generation, in its order; `candidates` the list before reranking.
    `error` is the message of the span that failed, if the root or a generation did.
    """

    id: str
    name: str = ""
    started_ns: int | None = None
    question: str | None = None
    history: tuple[Turn, ...] = ()
    answer: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    candidates: tuple[Chunk, ...] | None = None
    steps: tuple[Step, ...] = ()
    generations: tuple[Generation, ...] = ()
    model: str | None = None
    prompt_version: str | None = None
    usage: Usage | None = None
    latency_ms: Latency | None = None
    abstained: bool | None = None
    citations: tuple[str, ...] | None = None
    session: str | None = None
    user: str | None = None
    service: str | None = None
    environment: str | None = None
    tags: tuple[str, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    error: str | None = None
    metadata: dict[str, Any] = {}
    spans: int = 0
    conventions: tuple[str, ...] = ()
    missing: dict[str, str] = {}
    notes: tuple[str, ...] = ()

    def as_case(self) -> Case:
        """Return the question as a case that nobody labelled; a question that is missing is empty."""
        return Case(
            id=self.id,
            question=self.question or "",
            history=self.history,
            group=self.session,
            tags=self.tags,
            source="production",
        )

    def as_answer(self) -> Answer:
        """Return what the system gave, as metrics take it."""
        return Answer(
            case_id=self.id,
            text=self.answer,
            retrieved=self.retrieved,
            candidates=self.candidates,
            citations=self.citations,
            abstained=self.abstained,
            latency_ms=self.latency_ms,
            usage=self.usage,
        )
