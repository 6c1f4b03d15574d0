"""Traces that real systems left behind: what each of them says, and why the rest is missing."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.spans import Span
from acidtest.data.traces import Trace
from acidtest.tracing.files.registry import read_traces
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.understand.trace import understand

Reader = Callable[..., list[Trace]]


@pytest.fixture
def traces(shared: Path) -> Reader:
    folder = shared / "data" / "traces"

    def read(*names: str) -> list[Trace]:
        found: dict[str, list[Span]] = defaultdict(list)
        for arrivals in (each for name in names for each in read_traces(folder / name)):
            for each in arrivals.spans:
                span = opened(each.form, each.body, arrivals.origins.get(each.origin, b""))
                found[span.trace_id].append(span)
        return [understand(spans) for spans in found.values()]

    return read


# File -> how the question begins, how the answer begins, chunks, model, tokens in and out.
TOLD: dict[str, tuple[str, str | None, int | None, str | None, tuple[int, int] | None]] = {
    "any_agent/LANGCHAIN_trace.json": (
        "Find what year it is",
        "Here are the steps I have taken",
        None,
        "mistral/mistral-small-latest",
        (1262, 125),
    ),
    "any_agent/LLAMA_INDEX_trace.json": (
        "Find what year it is",
        "Here is the list of steps",
        None,
        "mistral/mistral-small-latest",
        (1308, 255),
    ),
    "any_agent/OPENAI_trace.json": (
        "Find what year it is",
        '{"steps":',
        None,
        "mistral/mistral-small-latest",
        (1020, 76),
    ),
    "any_agent/SMOLAGENTS_trace.json": (
        "New task:\nFind what year it is",
        '{"steps":',
        None,
        "mistral/mistral-small-latest",
        (2294, 87),
    ),
    "deepeval/crewai_knowledge.json": (
        "What city does John live in",
        "John lives in San Francisco",
        1,
        "gpt-4o-mini",
        None,
    ),
    "deepeval/langchain_rag.json": (
        "Tell me about Python.",
        "Python is a high-level",
        2,
        "gpt-4o-mini-2024-07-18",
        (73, 29),
    ),
    "deepeval/retriever_span.json": ("AI research", None, 3, None, None),
    "langfuse/google-adk-2025-08-28.trace.json": (
        "hi",
        "Hello Langfuse",
        None,
        "gemini-2.0-flash",
        (67, 9),
    ),
    "langfuse/google-gemini-2025-08-01.trace.json": (
        "What is Langfuse?",
        "**Langfuse** is an",
        None,
        "gemini-2.5-flash",
        (6, 2055),
    ),
    "langfuse/langgraph-python-2025-08-22.trace.json": (
        "Search the web for 'example'",
        'The search for "example"',
        None,
        "gpt-4o-2024-08-06",
        (168, 66),
    ),
    "langfuse/llamaindex-2025-06-05.trace.json": (
        "What is Langfuse?",
        "Langfuse is a tool",
        None,
        "gpt-4o",
        (13, 81),
    ),
    "langfuse/openai-agents-2025-09-30.trace.json": (
        "What's the weather in Tokyo?",
        "The weather in Tokyo is",
        None,
        "gpt-4.1-2025-04-14",
        (140, 44),
    ),
    "langfuse/pydantic-ai-2025-06-06.trace.json": (
        "What is Langfuse?",
        "Langfuse is a tool",
        None,
        "gpt-4o",
        (31, 96),
    ),
    "langfuse/vercel-aisdk-2025-11-17.trace.json": (
        "What is the weather like today",
        None,
        None,
        "gpt-5",
        (62, 85),
    ),
    "openinference/openinference_client_span_input_output_only.json": (
        "Weather in Paris?",
        "The weather in Paris is",
        None,
        "gpt-4-0613",
        (97, 52),
    ),
    "openinference/openinference_client_span_tool_calls.json": (
        "Weather in Paris?",
        "The weather in Paris is",
        None,
        "gpt-4-0613",
        (97, 52),
    ),
    "openinference/otel_genai_client_span_tool_calls.json": (
        "Weather in Paris?",
        "The weather in Paris is",
        None,
        "gpt-4-0613",
        (97, 52),
    ),
    "otlp/promptfoo_production_traces.json": (
        "I tried that but it's still not working.",
        "Thanks for trying that.",
        None,
        "gpt-4-turbo",
        None,
    ),
    "trulens/coffee_rag/generation_span.json": (
        "What is the best coffee?",
        "Hello! I'm happy to help.",
        None,
        "gpt-4o-mini-2024-07-18",
        (336, 93),
    ),
    "trulens/coffee_rag/record_root_span.json": (
        "What is the best coffee?",
        "Hello! I'm happy to help.",
        None,
        None,
        None,
    ),
    "trulens/coffee_rag/retrieval_span.json": ("What is the best coffee?", None, 4, None, None),
    "trulens/otel_langgraph_events.csv": ("What is AI?", "Article based on:", None, None, None),
    "trulens/otel_llamaindex_rag_events.csv": (
        "What is multi-headed attention?",
        "Context information is below.",  # its model is a mock that gives the prompt back
        3,
        None,
        None,
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_a_file_says(traces: Reader, name: str) -> None:
    question, answer, chunks, model, tokens = TOLD[name]
    (trace,) = traces(name)
    assert (trace.question or "").startswith(question)
    assert (trace.answer or "").startswith(answer or "")
    assert (trace.answer is None) == (answer is None)
    assert (None if trace.retrieved is None else len(trace.retrieved)) == chunks
    assert trace.model == model
    usage = trace.usage
    assert (usage and (usage.input_tokens, usage.output_tokens)) == tokens
    for part in ("question", "answer", "retrieved", "model", "usage"):
        assert (getattr(trace, part) is None) == bool(trace.missing.get(part))


def test_turns_and_history(traces: Reader) -> None:
    (trace,) = traces("otlp/promptfoo_production_traces.json")
    assert [turn.role for turn in trace.history] == ["user", "assistant"]
    assert (trace.session, trace.user) == ("otlp_sess_001", "user_enterprise_123")
    asked = [trace.question for trace in traces("openinference/vercel_ai-generateText.json")]
    assert asked == ["Write a haiku about programming.", "And what is 3 + 3?"]
    *_, later = traces("openinference/vercel_ai-generateText-doGenerate.json")
    assert [turn.text for turn in later.history] == ["What is 2 + 2?", "2 + 2 equals 4."]


def test_contexts_of_real_rag_traces(traces: Reader) -> None:
    (attention,) = traces("trulens/otel_llamaindex_rag_events.csv")
    assert [chunk.text[:14] for chunk in attention.retrieved or () if chunk.text] == [
        "Recent work ha",
        "To facilitate ",
        "Recurrent mode",
    ]
    assert len(attention.steps) == 1, "three retriever spans around one search"
    assert [(chunk.id or "")[:8] for chunk in attention.retrieved or ()] == [
        "de270429",
        "dd93cd0f",
        "f2d34b19",
    ], "ids and scores stand in the nodes as LlamaIndex prints them"
    assert [chunk.score for chunk in attention.retrieved or ()] == [0.9, 0.891, 0.88]
    assert "ids" not in attention.missing
    (python,) = traces("deepeval/langchain_rag.json")
    assert [(chunk.source, (chunk.text or "")[:8]) for chunk in python.retrieved or ()] == [
        ("doc1", "Python i"),
        ("doc2", "Python s"),
    ]
    assert "lists beside its answer" in python.notes[0], "its retriever says [object Object]"
    (crew,) = traces("deepeval/crewai_knowledge.json")
    assert "by name: knowledge_retrieval" in crew.notes[0]


def test_one_trace_from_five_files(traces: Reader) -> None:
    names = ("record_root_span", "retrieval_span", "generation_span", "eval_span_1", "eval_span_2")
    (trace,) = traces(*(f"trulens/coffee_rag/{name}.json" for name in names))
    assert trace.question == "What is the best coffee?"
    assert len(trace.retrieved or ()) == 4
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.cost_usd) == (336, pytest.approx(0.0001062))
    assert [(f.name, f.score, f.by) for f in trace.feedback] == [
        ("answer_relevance", 1.0, "machine"),
        ("answer_relevance", 0.5, "machine"),
    ]
    assert trace.missing == {"ids": "The retriever tells texts, and no ids of chunks or documents."}
    assert trace.notes == ()


def test_people_sessions_and_costs(traces: Reader) -> None:
    (rag,) = traces("langfuse/llamaindex-2025-06-05.trace.json")
    assert (rag.session, rag.user, rag.tags) == ("session_abc", "user_123", ("llama-index", "rag"))
    assert rag.usage is not None
    assert rag.usage.cost_usd == pytest.approx(0.0008425, rel=1e-6)
    (adk,) = traces("langfuse/google-adk-2025-08-28.trace.json")
    assert [(f.name, f.by) for f in adk.feedback] == [
        ("toxicity", "machine"),
        ("hallucination", "machine"),
    ]
    (asked,) = traces("langfuse/pydantic-ai-2025-06-06.trace.json")
    (correction,) = asked.feedback
    assert (correction.name, correction.by, correction.score) == ("correction", "person", None)
    assert correction.comment == asked.answer
    assert correction.good is None


@pytest.mark.parametrize(
    "name",
    [
        "trulens/coffee_rag/eval_span_1.json",
        "openinference/vercel_ai-embed.json",
        "openinference/otel_genai_tool_execution_span.json",
        "otlp/opentelemetry_proto_trace.json",
    ],
)
def test_files_that_hold_no_answer_say_so(traces: Reader, name: str) -> None:
    (trace,) = traces(name)
    told: tuple[Any, ...] = (trace.question, trace.answer, trace.retrieved, trace.model)
    assert told == (None, None, None, None)
    assert {"question", "answer", "retrieved", "model", "usage"} <= set(trace.missing)


def test_reasons_are_true_of_their_files(traces: Reader) -> None:
    (embedded,) = traces("openinference/vercel_ai-embed.json")
    assert embedded.missing["question"].startswith("No chain or agent"), "it carries a text"
    assert embedded.missing["answer"] == "No span has an output that is an answer."
    (bare,) = traces("otlp/opentelemetry_proto_trace.json")
    unknown = "No span has attributes in the names of a convention that is known."
    assert (bare.missing["question"], bare.missing["answer"]) == (unknown, unknown)
    (turns,) = traces("otlp/promptfoo_production_traces.json")
    assert turns.model == "gpt-4-turbo"
    assert turns.missing["usage"] == "What names the model tells no tokens."
