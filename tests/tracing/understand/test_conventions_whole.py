"""The same answer of a RAG system, as each convention tells it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from acidtest.data.answers import Usage
from acidtest.data.spans import Span, SpanEvent
from acidtest.data.traces import Trace
from acidtest.tracing.understand.trace import understand

Make = Callable[..., Span]

QUESTION = "How long do refunds take?"
ANSWER = "Refunds take 14 days [1]."
FIRST = "Refunds are paid within 14 days of the return."
SECOND = "Shipping is free above 50 euros."
PROMPT = f"Answer from the context.\n- {FIRST}\n- {SECOND}\nQuestion: {QUESTION}"


def openinference(span: Make) -> list[Span]:
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                "openinference.span.kind": "CHAIN",
                "input.value": QUESTION,
                "output.value": ANSWER,
                "session.id": "s1",
                "user.id": "u1",
                "tag.tags": ["beta"],
                "metadata": '{"channel": "web"}',
            },
            resource={"service.name": "shop", "deployment.environment": "live"},
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                "openinference.span.kind": "RETRIEVER",
                "input.value": QUESTION,
                "retrieval.documents.0.document.id": "c1",
                "retrieval.documents.0.document.content": FIRST,
                "retrieval.documents.0.document.score": 0.9,
                "retrieval.documents.0.document.metadata": '{"source": "refunds.md"}',
                "retrieval.documents.1.document.id": "c2",
                "retrieval.documents.1.document.content": SECOND,
                "retrieval.documents.1.document.score": 0.4,
            },
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                "openinference.span.kind": "LLM",
                "llm.model_name": "gpt-x",
                "llm.provider": "openai",
                "llm.prompt_template.version": "v3",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": PROMPT,
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": ANSWER,
                "llm.token_count.prompt": 50,
                "llm.token_count.completion": 9,
                "llm.cost.total": 0.002,
            },
        ),
    ]


def gen_ai(span: Make) -> list[Span]:
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.conversation.id": "s1",
                "gen_ai.input.messages": [
                    {"role": "user", "parts": [{"type": "text", "content": QUESTION}]}
                ],
                "gen_ai.output.messages": [
                    {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}
                ],
                "gen_ai.usage.input_tokens": 50,
                "gen_ai.usage.output_tokens": 9,
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                "gen_ai.operation.name": "retrieval",
                "gen_ai.data_source.id": "docs",
                "gen_ai.retrieval.query.text": QUESTION,
                "gen_ai.retrieval.top_k": 2,
                "gen_ai.retrieval.documents": json.dumps(
                    [
                        {"id": "c1", "score": 0.9, "content": FIRST},
                        {"id": "c2", "score": 0.4, "content": SECOND},
                    ]
                ),
            },
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": "openai",
                "gen_ai.request.model": "gpt",
                "gen_ai.response.model": "gpt-x",
                "gen_ai.usage.input_tokens": 50,
                "gen_ai.usage.output_tokens": 9,
                "gen_ai.system_instructions": '[{"type": "text", "content": "Be brief."}]',
                "gen_ai.input.messages": json.dumps(
                    [{"role": "user", "parts": [{"type": "text", "content": PROMPT}]}]
                ),
                "gen_ai.output.messages": json.dumps(
                    [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]
                ),
            },
        ),
    ]


def gen_ai_events(span: Make) -> list[Span]:
    """The older names, with messages as events."""
    root, find, _ = gen_ai(span)
    model = span(
        "model",
        "root",
        40,
        90,
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.system": "openai",
            "gen_ai.request.model": "gpt-x",
            "gen_ai.usage.prompt_tokens": 50,
            "gen_ai.usage.completion_tokens": 9,
        },
        events=(
            SpanEvent(name="gen_ai.system.message", attributes={"content": "Be brief."}),
            SpanEvent(name="gen_ai.user.message", attributes={"content": PROMPT}),
            SpanEvent(
                name="gen_ai.choice",
                attributes={
                    "index": 0,
                    "finish_reason": "stop",
                    "message": json.dumps({"role": "assistant", "content": ANSWER}),
                },
            ),
        ),
    )
    return [root, find, model]


def traceloop(span: Make) -> list[Span]:
    shared = {"traceloop.association.properties.session_id": "s1"}
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                "traceloop.span.kind": "workflow",
                "traceloop.entity.input": json.dumps({"args": [QUESTION], "kwargs": {}}),
                "traceloop.entity.output": json.dumps(ANSWER),
                **shared,
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {"db.system": "chroma", "db.operation": "query", **shared},
            name="chroma.query",
            events=(
                SpanEvent(
                    name="db.query.result",
                    attributes={
                        "db.query.result.id": "c1",
                        "db.query.result.document": FIRST,
                        "db.query.result.distance": 0.1,
                        "db.query.result.metadata": '{"source": "refunds.md"}',
                    },
                ),
                SpanEvent(
                    name="db.query.result",
                    attributes={"db.query.result.id": "c2", "db.query.result.document": SECOND},
                ),
            ),
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                "llm.request.type": "chat",
                "gen_ai.system": "OpenAI",
                "gen_ai.request.model": "gpt-x",
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": PROMPT,
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": ANSWER,
                "gen_ai.usage.input_tokens": 50,
                "gen_ai.usage.output_tokens": 9,
                **shared,
            },
        ),
    ]


def trulens(span: Make) -> list[Span]:
    base = "ai.observability"
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                f"{base}.span_type": "record_root",
                f"{base}.record_root.input": QUESTION,
                f"{base}.record_root.output": ANSWER,
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                f"{base}.span_type": "retrieval",
                f"{base}.retrieval.query_text": QUESTION,
                f"{base}.retrieval.retrieved_contexts": [FIRST, SECOND],
                f"{base}.retrieval.retrieved_scores": [0.9, 0.4],
            },
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                f"{base}.span_type": "generation",
                f"{base}.call.kwargs.prompt": PROMPT,
                f"{base}.call.return": ANSWER,
                f"{base}.cost.model": "gpt-x",
                f"{base}.cost.num_prompt_tokens": 50,
                f"{base}.cost.num_completion_tokens": 9,
                f"{base}.cost.cost": 0.002,
                f"{base}.cost.cost_currency": "USD",
            },
        ),
    ]


def vercel(span: Make) -> list[Span]:
    usage = {"ai.usage.inputTokens": 50, "ai.usage.outputTokens": 9, "ai.response.text": ANSWER}
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                "ai.operationId": "ai.generateText",
                "ai.model.id": "gpt-x",
                "ai.prompt": json.dumps({"prompt": QUESTION}),
                "ai.telemetry.metadata.sessionId": "s1",
                **usage,
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                "ai.operationId": "ai.toolCall",
                "ai.toolCall.name": "searchDocs",
                "ai.toolCall.args": json.dumps({"query": QUESTION}),
                "ai.toolCall.result": json.dumps(
                    [{"id": "c1", "text": FIRST}, {"id": "c2", "text": SECOND}]
                ),
            },
            name="ai.toolCall searchDocs",
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                "ai.operationId": "ai.generateText.doGenerate",
                "ai.model.id": "gpt-x",
                "ai.prompt.messages": json.dumps(
                    [{"role": "user", "content": [{"type": "text", "text": PROMPT}]}]
                ),
                **usage,
            },
        ),
    ]


def langfuse(span: Make) -> list[Span]:
    kind = "langfuse.observation.type"
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                kind: "span",
                "langfuse.observation.input": json.dumps({"question": QUESTION}),
                "langfuse.observation.output": json.dumps({"answer": ANSWER}),
                "langfuse.session.id": "s1",
                "langfuse.user.id": "u1",
                "langfuse.environment": "live",
                "langfuse.trace.tags": ["beta"],
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                kind: "retriever",
                "langfuse.observation.input": json.dumps(QUESTION),
                "langfuse.observation.output": json.dumps(
                    [
                        {"id": "c1", "page_content": FIRST, "metadata": {"score": 0.9}},
                        {"id": "c2", "page_content": SECOND, "metadata": {"score": 0.4}},
                    ]
                ),
            },
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                kind: "generation",
                "langfuse.observation.input": json.dumps([{"role": "user", "content": PROMPT}]),
                "langfuse.observation.output": json.dumps({"role": "assistant", "content": ANSWER}),
                "langfuse.observation.model.name": "gpt-x",
                "langfuse.observation.usage_details": json.dumps({"input": 50, "output": 9}),
                "langfuse.observation.cost_details": json.dumps({"total": 0.002}),
                "langfuse.observation.prompt.name": "qa",
                "langfuse.observation.prompt.version": 3,
            },
        ),
    ]


def mlflow(span: Make) -> list[Span]:
    return [
        span(
            "root",
            None,
            0,
            100,
            {
                "mlflow.spanType": '"CHAIN"',
                "mlflow.spanInputs": json.dumps({"question": QUESTION}),
                "mlflow.spanOutputs": json.dumps(ANSWER),
            },
        ),
        span(
            "find",
            "root",
            10,
            30,
            {
                "mlflow.spanType": '"RETRIEVER"',
                "mlflow.spanInputs": json.dumps({"query": QUESTION}),
                "mlflow.spanOutputs": json.dumps(
                    [
                        {"page_content": FIRST, "metadata": {"chunk_id": "c1", "score": 0.9}},
                        {"page_content": SECOND, "metadata": {"chunk_id": "c2", "score": 0.4}},
                    ]
                ),
            },
        ),
        span(
            "model",
            "root",
            40,
            90,
            {
                "mlflow.spanType": '"CHAT_MODEL"',
                "mlflow.spanInputs": json.dumps(
                    {"messages": [{"role": "user", "content": PROMPT}]}
                ),
                "mlflow.spanOutputs": json.dumps(
                    {"choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
                ),
                "mlflow.llm.model": '"gpt-x"',
                "mlflow.chat.tokenUsage": json.dumps({"input_tokens": 50, "output_tokens": 9}),
            },
        ),
    ]


ALL = [openinference, gen_ai, gen_ai_events, traceloop, trulens, vercel, langfuse, mlflow]


@pytest.fixture(params=ALL, ids=lambda each: each.__name__)
def trace(request: pytest.FixtureRequest, span: Make) -> Trace:
    return understand(request.param(span))


def test_question_and_answer(trace: Trace) -> None:
    assert (trace.question, trace.answer) == (QUESTION, ANSWER)
    assert trace.history == ()


def test_the_list_that_fed_generation(trace: Trace) -> None:
    assert trace.retrieved is not None
    assert [chunk.text for chunk in trace.retrieved] == [FIRST, SECOND]
    assert [chunk.rank for chunk in trace.retrieved] == [1, 2]
    assert [step.fed for step in trace.steps] == [True]


def test_ids_where_the_convention_has_any(trace: Trace) -> None:
    assert trace.retrieved is not None
    ids = [chunk.id for chunk in trace.retrieved]
    assert ids == ([None, None] if trace.conventions == ("trulens",) else ["c1", "c2"])


def test_model_and_tokens(trace: Trace) -> None:
    assert trace.model == "gpt-x"
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.output_tokens) == (50, 9)
    assert trace.usage.cost_usd in (None, 0.002)


def test_latencies(trace: Trace) -> None:
    assert trace.latency_ms is not None
    assert (trace.latency_ms.retrieve, trace.latency_ms.generate) == (20, 50)
    assert trace.latency_ms.total == 100


def test_citations_and_nothing_missing(trace: Trace) -> None:
    assert trace.citations == ("1",)
    # TruLens tells the texts of passages alone.
    assert set(trace.missing) == ({"ids"} if trace.conventions == ("trulens",) else set())
    assert trace.error is None


def test_who_and_where(span: Make) -> None:
    trace = understand(openinference(span))
    assert (trace.session, trace.user, trace.tags) == ("s1", "u1", ("beta",))
    assert (trace.service, trace.environment) == ("shop", "live")
    assert trace.metadata == {"channel": "web"}
    assert trace.prompt_version == "v3"
    assert trace.usage == Usage(input_tokens=50, output_tokens=9, cost_usd=0.002, model="gpt-x")
    assert trace.retrieved is not None
    assert (trace.retrieved[0].score, trace.retrieved[0].source) == (0.9, "refunds.md")


def test_who_and_where_in_langfuse(span: Make) -> None:
    trace = understand(langfuse(span))
    assert (trace.session, trace.user, trace.environment) == ("s1", "u1", "live")
    assert (trace.tags, trace.prompt_version) == (("beta",), "qa:3")


def test_names_of_the_conventions(span: Make) -> None:
    found = {each.__name__: understand(each(span)).conventions for each in ALL}
    assert found == {
        "openinference": ("openinference",),
        "gen_ai": ("gen_ai",),
        "gen_ai_events": ("gen_ai",),
        "traceloop": ("gen_ai", "traceloop"),
        "trulens": ("trulens",),
        "vercel": ("vercel",),
        "langfuse": ("langfuse",),
        "mlflow": ("mlflow",),
    }


def test_nested_attributes_say_the_same(span: Make) -> None:
    """Exports of Phoenix nest the names."""

    def nested(attributes: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in attributes.items():
            at = found
            *path, last = key.split(".")
            for step in path:
                at = at.setdefault(step, {})
            at[last] = value
        return found

    flat = openinference(span)
    deep = [span(s.span_id, s.parent_id, 0, 0, nested(s.attributes)) for s in flat]
    one, other = understand(flat), understand(deep)
    assert (other.question, other.answer, other.retrieved) == (
        one.question,
        one.answer,
        one.retrieved,
    )
    assert other.usage == one.usage


def test_it_becomes_a_case_and_an_answer(span: Make) -> None:
    trace = understand(openinference(span))
    assert trace.as_case().question == QUESTION
    assert trace.as_answer().retrieved == trace.retrieved
