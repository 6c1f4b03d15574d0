import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Turn
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines.function import FunctionPipeline, as_pipeline
from acidtest.ports import PipelineOptions

pytest.importorskip("llama_index.core")

from llama_index.core import KeywordTableIndex, get_response_synthesizer
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse
from llama_index.core.chat_engine import (
    CondenseQuestionChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.llms import MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)

CASE = Case(id="q1", question="What do cats do?")


def node(name, text, score=None, document=None):
    made = TextNode(id_=name, text=text, metadata={"file_name": f"{name}.md"})
    if document:
        made.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=document)
    return NodeWithScore(node=made, score=score)


class Fixed(BaseRetriever):
    def _retrieve(self, query_bundle):
        assert query_bundle.query_str == CASE.question
        return [node("cats", "Cats purr.", 0.9, "D1"), node("dogs", "Dogs bark.", 0.5)]


class OnlyAsync(BaseRetriever):
    def _retrieve(self, query_bundle):
        raise NotImplementedError

    async def _aretrieve(self, query_bundle):
        return Fixed()._retrieve(query_bundle)


class Backwards(BaseNodePostprocessor):
    def _postprocess_nodes(self, nodes, query_bundle=None):
        return nodes[::-1]


def engine(**named):
    synthesizer = get_response_synthesizer(llm=MockLLM(), **named)
    return RetrieverQueryEngine(Fixed(), synthesizer, node_postprocessors=[Backwards()])


def memory():
    return ChatMemoryBuffer.from_defaults(token_limit=1000, tokenizer_fn=str.split)


def ids(answer):
    return [chunk.id for chunk in answer.retrieved]


async def test_a_retriever_gives_ids_scores_documents_and_metadata():
    pipeline = as_pipeline(Fixed())
    answer = await pipeline.ask(CASE, mode="retrieval-only")
    assert ids(answer) == ["cats", "dogs"]
    first = answer.retrieved[0]
    assert (first.text, first.score, first.doc_id) == ("Cats purr.", 0.9, "D1")
    assert (first.source, first.metadata) == ("cats.md", {"file_name": "cats.md"})
    assert pipeline.refuses("live")


async def test_a_retriever_that_only_awaits():
    pipeline = as_pipeline(OnlyAsync())
    for _ in range(2):
        assert ids(await pipeline.ask(CASE, mode="retrieval-only")) == ["cats", "dogs"]


async def test_a_query_engine_answers_in_one_call_after_its_postprocessors():
    answer = await as_pipeline(engine()).ask(CASE)
    assert "Cats purr." in answer.text
    assert CASE.question in answer.text
    assert ids(answer) == ["dogs", "cats"]
    assert answer.latency_ms.total > 0


async def test_a_query_engine_runs_in_the_other_two_modes():
    pipeline = as_pipeline(engine())
    assert ids(await pipeline.ask(CASE, mode="retrieval-only")) == ["dogs", "cats"]
    given = [Chunk(id="owls", text="Owls hoot.", doc_id="D9", score=0.1), Chunk(text="Foxes bark.")]
    answer = await pipeline.ask(CASE, mode="golden-context", contexts=given)
    assert "Owls hoot." in answer.text
    assert "Foxes bark." in answer.text
    assert "purr" not in answer.text
    assert ids(answer) == ["owls", None]


async def test_a_streaming_engine_is_read_to_its_end():
    answer = await as_pipeline(engine(streaming=True)).ask(CASE)
    assert "Cats purr." in answer.text
    assert ids(answer) == ["dogs", "cats"]


async def test_an_engine_that_only_awaits_and_streams():
    class Awaited(CustomQueryEngine):
        def custom_query(self, query_str):
            raise NotImplementedError("use the async form")

        async def acustom_query(self, query_str):
            async def pieces():
                for text in ("They ", "purr."):
                    yield text

            return AsyncStreamingResponse(pieces(), [node("cats", "Cats purr.")])

    answer = await as_pipeline(Awaited()).ask(CASE)
    assert (answer.text, ids(answer)) == ("They purr.", ["cats"])


async def test_an_engine_of_ones_own_has_the_modes_that_it_has():
    class Own(CustomQueryEngine):
        def custom_query(self, query_str):
            return "They purr."

    pipeline = as_pipeline(Own())
    assert (await pipeline.ask(CASE)).text == "They purr."
    assert pipeline.refuses("retrieval-only")
    assert pipeline.refuses("golden-context")


async def test_a_response_synthesizer_generates_from_given_contexts():
    pipeline = as_pipeline(get_response_synthesizer(llm=MockLLM()))
    assert "golden-context" in pipeline.refuses("live")
    answer = await pipeline.ask(
        CASE, mode="golden-context", contexts=[Chunk(id="a", text="Cats purr.")]
    )
    assert "Cats purr." in answer.text


@pytest.mark.parametrize("history", [False, True])
async def test_a_chat_engine_forgets_between_questions(history):
    pipeline = as_pipeline(
        ContextChatEngine.from_defaults(
            retriever=Fixed(), llm=MockLLM(), system_prompt="Answer.", memory=memory()
        )
    )
    turns = (
        (Turn(role="user", text="EARLIER"), Turn(role="assistant", text="said")) if history else ()
    )
    case = Case(id="q1", question=CASE.question, history=turns)
    assert pipeline.options.concurrency == 1
    first = await pipeline.ask(case)
    second = await pipeline.ask(case)
    assert ids(first) == ["cats", "dogs"]
    assert first.text == second.text
    assert ("EARLIER" in first.text) is history
    assert first.notes == ()


async def test_a_condensing_chat_engine_has_its_engines_nodes():
    chat = CondenseQuestionChatEngine.from_defaults(
        query_engine=RetrieverQueryEngine(Fixed(), get_response_synthesizer(llm=MockLLM())),
        llm=MockLLM(),
        memory=memory(),
    )
    # The stand-in for a model repeats its prompt, which the retriever would not know.
    chat._condense_question = lambda history, message: message
    pipeline = as_pipeline(chat)
    for _ in range(2):
        assert ids(await pipeline.ask(CASE)) == ["cats", "dogs"]


async def test_a_chat_engine_without_retrieval():
    pipeline = as_pipeline(SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory()))
    answer = await pipeline.ask(CASE)
    assert CASE.question in answer.text


async def test_what_raises_fails_its_case():
    class Broken(CustomQueryEngine):
        def custom_query(self, query_str):
            raise ValueError("no index")

    with pytest.raises(PipelineError, match="no index"):
        await as_pipeline(Broken()).ask(CASE)


def test_an_index_is_refused_with_what_to_give():
    index = KeywordTableIndex([], llm=MockLLM())
    with pytest.raises(UsageError) as refused:
        as_pipeline(index)
    assert "as_query_engine" in str(refused.value.fix)


def test_inputs_are_refused():
    with pytest.raises(UsageError, match="Leave inputs out"):
        FunctionPipeline(engine(), options=PipelineOptions(inputs=("query",)))
