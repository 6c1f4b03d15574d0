"""Real RAG applications, instrumented by the real packages, exported as the real exporter encodes them.

LangChain with OpenInference and with OpenTelemetry's own instrumentation, and LlamaIndex with
OpenInference; one of them over the real exporter to a server process of its own. Models and embeddings
are the frameworks' own fakes; everything else is what runs in production.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.spans import Span
from acidtest.data.traces import Trace
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_protobuf
from acidtest.tracing.understand.trace import understand

# What the instrumentations call is deprecated in the frameworks that they instrument.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

QUESTION = "How long do refunds take?"
ANSWER = "Refunds take 14 days [1]."
TEXTS = {
    "c1": "Refunds are paid within 14 days of the return.",
    "c2": "Shipping is free above 50 euros.",
}


class Recorder:
    """A tracer provider whose spans come back as the wire brings them."""

    def __init__(self) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider(resource=Resource.create({"service.name": "help-desk"}))
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def traces(self) -> list[list[Span]]:
        """Return the spans of each trace, in the order that traces began."""
        from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

        body = encode_spans(self._exporter.get_finished_spans()).SerializeToString()
        arrivals = read_protobuf(body)
        assert arrivals.refused == 0
        found: dict[str, list[Span]] = defaultdict(list)
        for each in arrivals.spans:
            span = opened(each.form, each.body, arrivals.origins[each.origin])
            found[span.trace_id].append(span)
        return sorted(found.values(), key=lambda spans: min(s.start_ns or 0 for s in spans))


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    made = Recorder()
    yield made
    made.provider.shutdown()


def langchain_rag() -> Any:
    """Return a chain as LangChain's tutorials build one: retriever, prompt, model, parser."""
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough

    class Handbook(BaseRetriever):
        def _get_relevant_documents(
            self, query: str, *, run_manager: CallbackManagerForRetrieverRun
        ) -> list[Document]:
            scores = {"c1": 0.9, "c2": 0.4}
            return [
                Document(
                    id=name, page_content=text, metadata={"source": "a.md", "score": scores[name]}
                )
                for name, text in TEXTS.items()
            ]

    model = FakeMessagesListChatModel(
        responses=[
            AIMessage(
                content=ANSWER,
                usage_metadata={"input_tokens": 40, "output_tokens": 5, "total_tokens": 45},
                response_metadata={"model_name": "fake-1"},
            )
        ],
    ).with_config(metadata={"ls_model_name": "fake-1", "ls_provider": "fake"})
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Answer from the context.\n{context}"), ("human", "{question}")]
    )

    def together(documents: Sequence[Document]) -> str:
        return "\n\n".join(each.page_content for each in documents)

    steps = {"context": Handbook() | together, "question": RunnablePassthrough()}
    return steps | prompt | model | StrOutputParser()


def assert_read(trace: Trace) -> None:
    assert trace.question == QUESTION
    assert trace.retrieved is not None
    assert [chunk.id for chunk in trace.retrieved] == ["c1", "c2"]
    assert [chunk.score for chunk in trace.retrieved] == [0.9, 0.4]
    assert trace.answer == ANSWER
    assert trace.model == "fake-1"
    assert trace.usage is not None
    assert (trace.usage.input_tokens, trace.usage.output_tokens) == (40, 5)
    assert trace.citations == ("1",)
    assert trace.service == "help-desk"
    assert trace.latency_ms is not None
    assert None not in (trace.latency_ms.retrieve, trace.latency_ms.generate)
    assert trace.latency_ms.total is not None


def test_langchain_by_openinference(recorder: Recorder) -> None:
    pytest.importorskip("langchain_core")
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=recorder.provider)
    try:
        assert langchain_rag().invoke(QUESTION) == ANSWER
    finally:
        instrumentor.uninstrument()
    (spans,) = recorder.traces()
    trace = understand(spans)
    assert_read(trace)
    assert trace.retrieved is not None
    assert [chunk.text for chunk in trace.retrieved] == list(TEXTS.values())
    assert {chunk.source for chunk in trace.retrieved} == {"a.md"}
    assert trace.conventions == ("openinference",)
    assert (trace.missing, trace.notes) == ({}, ())


def test_langchain_by_opentelemetry(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It records ids and scores of documents and no texts, and no input of a chain that takes a text."""
    pytest.importorskip("langchain_core")
    instrumentation = pytest.importorskip("opentelemetry.instrumentation.genai.langchain")
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "SPAN_ONLY")
    monkeypatch.setenv("OTEL_SEMCONV_STABILITY_OPT_IN", "gen_ai_latest_experimental")
    instrumentor = instrumentation.LangChainInstrumentor()
    # It asks for the package langchain; what it hooks into is langchain-core, which is there.
    instrumentor.instrument(tracer_provider=recorder.provider, skip_dep_check=True)
    try:
        assert langchain_rag().invoke(QUESTION) == ANSWER
    finally:
        instrumentor.uninstrument()
    (spans,) = recorder.traces()
    trace = understand(spans)
    assert_read(trace)
    assert trace.conventions == ("gen_ai",)
    assert trace.missing == {"texts": "The retriever tells ids and scores, and no texts."}


def test_llamaindex_by_openinference(recorder: Recorder) -> None:
    pytest.importorskip("llama_index.core")
    instrumentation = pytest.importorskip("openinference.instrumentation.llama_index")
    from llama_index.core import MockEmbedding, VectorStoreIndex
    from llama_index.core.llms import LLMMetadata, MockLLM
    from llama_index.core.schema import TextNode

    class Named(MockLLM):
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(model_name="mock-1", num_output=5)

    instrumentor = instrumentation.LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=recorder.provider)
    try:
        nodes = [TextNode(id_=name, text=text) for name, text in TEXTS.items()]
        index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
        engine = index.as_query_engine(llm=Named(max_tokens=5), similarity_top_k=2)
        answer = str(engine.query(QUESTION))
    finally:
        instrumentor.uninstrument()
    *_, spans = recorder.traces()  # the first trace embeds the corpus
    trace = understand(spans)
    assert (trace.question, trace.answer) == (QUESTION, answer)
    assert trace.retrieved is not None
    assert {chunk.id: chunk.text for chunk in trace.retrieved} == TEXTS
    assert all(chunk.score is not None for chunk in trace.retrieved)
    assert trace.model == "mock-1"
    assert [(step.kind, step.fed) for step in trace.steps] == [("retriever", True)]
    assert len(trace.generations) == 1
    assert trace.latency_ms is not None
    assert None not in (trace.latency_ms.retrieve, trace.latency_ms.generate)
    # A mock model counts no tokens.
    assert trace.missing == {"usage": "No call of a model tells its tokens."}


def test_the_trace_that_embeds_a_corpus_has_neither_question_nor_answer(recorder: Recorder) -> None:
    pytest.importorskip("llama_index.core")
    instrumentation = pytest.importorskip("openinference.instrumentation.llama_index")
    from llama_index.core import MockEmbedding, VectorStoreIndex
    from llama_index.core.schema import TextNode

    instrumentor = instrumentation.LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=recorder.provider)
    try:
        VectorStoreIndex([TextNode(text="x")], embed_model=MockEmbedding(embed_dim=4))
    finally:
        instrumentor.uninstrument()
    (spans,) = recorder.traces()
    trace = understand(spans)
    assert (trace.question, trace.answer, trace.retrieved) == (None, None, None)
    assert {"question", "answer", "retrieved", "model", "usage"} == set(trace.missing)


def test_llamaindex_with_a_postprocessor_that_no_span_tells_of(recorder: Recorder) -> None:
    """Only rerankers that send an event of their own become RERANKER spans; this one is a plain step."""
    pytest.importorskip("llama_index.core")
    instrumentation = pytest.importorskip("openinference.instrumentation.llama_index")
    from llama_index.core import MockEmbedding, QueryBundle, VectorStoreIndex
    from llama_index.core.llms import MockLLM
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, TextNode

    class LastTwo(BaseNodePostprocessor):
        def _postprocess_nodes(
            self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
        ) -> list[NodeWithScore]:
            return nodes[::-1][:2]

    nodes = [TextNode(id_=f"c{i}", text=f"Item {i} costs {i}0 euros.") for i in range(1, 6)]
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
    instrumentor = instrumentation.LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=recorder.provider)
    try:
        engine = index.as_query_engine(
            llm=MockLLM(max_tokens=5), similarity_top_k=4, node_postprocessors=[LastTwo()]
        )
        given = [node.node.node_id for node in engine.query("What costs 30?").source_nodes]
    finally:
        instrumentor.uninstrument()
    (spans,) = recorder.traces()
    trace = understand(spans)
    assert [chunk.id for chunk in trace.retrieved or ()] == given
    assert len(trace.candidates or ()) == 4
    assert trace.notes == ("The prompt holds 2 of 4 chunks: those were given, in its order.",)


@pytest.fixture
def langchain(recorder: Recorder) -> Iterator[Recorder]:
    pytest.importorskip("langchain_core")
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=recorder.provider)
    try:
        yield recorder
    finally:
        instrumentor.uninstrument()


def test_langchain_streams(langchain: Recorder) -> None:
    assert "".join(langchain_rag().stream(QUESTION)) == ANSWER
    (spans,) = langchain.traces()
    trace = understand(spans)
    assert (trace.question, trace.answer) == (QUESTION, ANSWER)
    assert [chunk.id for chunk in trace.retrieved or ()] == ["c1", "c2"]


def test_langchain_fails(langchain: Recorder) -> None:
    def overloaded(_: Any) -> str:
        raise ConnectionError("the model is overloaded")

    with pytest.raises(ConnectionError):
        (langchain_rag() | overloaded).invoke(QUESTION)
    (spans,) = langchain.traces()
    trace = understand(spans)
    assert trace.error == "the model is overloaded"
    assert trace.question == QUESTION


def test_langchain_agent_searches_by_a_tool(langchain: Recorder) -> None:
    from langchain_core.documents import Document
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import create_retriever_tool
    from langchain_core.vectorstores import InMemoryVectorStore

    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents([Document(id=name, page_content=text) for name, text in TEXTS.items()])
    tool = create_retriever_tool(store.as_retriever(), "search_docs", "Searches the handbook.")
    call = {"name": "search_docs", "args": {"query": "refunds"}, "id": "1"}
    model = FakeMessagesListChatModel(
        responses=[AIMessage(content="", tool_calls=[call]), AIMessage(content=ANSWER)]
    )

    def agent(given: dict[str, str]) -> dict[str, Any]:
        said: list[AnyMessage] = [HumanMessage(given["input"])]
        said.append(model.invoke(said))
        said.append(tool.invoke({**call, "type": "tool_call"}))
        return {"output": model.invoke(said).content}

    RunnableLambda(agent).with_config(run_name="Agent").invoke({"input": QUESTION})
    (spans,) = langchain.traces()
    trace = understand(spans)
    assert (trace.question, trace.answer) == (QUESTION, ANSWER)
    assert {chunk.id: chunk.text for chunk in trace.retrieved or ()} == TEXTS
    assert [(step.query, step.fed) for step in trace.steps] == [("refunds", True)]
    assert len(trace.generations) == 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A server process on a free port, and the URL of its store."""
    store = f"sqlite:///{tmp_path / 'served.db'}"
    command = [sys.executable, "-m", "acidtest", "serve", "--port", "0", "--store", store]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Serving on http://127.0.0.1:")
        yield line.split()[-1], store
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_langchain_through_the_real_exporter_and_server(server: tuple[str, str]) -> None:
    pytest.importorskip("langchain_core")
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    exporting = pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from acidtest.store.spans import SpanStore

    address, store = server
    provider = TracerProvider(resource=Resource.create({"service.name": "help-desk"}))
    exporter = exporting.OTLPSpanExporter(endpoint=f"{address}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    begun: list[int] = []
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        with provider.get_tracer("test").start_as_current_span("POST /ask") as span:
            begun.append(span.get_span_context().trace_id)
            assert langchain_rag().invoke(QUESTION) == ANSWER
    finally:
        instrumentor.uninstrument()
        assert provider.force_flush(20_000)
        provider.shutdown()
    trace_id = f"{begun[0]:032x}"
    with SpanStore(store) as kept:
        spans = [opened(s.form, s.body, s.origin) for s in kept.spans_of([trace_id])[trace_id]]
    trace = understand(spans)
    assert (trace.id, trace.name) == (trace_id, "POST /ask")
    assert_read(trace)
