"""Whatever spans hold: the order does not matter, copies change nothing, nothing raises, no NaN."""

import json
import math
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from acidtest.data.spans import Span, SpanEvent
from acidtest.tracing.understand.trace import understand

KEYS = [
    "openinference.span.kind",
    "input.value",
    "output.value",
    "retrieval.documents.0.document.content",
    "retrieval.documents.0.document.id",
    "retrieval.documents.0.document.score",
    "retrieval.documents.1.document.content",
    "retrieval.documents.1.document.metadata",
    "retrieval.documents",
    "reranker.input_documents.0.document.content",
    "reranker.output_documents.0.document.content",
    "llm.input_messages.0.message.role",
    "llm.input_messages.0.message.content",
    "llm.input_messages",
    "llm.output_messages.0.message.content",
    "llm.token_count.prompt",
    "llm.cost.total",
    "gen_ai.operation.name",
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.retrieval.documents",
    "gen_ai.usage.input_tokens",
    "gen_ai.request.model",
    "gen_ai.prompt",
    "traceloop.span.kind",
    "traceloop.entity.output",
    "ai.observability.span_type",
    "ai.observability.retrieval.retrieved_contexts",
    "ai.observability.cost.cost",
    "ai.operationId",
    "ai.prompt",
    "langfuse.observation.type",
    "langfuse.observation.output",
    "langfuse.observation.usage_details",
    "mlflow.spanType",
    "mlflow.spanOutputs",
    "conversation.role",
    "conversation.content",
    "annotations.0.annotation.score",
    "feedback.score",
    "session.id",
    "tag.tags",
    "metadata",
    "rag.abstained",
]
KINDS = ["CHAIN", "LLM", "RETRIEVER", "RERANKER", "AGENT", "TOOL", "EVALUATOR", "chat", "retrieval"]

texts = st.one_of(
    st.sampled_from(
        [*KINDS, "user", "assistant", "", " ", "[1]", "\ud800", '{"a": NaN}', "[[[[", "1e999"]
    ),
    st.text(max_size=12),
)
scalars = st.one_of(
    texts,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.binary(max_size=4),
    st.sampled_from([2**70, -(2**70), 10**400, math.nan, math.inf]),
)
names = st.sampled_from(
    ["role", "content", "type", "text", "id", "messages", "documents", "page_content", "metadata", "answer",
     "question", "kwargs", "lc", "message", "data", "parts", "score", "ids", "0", "input", "output"]
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(names, st.text(max_size=3)), inner, max_size=4),
    ),
    max_leaves=8,
)


def as_json(value: Any) -> Any:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return value


attributes = st.dictionaries(
    st.one_of(st.sampled_from(KEYS), st.text(max_size=5)),
    st.one_of(scalars, values, values.map(as_json)),
    max_size=8,
)
times = st.one_of(st.none(), st.integers(-5, 50), st.sampled_from([2**80, -(2**80)]))
ids = st.sampled_from("abcdef")
spans = st.builds(
    Span,
    trace_id=st.sampled_from(["t", "t", "u"]),
    span_id=ids,
    parent_id=st.one_of(st.none(), ids, st.just("gone")),
    name=st.sampled_from(["turn 1", "turn 2", "retrieve", "rerank", "x"]),
    start_ns=times,
    end_ns=times,
    status=st.sampled_from(["unset", "ok", "error"]),
    attributes=attributes,
    events=st.lists(
        st.builds(
            SpanEvent,
            name=st.sampled_from(
                ["gen_ai.choice", "gen_ai.user.message", "db.query.result", "exception", ""]
            ),
            attributes=attributes,
        ),
        max_size=2,
    ).map(tuple),
    resource=attributes,
)


def sound(value: Any) -> bool:
    """Say whether a value holds no NaN and no infinity."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(sound, value.values()))
    return all(map(sound, value)) if isinstance(value, list | tuple) else True


@settings(max_examples=40)
@given(st.lists(spans, max_size=6), st.randoms(use_true_random=False))
def test_order_and_copies_change_nothing(given: list[Span], chance: Any) -> None:
    trace = understand(given)
    shuffled = [*given, *given]
    chance.shuffle(shuffled)
    assert understand(shuffled) == trace
    assert understand(given) == trace


@settings(max_examples=50)
@given(st.lists(spans, max_size=6))
@example([Span(trace_id="t", span_id="a", attributes={"input.value": "[" * 100_000})])
@example([Span(trace_id="t", span_id="a", attributes={"": {}, "openinference": {"span": None}})])
def test_nothing_raises_and_all_can_be_kept(given: list[Span]) -> None:
    trace = understand(given)
    kept = msgspec.json.decode(msgspec.json.encode(trace))
    assert sound(msgspec.to_builtins(trace))
    assert sound(kept)
    assert trace.spans == len({span.span_id for span in given})
    for part in ("question", "retrieved", "answer", "model", "usage"):
        assert (getattr(trace, part) is None) == (part in trace.missing)
    assert all(chunk.rank == place for place, chunk in enumerate(trace.retrieved or (), 1))


def nested(levels: int) -> Any:
    found: Any = "x"
    for _ in range(levels):
        found = {"input": [found]}
    return found


def test_a_value_that_is_nested_too_deep() -> None:
    told = {"openinference.span.kind": "LLM", "input.value": nested(400), "metadata": nested(400)}
    assert understand([Span(trace_id="t", span_id="a", attributes=told)]).question is None
