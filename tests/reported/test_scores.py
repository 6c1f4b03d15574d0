"""Answers, contexts and vectors that evaluators are known to score wrongly: each has its defined score."""

import json

import pytest
from tests.judges.stub import chat, says
from tests.reported.said import claims, completion, passages, relevance

import acidtest as at

EMPTY = {
    "faithfulness": 0.0,
    "faithfulness_binary": 0.0,
    "faithfulness_score": 0.0,
    "context_recall": 0.0,
    "context_precision_judged": 0.0,
    "context_usefulness": 0.0,
    "context_relevance": 0.0,
}


# ----------------------------------------------------------------------------- nothing to judge by


@pytest.mark.parametrize("contexts", [[""], [], [" \n"], ["", ""]], ids=repr)
@pytest.mark.parametrize("metric", EMPTY)
async def test_empty_contexts_have_a_defined_score_and_cost_no_call(judged, metric, contexts):
    got = await judged(metric=metric, contexts=contexts)
    assert got.score.value == EMPTY[metric]
    assert got.questions == []


@pytest.mark.parametrize(
    "metric",
    [
        "context_recall",
        "context_precision_judged",
        "noise_sensitivity",
        "factual_correctness",
        "correctness",
    ],
)
async def test_a_reference_of_spaces_skips_and_costs_no_call(judged, metric):
    got = await judged(metric=metric, reference="  \n ")
    assert got.score == at.Skip("the reference is empty")
    assert got.questions == []


async def test_a_reference_of_spaces_is_not_embedded(judged):
    got = await judged(metric="semantic_similarity", reference="  \n ", embedder="openai:e")
    assert got.score == at.Skip("the reference is empty")
    assert got.questions == []


async def test_an_invented_answer_without_context_is_not_faithful(judged):
    got = await judged(answer="Pro costs €12. It includes a laptop.", contexts=[])
    assert got.score.value == 0.0
    assert got.score.parts["unsupported"] == 2
    assert got.questions == []


async def test_an_answer_unrelated_to_its_context_is_unsupported(judged):
    got = await judged(
        answer="Mount Everest is 8,849 metres high.",
        contexts=["The Pro plan costs €49/month."],
        judge="local",
    )
    assert got.score.value == 0.0
    assert [record["verdict"] for record in got.score.evidence] == ["unsupported"]


async def test_a_true_answer_that_the_context_does_not_hold_is_unsupported(judged):
    got = await judged(claims(["unsupported"]), answer="Paris is in France.", contexts=["Refunds."])
    assert got.score.value == 0.0
    assert "Outside knowledge does not count" in got.questions[0]["messages"][-1]["content"]


# --------------------------------------------------------------------------------------- languages


async def test_a_chinese_answer_without_full_stops_of_ascii_is_split(judged):
    answer = "专业版每月四十九欧元。它包括优先支持。可以随时取消！"
    whole = claims(["supported"], ["supported"], ["unsupported"])
    got = await judged(
        claims(["supported"]), whole, answer=answer, contexts=["专业版每月四十九欧元。"]
    )
    assert got.score.value == pytest.approx(2 / 3)
    asked = got.questions[0]["response_format"]["json_schema"]["schema"]
    assert asked["properties"]["sentences"]["minItems"] == 3


def questions(*written):
    return completion(json.dumps({"commitment": "committal", "questions": written}))


def embeds(vectors):
    """A model that writes the same three questions, beside an endpoint of embeddings."""

    def script(asked):
        if not asked.path.endswith("/embeddings"):
            return questions("Was kostet Pro?", "Wie viel kostet Pro?", "Was ist der Preis?")
        data = [
            {"index": n, "embedding": vectors(text)} for n, text in enumerate(asked.json["input"])
        ]
        return says({"data": data, "model": "e", "usage": {"prompt_tokens": 1}})

    return script


async def test_questions_in_another_script_than_the_answers_are_asked_again(judged):
    answers = iter([questions("这个多少钱？", "价格是多少？", "要付多少？")])
    inner = embeds(lambda text: [1.0, 0.0])

    def script(asked):
        return inner(asked) if asked.path.endswith("/embeddings") else next(answers, inner(asked))

    got = await judged(
        script, metric="answer_relevancy", answer="Pro kostet €49.", embedder="openai:e"
    )
    assert got.score.value == 1.0
    chats = [asked.json for asked in got.asked if asked.path.endswith("/chat/completions")]
    assert len(chats) == 2
    assert "is not in the language of the answer" in chats[1]["messages"][-1]["content"]
    assert "in the language of the answer" in chats[0]["messages"][-1]["content"]


# ----------------------------------------------------------------------------------------- vectors


def opposed(text):
    return [1.0, 0.5] if text == "What does Pro cost?" or "€49/month" in text else [-1.0, -0.5]


@pytest.mark.parametrize("metric", ["answer_relevancy", "semantic_similarity"])
async def test_opposed_vectors_are_as_far_as_nothing_in_common(judged, metric):
    got = await judged(embeds(opposed), metric=metric, embedder="openai:e")
    assert got.score.value == 0.0


@pytest.mark.parametrize("metric", ["answer_relevancy", "semantic_similarity"])
@pytest.mark.parametrize(
    "vector", [[0.0, 0.0], [], [1e400, 1.0], [float("nan")], [None], ["a"]], ids=repr
)
async def test_vectors_without_a_direction_fail_and_are_no_number(judged, metric, vector):
    got = await judged(embeds(lambda text: vector), metric=metric, embedder="openai:e")
    assert isinstance(got.score, at.Failure)
    assert got.run.metrics[metric].mean is None


@pytest.mark.parametrize("vector", [[1e-300, 2e-300], [1e300, 1e300], [0.1, 0.2, 0.3]], ids=repr)
async def test_equal_vectors_are_exactly_one(judged, vector):
    got = await judged(
        embeds(lambda text: vector), metric="semantic_similarity", embedder="openai:e"
    )
    assert got.score.value == 1.0


# --------------------------------------------------------------------------------------- arithmetic


@pytest.mark.parametrize("count", [1, 3, 7, 10, 49])
async def test_all_contexts_relevant_is_exactly_one(judged, count):
    texts = [f"Passage {n}." for n in range(count)]
    got = await judged(
        passages(*["relevant"] * count),
        metric="context_precision_judged(calls=own)",
        contexts=texts,
    )
    assert got.score.value == 1.0


@pytest.mark.parametrize("number", [85, "85", 8.5, 10, "0.85", "85%"])
async def test_a_number_on_another_scale_is_rejected_and_never_rescaled(judged, number):
    got = await judged(json.dumps({"why": "", "score": number}), metric="faithfulness_score")
    assert isinstance(got.score, at.Failure)


async def test_a_rubric_takes_words_so_that_85_is_none(judged, folder):
    (folder / "acidtest.toml").write_text(
        '[rubric.tone]\ncriteria = "Is it polite?"\n[rubric.tone.scale]\n'
        "polite = 1.0\nneutral = 0.5\nrude = 0.0\n"
    )
    got = await judged(relevance(85), metric="tone")
    assert isinstance(got.score, at.Failure)
    assert "is 85, and must be one of neutral, polite, rude" in got.score.why


async def test_identical_pairs_score_alike_and_are_asked_once(judged):
    draws = iter(["complete", "partial", "off_topic"])
    cases = [{"id": str(n), "question": "What does Pro cost?"} for n in range(3)]
    got = await judged(
        lambda asked: completion(relevance(next(draws))), metric="answer_relevance", golden=cases
    )
    assert [case.scores["answer_relevance"].value for case in got.run.cases] == [1.0, 1.0, 1.0]
    assert len(got.questions) == 1


@pytest.mark.parametrize(
    ("metric", "said", "expected"),
    [
        # the second "a" is no second hit: ranks 1 and 4 are relevant, in a ranking of 3 passages
        ("context_precision_judged(calls=own)", passages(*["relevant"] * 2, "irrelevant"), 1.0),
        ("context_usefulness(calls=one)", passages("useful", "useful", "useless", number="passage"), 2 / 3),
        ("context_relevance", passages("direct", "direct", "unrelated"), 2 / 3),
    ],
)  # fmt: skip
async def test_repeated_chunks_count_as_the_handbook_says(judged, metric, said, expected):
    got = await judged(said, metric=metric, contexts=["a", "a", "b"])
    assert got.score.value == pytest.approx(expected)


async def test_a_repeated_chunk_id_counts_once_in_label_metrics_and_is_noted(judged):
    case = {"id": "one", "question": "What?", "relevant": ["a"]}
    chunks = [{"id": "a", "text": "A"}, {"id": "a", "text": "A"}, {"id": "b", "text": "B"}]
    got = await judged(chat, metric="precision", golden=[case], contexts=chunks)
    assert got.score.value == 0.5
    assert "a" in " ".join(got.run.cases[0].notes)
