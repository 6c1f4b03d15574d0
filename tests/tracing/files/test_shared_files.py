"""Every file of real traces is read, or refused with its place and the reason."""

from pathlib import Path

import pytest

from acidtest.errors import TraceFormatError
from acidtest.tracing.files.registry import read_traces

READ = {
    "any_agent/LANGCHAIN_trace.json": (7, 0, 1),
    "any_agent/LLAMA_INDEX_trace.json": (9, 0, 1),
    "any_agent/OPENAI_trace.json": (6, 0, 1),
    "any_agent/SMOLAGENTS_trace.json": (7, 0, 1),
    "deepeval/crewai_knowledge.json": (6, 0, 1),
    "deepeval/langchain_rag.json": (4, 0, 1),
    "deepeval/retriever_span.json": (2, 0, 1),
    "langfuse/google-adk-2025-08-28.trace.json": (6, 0, 1),
    "langfuse/google-gemini-2025-08-01.trace.json": (2, 0, 1),
    "langfuse/langgraph-python-2025-08-22.trace.json": (10, 0, 1),
    "langfuse/llamaindex-2025-06-05.trace.json": (3, 0, 1),
    "langfuse/openai-agents-2025-09-30.trace.json": (6, 0, 1),
    "langfuse/pydantic-ai-2025-06-06.trace.json": (4, 0, 1),
    "langfuse/vercel-aisdk-2025-11-17.trace.json": (4, 0, 1),
    "openinference/openinference_client_span_input_output_only.json": (1, 0, 1),
    "openinference/openinference_client_span_tool_calls.json": (1, 0, 1),
    "openinference/otel_genai_client_span_tool_calls.json": (1, 0, 1),
    "openinference/otel_genai_tool_execution_span.json": (1, 0, 1),
    "openinference/spec_examples.jsonl": (6, 23, 3),
    "openinference/vercel_ai-embed.json": (1, 0, 1),
    "openinference/vercel_ai-generateText-doGenerate.json": (2, 0, 2),
    "openinference/vercel_ai-generateText.json": (2, 0, 2),
    "otlp/opentelemetry_proto_trace.json": (1, 0, 1),
    "otlp/promptfoo_production_traces.json": (4, 2, 1),
    "trulens/coffee_rag/eval_span_1.json": (1, 0, 1),
    "trulens/coffee_rag/eval_span_2.json": (1, 0, 1),
    "trulens/coffee_rag/generation_span.json": (1, 0, 1),
    "trulens/coffee_rag/record_root_span.json": (1, 0, 1),
    "trulens/coffee_rag/retrieval_span.json": (1, 0, 1),
    "trulens/otel_langgraph_events.csv": (6, 0, 1),
    "trulens/otel_llamaindex_rag_events.csv": (7, 0, 1),
}
"""File -> spans, refused, traces."""

REFUSED = {
    "README.md": ":1: not JSON",
    "trulens/coffee_rag/eval_root_span.json": "nothing in it is a span; line 1: it has no trace.trace_id",
    **{
        f"langfuse/{name}.chatml.json": ":1: this is no trace of a known format: a mapping with"
        for name in (
            "google-adk-2025-08-28",
            "google-gemini-2025-08-01",
            "langgraph-python-2025-08-22",
            "llamaindex-2025-06-05",
            "openai-agents-2025-09-30",
            "pydantic-ai-2025-06-06",
            "vercel-aisdk-2025-11-17",
        )
    },
}
"""File -> a part of the message."""

WHY = {
    "openinference/spec_examples.jsonl": ":4: it has no context.trace_id",
    "otlp/promptfoo_production_traces.json": (
        ":1: resourceSpans[0].scopeSpans[0].spans[4]: its traceId "
        "'B2C3D4E5F67890123456789ABCDEF01' has 31 characters; it must be 32 hex digits"
    ),
}
"""File -> why the first of its refused spans was."""


def test_the_tables_name_every_file(shared: Path) -> None:
    folder = shared / "data" / "traces"
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert there == READ.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", sorted(READ))
def test_a_file_is_read(shared: Path, name: str) -> None:
    path = shared / "data" / "traces" / name
    found = list(read_traces(path))
    spans = [span for each in found for span in each.spans]
    traces = {span.trace_id for span in spans}
    assert (len(spans), sum(each.refused for each in found), len(traces)) == READ[name]
    why = next((each.why for each in found if each.why), "")
    assert why.startswith(f"{path}{WHY[name]}" if name in WHY else "")
    assert bool(why) == (name in WHY)
    origins = {origin for each in found for origin in each.origins}
    assert {span.origin for span in spans} <= origins


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_file_is_refused(shared: Path, name: str) -> None:
    path = shared / "data" / "traces" / name
    with pytest.raises(TraceFormatError) as told:
        list(read_traces(path))
    assert REFUSED[name] in str(told.value)
    assert str(told.value).startswith(str(path))
    assert told.value.fix
