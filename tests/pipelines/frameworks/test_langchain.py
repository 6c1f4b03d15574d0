import asyncio

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Turn
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines.function import FunctionPipeline, as_pipeline
from acidtest.ports import PipelineOptions

pytest.importorskip("langchain_core")

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import (
    RunnableLambda,
    RunnableParallel,
    RunnablePassthrough,
    chain,
)
from langchain_core.vectorstores import InMemoryVectorStore

DOCUMENTS = [
    Document(page_content="Cats purr.", id="cats", metadata={"source": "cats.md", "doc_id": "D1"}),
    Document(page_content="Dogs bark.", metadata={"chunk_id": "dogs", "relevance_score": 0.5}),
    Document(page_content="Owls hoot."),
]
CASE = Case(id="q1", question="What do cats do?")


class Words(BaseRetriever):
    """Gives documents in a fixed order."""

    documents: list[Document] = DOCUMENTS

    def _get_relevant_documents(self, query, *, run_manager):
        assert query == CASE.question
        return self.documents


class Reranked(BaseRetriever):
    inner: BaseRetriever

    def _get_relevant_documents(self, query, *, run_manager):
        return self.inner.invoke(query, config={"callbacks": run_manager.get_child()})[::-1]


class OnlyAsync(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        raise NotImplementedError("await me")

    async def _aget_relevant_documents(self, query, *, run_manager):
        await asyncio.sleep(0)
        return DOCUMENTS


def says(text="They purr."):
    return GenericFakeChatModel(
        messages=iter(
            [
                AIMessage(
                    text,
                    usage_metadata={"input_tokens": 7, "output_tokens": 3, "total_tokens": 10},
                    response_metadata={"model_name": "fake-1"},
                )
            ]
        )
    )


def joined(documents):
    return "\n".join(one.page_content for one in documents)


PROMPT = ChatPromptTemplate.from_template("{context}\n\n{question}")


async def ask(thing, case=CASE, **named):
    return await as_pipeline(thing).ask(case, **named)


def ids(answer):
    return [chunk.id for chunk in answer.retrieved]


async def test_a_retriever_gives_ids_texts_scores_and_metadata():
    pipeline = as_pipeline(Words())
    answer = await pipeline.ask(CASE, mode="retrieval-only")
    assert ids(answer) == ["cats", "dogs", None]
    first, second, third = answer.retrieved
    assert (first.text, first.doc_id, first.source) == ("Cats purr.", "D1", "cats.md")
    assert first.metadata == {"source": "cats.md", "doc_id": "D1"}
    assert second.score == 0.5
    assert third.text == "Owls hoot."
    assert answer.candidates is None
    assert pipeline.name == "Words"
    assert "retrieval-only" in pipeline.refuses("live")
    assert pipeline.refuses("golden-context")


async def test_the_retriever_inside_a_reranker_gives_the_candidates():
    answer = await ask(Reranked(inner=Words()), mode="retrieval-only")
    assert ids(answer) == [None, "dogs", "cats"]
    assert [chunk.id for chunk in answer.candidates] == ["cats", "dogs", None]


async def test_what_only_awaits_is_awaited_and_asked_once_more_at_most():
    pipeline = as_pipeline(OnlyAsync())
    for _ in range(2):
        answer = await pipeline.ask(CASE, mode="retrieval-only")
        assert ids(answer) == ["cats", "dogs", None]


async def test_a_chain_that_gives_text_alone_tells_its_contexts_tokens_and_times():
    rag = (
        {"context": Words() | joined, "question": RunnablePassthrough()}
        | PROMPT
        | says()
        | StrOutputParser()
    )
    answer = await ask(rag)
    assert answer.text == "They purr."
    assert ids(answer) == ["cats", "dogs", None]
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (7, 3)
    assert answer.usage.model == "fake-1"
    assert 0 <= answer.latency_ms.retrieve <= answer.latency_ms.total
    assert 0 <= answer.latency_ms.generate <= answer.latency_ms.total
    assert answer.notes == ()


async def test_a_chain_that_gives_back_its_documents_is_believed():
    rag = RunnablePassthrough.assign(context=lambda x: Words().invoke(x["input"])[:1]).assign(
        answer=ChatPromptTemplate.from_template("{context} {input}") | says() | StrOutputParser()
    )
    answer = await ask(rag)
    assert (answer.text, ids(answer)) == ("They purr.", ["cats"])


async def test_documents_under_source_documents_and_a_message_as_answer():
    rag = RunnableParallel(source_documents=Words(), result=says())
    answer = await ask(rag)
    assert (answer.text, ids(answer)) == ("They purr.", ["cats", "dogs", None])


async def test_contexts_as_one_text_give_way_to_the_documents_that_were_retrieved():
    rag = RunnableParallel(context=Words() | joined, question=RunnablePassthrough()).assign(
        answer=PROMPT | says() | StrOutputParser()
    )
    assert ids(await ask(rag)) == ["cats", "dogs", None]


async def test_several_retrievals_are_joined_with_a_note():
    two = Words(documents=[Document(page_content="Foxes bark.", id="foxes")])
    rag = (
        RunnableLambda(
            lambda q: {"context": joined(Words().invoke(q) + two.invoke(q)), "question": q}
        )
        | PROMPT
        | says()
    )
    answer = await ask(rag)
    assert ids(answer) == ["cats", "dogs", None, "foxes"]
    assert "2 retrievals" in answer.notes[0]


async def test_what_gives_documents_is_a_retriever():
    pipeline = as_pipeline(RunnableLambda(lambda q: q) | Words())
    assert pipeline.refuses("live")
    assert ids(await pipeline.ask(CASE, mode="retrieval-only")) == ["cats", "dogs", None]


async def test_an_async_function_in_a_chain():
    @chain
    async def rag(question: str) -> dict:
        return {"answer": "yes", "context": await Words().ainvoke(question)}

    assert ids(await ask(rag)) == ["cats", "dogs", None]


async def test_a_function_that_yields_is_joined():
    def pieces(stream):
        for text in stream:
            yield text.upper()

    answer = await ask(says() | StrOutputParser() | pieces)
    assert answer.text == "THEY PURR."


async def test_a_prompt_for_given_contexts_runs_in_golden_context():
    seen = []

    def look(prompt):
        seen.append(prompt.to_string())
        return prompt

    pipeline = as_pipeline(PROMPT | look | says())
    assert "golden-context" in pipeline.refuses("live")
    given = (Chunk(id="a", text="Cats purr."), Chunk(id="b", text="Dogs {bark}."))
    answer = await pipeline.ask(CASE, mode="golden-context", contexts=given)
    assert answer.text == "They purr."
    assert ids(answer) == ["a", "b"]
    assert seen == ["Human: Cats purr.\n\nDogs {bark}.\n\nWhat do cats do?"]


async def test_contexts_that_are_documents_are_given_as_documents():
    seen = []

    def look(documents):
        seen.extend(documents)
        return joined(documents)

    stuff = (
        RunnableLambda(lambda x: {"context": x["context"], "question": x["input"]})
        | RunnablePassthrough.assign(context=lambda x: look(x["context"]))
        | PROMPT
        | says()
    )
    given = [Chunk(id="a", text="Cats purr.", doc_id="D", metadata={"page": 3})]
    answer = await ask(stuff, mode="golden-context", contexts=given)
    assert answer.text == "They purr."
    assert seen == [Document("Cats purr.", id="a", metadata={"doc_id": "D", "page": 3})]


async def test_earlier_turns_are_put_where_the_chain_takes_them():
    seen = []

    def look(prompt):
        seen.extend(prompt.to_messages())
        return prompt

    talk = (
        ChatPromptTemplate.from_messages(
            [MessagesPlaceholder("chat_history"), ("human", "{input}")]
        )
        | look
        | says()
    )
    case = Case(
        id="q2",
        question="And dogs?",
        history=(Turn(role="user", text="What do cats do?"), Turn(role="assistant", text="Purr.")),
    )
    answer = await ask(talk, case)
    assert [(m.type, m.content) for m in seen] == [
        ("human", "What do cats do?"),
        ("ai", "Purr."),
        ("human", "And dogs?"),
    ]
    assert answer.notes == ()
    deaf = await ask(RunnableLambda(lambda q: q), case)
    assert "earlier turns" in deaf.notes[0]


async def test_a_model_alone_answers():
    model = FakeListChatModel(responses=["Meow."])
    answer = await ask(model)
    assert (answer.text, answer.retrieved) == ("Meow.", None)


async def test_what_raises_fails_its_case_and_keeps_the_trace():
    def broken(question: str) -> str:
        raise ValueError("no index")

    with pytest.raises(PipelineError, match="no index") as failed:
        await ask(RunnableLambda(broken))
    assert "def broken" not in str(failed.value)
    assert "ValueError" in failed.value.detail


def test_inputs_that_cannot_be_told_are_refused_with_their_names():
    two = ChatPromptTemplate.from_template("{topic} {tone}") | says()
    with pytest.raises(UsageError) as refused:
        as_pipeline(two)
    assert "'tone'" in str(refused.value)
    assert "inputs =" in str(refused.value.fix)


async def test_inputs_say_which_key_is_the_question():
    one = ChatPromptTemplate.from_template("{topic}") | says()
    assert (await ask(one)).text == "They purr."

    def act(state: dict) -> dict:
        return {"answer": state["ask_me"].upper()}

    thing = RunnableLambda(act)
    pipeline = FunctionPipeline(thing, options=PipelineOptions(inputs=("ask_me",)))
    assert (await pipeline.ask(CASE)).text == "WHAT DO CATS DO?"
    with pytest.raises(UsageError, match="also requires 'tone'"):
        as_pipeline(ChatPromptTemplate.from_template("{question} {tone}") | says())


def test_inputs_for_a_plain_function_are_refused():
    with pytest.raises(UsageError, match="no object of a framework"):
        FunctionPipeline(lambda q: q, options=PipelineOptions(inputs=("question",)))


def test_a_vector_store_is_refused_with_what_to_give():
    from langchain_core.embeddings import DeterministicFakeEmbedding

    with pytest.raises(UsageError) as refused:
        as_pipeline(InMemoryVectorStore(DeterministicFakeEmbedding(size=4)))
    assert "as_retriever" in str(refused.value.fix)


async def test_a_vector_stores_retriever_keeps_ids():
    from langchain_core.embeddings import DeterministicFakeEmbedding

    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents([Document(page_content=f"text {n}", id=f"c{n}") for n in range(5)])
    answer = await ask(store.as_retriever(search_kwargs={"k": 3}), mode="retrieval-only")
    assert len(answer.retrieved) == 3
    assert all(chunk.id.startswith("c") for chunk in answer.retrieved)


def state_graph(state, nodes):
    graph = pytest.importorskip("langgraph.graph")
    built = graph.StateGraph(state)
    before = graph.START
    for name, node in nodes.items():
        built.add_node(name, node)
        built.add_edge(before, name)
        before = name
    built.add_edge(before, graph.END)
    return built.compile()


async def test_a_compiled_graph_answers_from_its_state():
    from typing_extensions import TypedDict

    class State(TypedDict):
        question: str
        context: list
        answer: str

    graph = state_graph(
        State,
        {
            "find": lambda s: {"context": Words().invoke(s["question"])[:2]},
            "say": lambda s: {"answer": says().invoke(s["question"]).content},
        },
    )
    answer = await ask(graph)
    assert (answer.text, ids(answer)) == ("They purr.", ["cats", "dogs"])
    assert answer.usage.input_tokens == 7


async def test_a_graph_whose_state_has_no_schema_answers_too():
    from typing import TypedDict  # which pydantic refuses before Python 3.12

    class State(TypedDict):
        question: str
        answer: str

    assert (await ask(state_graph(State, {"say": lambda s: {"answer": "yes"}}))).text == "yes"


async def test_a_graph_of_messages_with_async_nodes():
    graph = pytest.importorskip("langgraph.graph")

    async def say(state):
        found = await Words().ainvoke(state["messages"][-1].content)
        return {"messages": [AIMessage(f"{len(found)} found")]}

    pipeline = as_pipeline(state_graph(graph.MessagesState, {"say": say}))
    for _ in range(2):
        answer = await pipeline.ask(CASE)
        assert (answer.text, ids(answer)) == ("3 found", ["cats", "dogs", None])


@pytest.mark.parametrize(
    ("given", "told"), [(None, "it returned None"), (3, "it returned int 3"), (b"x", "bytes b'x'")]
)
async def test_what_a_chain_gives_that_is_no_answer_is_named(given, told):
    pipeline = as_pipeline(RunnableLambda(lambda _: given), name="odd")
    with pytest.raises(PipelineError, match=told):
        await pipeline.ask(CASE, mode="live")


@pytest.mark.parametrize("given", [None, 3])
async def test_a_retriever_that_gives_no_list_fails_the_case_without_noise(given, caplog, capsys):
    class Odd(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return given

    pipeline = as_pipeline(Odd(), name="odd")
    with pytest.raises(PipelineError, match="not a list"):
        await pipeline.ask(CASE, mode="retrieval-only")
    assert not caplog.records
    assert "Error" not in capsys.readouterr().err
