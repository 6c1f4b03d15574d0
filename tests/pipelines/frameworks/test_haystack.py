from typing import Any

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Turn
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines.function import FunctionPipeline, as_pipeline
from acidtest.ports import PipelineOptions

pytest.importorskip("haystack")

from haystack import Document, Pipeline, component
from haystack.components.builders import (
    AnswerBuilder,
    ChatPromptBuilder,
    PromptBuilder,
)
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

CASE = Case(id="q1", question="What do cats do?")
TEMPLATE = "{% for d in documents %}{{ d.content }} {% endfor %}{{ question }}"


@component
class Says:
    """A generator that repeats its prompt."""

    @component.output_types(replies=list[str], meta=list[dict[str, Any]])
    def run(self, prompt: str):
        usage = {"prompt_tokens": 7, "completion_tokens": 3}
        return {
            "replies": [f"Said: {prompt}", "no"],
            "meta": [{"model": "fake-1", "usage": usage}] * 2,
        }


@component
class Chats:
    """A chat generator that repeats the texts that it is given."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]):
        said = " | ".join(f"{m.role.value}: {m.text}" for m in messages)
        meta = {"model": "fake-2", "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
        return {"replies": [ChatMessage.from_assistant(said, meta=meta)]}


@component
class Backwards:
    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]):
        return {"documents": documents[::-1]}


@pytest.fixture
def store():
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(
                id="cats", content="cats purr what do", meta={"source": "cats.md", "doc_id": "D1"}
            ),
            Document(id="dogs", content="dogs bark do"),
        ]
    )
    return store


def rag(store, *, reranked=False, built=False):
    made = Pipeline()
    made.add_component("retriever", InMemoryBM25Retriever(store))
    made.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["documents"]))
    made.add_component("llm", Says())
    last = "retriever"
    if reranked:
        made.add_component("ranker", Backwards())
        made.connect("retriever.documents", "ranker.documents")
        last = "ranker"
    made.connect(f"{last}.documents", "prompt.documents")
    made.connect("prompt.prompt", "llm.prompt")
    if built:
        made.add_component("answer", AnswerBuilder(pattern="Said: (.*)"))
        made.connect("llm.replies", "answer.replies")
        made.connect("llm.meta", "answer.meta")
        made.connect(f"{last}.documents", "answer.documents")
    return made


def ids(answer):
    return [chunk.id for chunk in answer.retrieved]


async def test_a_retriever_alone(store):
    pipeline = as_pipeline(InMemoryBM25Retriever(store))
    answer = await pipeline.ask(CASE, mode="retrieval-only")
    assert ids(answer) == ["cats", "dogs"]
    first = answer.retrieved[0]
    assert (first.text, first.doc_id, first.source) == ("cats purr what do", "D1", "cats.md")
    assert first.score > answer.retrieved[1].score
    assert first.metadata == {"source": "cats.md", "doc_id": "D1"}
    assert pipeline.refuses("live")


async def test_a_pipeline_tells_its_inputs_documents_answer_and_usage(store):
    answer = await as_pipeline(rag(store)).ask(CASE)
    assert answer.text == "Said: cats purr what do dogs bark do What do cats do?"
    assert ids(answer) == ["cats", "dogs"]
    assert answer.candidates is None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (7, 3)
    assert answer.usage.model == "fake-1"
    assert answer.notes == ()


async def test_the_last_that_gives_documents_ranks_and_the_one_before_has_the_candidates(store):
    answer = await as_pipeline(rag(store, reranked=True)).ask(CASE)
    assert ids(answer) == ["dogs", "cats"]
    assert [chunk.id for chunk in answer.candidates] == ["cats", "dogs"]


async def test_an_answer_builder_has_the_last_word(store):
    answer = await as_pipeline(rag(store, built=True)).ask(CASE)
    assert answer.text == "cats purr what do dogs bark do What do cats do?"


async def test_two_retrievers_joined_have_no_single_first_stage(store):
    made = rag(store)
    hybrid = Pipeline()
    for name in ("one", "two"):
        hybrid.add_component(name, InMemoryBM25Retriever(store))
    hybrid.add_component("join", DocumentJoiner())
    hybrid.connect("one", "join")
    hybrid.connect("two", "join")
    answer = await as_pipeline(hybrid).ask(CASE, mode="retrieval-only")
    assert sorted(ids(answer)) == ["cats", "dogs"]
    assert answer.candidates is None
    assert as_pipeline(made).refuses("retrieval-only")


async def test_documents_that_nobody_joins_stand_one_after_the_other_with_a_note(store):
    both = Pipeline()
    both.add_component("one", InMemoryBM25Retriever(store, top_k=1))
    both.add_component("two", InMemoryBM25Retriever(store))
    answer = await as_pipeline(both).ask(CASE, mode="retrieval-only")
    assert ids(answer) == ["cats", "dogs"]
    assert any("one, two" in note for note in answer.notes)


async def test_a_pipeline_without_retriever_runs_on_given_contexts():
    made = Pipeline()
    made.add_component("prompt", PromptBuilder(TEMPLATE, required_variables="*"))
    made.add_component("llm", Says())
    made.connect("prompt.prompt", "llm.prompt")
    pipeline = as_pipeline(made)
    assert "golden-context" in pipeline.refuses("live")
    given = [Chunk(id="owls", text="Owls hoot."), Chunk(text="Foxes bark.")]
    answer = await pipeline.ask(CASE, mode="golden-context", contexts=given)
    assert answer.text == "Said: Owls hoot. Foxes bark. What do cats do?"
    assert ids(answer) == ["owls", None]


async def test_chat_messages_and_earlier_turns():
    case = Case(id="q2", question="And dogs?", history=(Turn(role="assistant", text="Purr."),))
    answer = await as_pipeline(Chats()).ask(case)
    assert answer.text == "assistant: Purr. | user: And dogs?"
    assert answer.usage.model == "fake-2"
    assert answer.notes == ()


async def test_a_chat_prompt_builder(store):
    made = Pipeline()
    made.add_component("retriever", InMemoryBM25Retriever(store))
    made.add_component(
        "prompt",
        ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables="*"),
    )
    made.add_component("llm", Chats())
    made.connect("retriever.documents", "prompt.documents")
    made.connect("prompt.prompt", "llm.messages")
    answer = await as_pipeline(made).ask(CASE)
    assert answer.text == "user: cats purr what do dogs bark do What do cats do?"
    assert answer.usage.input_tokens == 5


async def test_what_raises_fails_its_case(store):
    @component
    class Broken:
        @component.output_types(documents=list[Document])
        def run(self, query: str):
            raise ValueError("no index")

    made = Pipeline()
    made.add_component("retriever", Broken())
    for thing in (made, Broken()):
        with pytest.raises(PipelineError, match="no index"):
            await as_pipeline(thing).ask(CASE, mode="retrieval-only")


def test_a_pipeline_that_writes_is_refused(store):
    writes = Pipeline()
    writes.add_component("writer", DocumentWriter(store))
    with pytest.raises(UsageError, match="neither documents nor answers"):
        as_pipeline(writes)


def test_what_cannot_be_filled_is_named_with_what_is_open(store):
    @component
    class Odd:
        @component.output_types(documents=list[Document])
        def run(self, query: str, tenant: str):
            return {"documents": []}

    made = Pipeline()
    made.add_component("odd", Odd())
    with pytest.raises(UsageError, match=r"odd\.tenant") as refused:
        as_pipeline(made)
    assert "inputs" in str(refused.value.fix)


async def test_inputs_say_where_the_question_goes():
    @component
    class Odd:
        @component.output_types(replies=list[str])
        def run(self, ask: str):
            return {"replies": [ask.upper()]}

    made = Pipeline()
    made.add_component("odd", Odd())
    with pytest.raises(UsageError, match="none of its inputs"):
        as_pipeline(made)
    for name in ("odd.ask", "ask"):
        pipeline = FunctionPipeline(made, options=PipelineOptions(inputs=(name,)))
        assert (await pipeline.ask(CASE)).text == "WHAT DO CATS DO?"
    with pytest.raises(UsageError, match="no open input"):
        FunctionPipeline(made, options=PipelineOptions(inputs=("odd.question",)))


@component
class Odd:
    """A retriever that gives what is no list."""

    @component.output_types(documents=list[Document])
    def run(self, query: str):
        return {"documents": 3}


async def test_documents_that_are_no_list_fail_the_case():
    graph = Pipeline()
    graph.add_component("odd", Odd())
    pipeline = as_pipeline(graph, name="odd")
    with pytest.raises(PipelineError, match="int 3, not a list"):
        await pipeline.ask(CASE, mode="retrieval-only")
