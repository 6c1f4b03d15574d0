"""The two pipelines: same generator, different retrieval, and what they give to an evaluation."""

from acidtest.demo.corpus import passages
from acidtest.demo.rag import CANDIDATES, KEPT, baseline, reranked

QUESTION = "What does exit status 130 mean?"


def test_an_answer_carries_everything_an_evaluation_can_use():
    answer = reranked.answer(QUESTION)
    assert set(answer) == {"answer", "citations", "abstained", "retrieved", "candidates"}
    assert len(answer["retrieved"]) == KEPT
    assert KEPT < len(answer["candidates"]) <= CANDIDATES
    kept = {chunk["id"] for chunk in answer["retrieved"]}
    assert kept <= {chunk["id"] for chunk in answer["candidates"]}
    assert set(answer["citations"]) <= kept
    first = answer["retrieved"][0]
    assert first["id"].startswith(first["doc_id"] + "#")
    assert "Ctrl-C" in answer["answer"]


def test_the_baseline_has_one_stage_only():
    assert "candidates" not in baseline.answer(QUESTION)
    assert "candidates" not in baseline.retrieve(QUESTION)


def test_both_give_the_same_every_time():
    for pipeline in (baseline, reranked):
        assert pipeline.answer(QUESTION) == pipeline.answer(QUESTION)
        assert pipeline.retrieve(QUESTION)["retrieved"] == pipeline.answer(QUESTION)["retrieved"]


def test_given_the_same_contexts_both_answer_the_same():
    contexts = reranked.retrieve(QUESTION)["retrieved"]
    assert baseline.generate(QUESTION, contexts) == reranked.generate(QUESTION, contexts)


def test_contexts_from_elsewhere_are_read_as_dictionaries_and_objects():
    class Context:
        id = "elsewhere#1"
        text = "Status 130 means that somebody pressed Ctrl-C."

    for context in (Context(), {"id": Context.id, "text": Context.text}):
        answer = reranked.generate(QUESTION, [context])
        assert answer["citations"] == ["elsewhere#1"]


def test_earlier_turns_help_the_second_pipeline_only():
    history = [{"role": "user", "content": "How wide is the interval with 30 cases?"}]
    asked = "And with four hundred?"
    assert baseline.retrieve(asked, history) == baseline.retrieve(asked)
    assert reranked.retrieve(asked, history) != reranked.retrieve(asked)


def test_a_question_of_unknown_words_is_declined_without_contexts():
    for pipeline in (baseline, reranked):
        answer = pipeline.answer("Xyzzy plugh?")
        assert answer["retrieved"] == []
        assert answer["abstained"] is True


def test_retrieved_chunks_are_chunks_of_the_handbook():
    texts = {p.id: p.text for p in passages()}
    for chunk in reranked.retrieve(QUESTION)["retrieved"]:
        assert texts[chunk["id"]] == chunk["text"]
