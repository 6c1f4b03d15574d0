"""Replies of models that evaluators are known to misread: each is read right, or said to be none."""

import asyncio
import json

import pytest
from tests.judges.stub import chat, says
from tests.reported.said import claims, completion, passages, relevance

import acidtest as at

FIVE = "It costs €49. It has support. It has storage. It can be ended. It has a trial."
RUBRIC = """
[rubric.tone]
criteria = "{criteria}"
inputs = ["answer"]
[rubric.tone.scale]
polite = 1.0
rude = 0.0
"""


# ------------------------------------------------------------------- what was asked comes back whole


async def test_one_verdict_for_five_claims_is_asked_again_twice_and_then_fails(judged):
    got = await judged(claims(["supported"]), answer=FIVE)
    assert isinstance(got.score, at.Failure)
    assert "1 items, and 5 were asked for" in got.score.why
    assert len(got.questions) == 3


async def test_one_verdict_for_five_claims_does_not_shrink_the_denominator(judged):
    whole = claims(["supported"], *[["unsupported"]] * 4)
    got = await judged(claims(["supported"]), whole, answer=FIVE)
    assert got.score.value == 0.2
    assert got.score.parts["claims"] == 5
    assert "1 items, and 5 were asked for" in got.questions[1]["messages"][-1]["content"]


@pytest.mark.parametrize("word", ["partially", "maybe", "", "Supported, mostly", "undecided"])
async def test_a_verdict_outside_the_list_fails_and_is_never_dropped(judged, word):
    got = await judged(claims(["supported", word]))
    assert isinstance(got.score, at.Failure)
    assert "must be one of contradicted, supported, unsupported" in got.score.why
    assert word in got.score.detail


@pytest.mark.parametrize("number", [-1, 5, 1, 0, "1", None, True])
async def test_a_number_where_a_word_was_asked_is_rejected(judged, number):
    got = await judged(claims([number]))
    assert isinstance(got.score, at.Failure)


@pytest.mark.parametrize("number", [-1, 5, 1.0001, -0.0001])
async def test_a_number_outside_0_to_1_is_rejected_and_never_clamped(judged, number):
    said = json.dumps({"why": "", "score": number})
    got = await judged(said, metric="faithfulness_score")
    assert isinstance(got.score, at.Failure)
    assert got.run.metrics["faithfulness_score"].mean is None


@pytest.mark.parametrize(
    ("metric", "yes", "number"),
    [
        ("context_precision_judged(calls=own)", "relevant", "passage_id"),
        ("context_usefulness(calls=one)", "useful", "passage"),
        ("context_relevance", "direct", "passage_id"),
    ],
)
@pytest.mark.parametrize(("contexts", "verdicts"), [(3, 1), (2, 5), (3, 0)])
async def test_more_or_fewer_verdicts_than_contexts_are_rejected(
    judged, metric, yes, number, contexts, verdicts
):
    texts = [f"Passage {n}." for n in range(contexts)]
    got = await judged(passages(*[yes] * verdicts, number=number), metric=metric, contexts=texts)
    assert isinstance(got.score, at.Failure)
    assert f"{contexts} were asked for" in got.score.why


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I don't have enough information to answer that.",
        "Sorry, that isn't something I can answer from the documents provided.",
        "Leider weiß ich es nicht.",
    ],
)
async def test_a_polite_refusal_claims_nothing_and_is_counted_as_abstaining(judged, answer):
    got = await judged(answer=answer)
    assert isinstance(got.score, at.Skip)
    assert got.questions == []
    told = await judged(metric="abstention_accuracy", answer=answer)
    assert told.score.value == 0.0  # an answer there was, and it was declined


async def test_an_answer_in_which_the_model_finds_no_claim_is_skipped(judged):
    got = await judged(claims([]), answer="Well, who can tell such a thing these days?")
    assert got.score == at.Skip("the answer claims nothing")


def test_nine_failures_and_one_success_are_no_result(folder, cli_over):
    good = iter([completion(claims(["supported"]))])
    (folder / "golden.jsonl").write_text(
        "".join(f'{{"id": "c{n}", "question": "Question {n}?"}}\n' for n in range(10))
    )
    (folder / "outputs.jsonl").write_text(
        "".join(
            json.dumps({"id": f"c{n}", "answer": f"Answer {n}.", "contexts": [f"Text {n}."]}) + "\n"
            for n in range(10)
        )
    )
    bad = completion("I would rather write prose.")
    done = cli_over(
        lambda asked: next(good, bad),
        "-m",
        "faithfulness",
        "--min",
        "faithfulness=0.5",
    )
    assert done.status == 3
    assert "INCOMPLETE faithfulness: 1 of 10 scored" in done.err
    summary = done.run.metrics["faithfulness"]
    assert (summary.scored, summary.failed, summary.mean) == (1, 9, 1.0)


# ---------------------------------------------------------------------------- the text of the reply


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"A draft:\n{relevance('partial')}\nOn reflection:\n{relevance('complete')}",
            id="a draft and then the final reply",
        ),
        pytest.param(
            f'{relevance("complete")}\n\nThe form was {{"verdict": "..."}} as asked.',
            id="the form quoted after the reply",
        ),
        pytest.param(
            f'<think>Is {{"verdict": "partial"}} right? {relevance("partial")} No.</think>\n'
            + relevance("complete"),
            id="a think-block with braces",
        ),
        pytest.param(f"```json\n{relevance('complete')}\n```", id="a fence"),
        pytest.param(f"```\n{relevance('complete')}\n```\nHope this helps!", id="fence and prose"),
        pytest.param(f"\ufeff{relevance('complete')}", id="a byte-order mark"),
    ],
)
async def test_the_last_reply_that_fits_counts(judged, text):
    got = await judged(text, metric="answer_relevance")
    assert got.score.value == 1.0
    assert len(got.questions) == 1


async def test_commas_before_brackets_inside_a_reason_stay(judged):
    why = 'it lists {"a": 1,} and [1, 2,] and ,} as such'
    got = await judged(relevance("complete", why), metric="answer_relevance")
    assert got.score.reason == f"complete: {why}"
    assert not got.verdict.repaired


async def test_a_dictionary_in_single_quotes_is_read_and_marked_as_mended(judged):
    got = await judged("{'why': \"it's short\", 'verdict': 'complete',}", metric="answer_relevance")
    assert got.score.reason == "complete: it's short"
    assert got.verdict.repaired


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"why": "to the point"}', id="without the key"),
        pytest.param('{"result": {"why": "", "verdict": "complete"}}', id="under another key"),
        pytest.param('{"answer": "complete"}', id="with another key"),
        pytest.param('[{"why": "", "verdict": "complete"}]', id="in a list"),
        pytest.param('"complete"', id="as a bare word"),
        pytest.param("null", id="null"),
        pytest.param("", id="empty"),
    ],
)
async def test_valid_json_without_what_was_asked_fails_and_is_kept(judged, text):
    got = await judged(text, metric="answer_relevance")
    assert isinstance(got.score, at.Failure)
    assert text in got.score.detail
    assert len(got.questions) == 3


async def test_a_reply_cut_at_the_token_limit_is_asked_again_with_more_room(judged):
    cut = completion('{"why": "the answer is to', finish="length")
    got = await judged(cut, relevance("complete"), metric="answer_relevance")
    assert got.score.value == 1.0
    first, second = (question["max_tokens"] for question in got.questions)
    assert second == 2 * first


async def test_a_reply_that_is_cut_every_time_fails_as_cut(judged):
    cut = completion('{"why": "the answer is to', finish="length")
    got = await judged(cut, metric="answer_relevance")
    assert isinstance(got.score, at.Failure)
    assert "was cut 3 times" in got.score.why


@pytest.mark.parametrize("finish", ["eos", "STOP", "", None, "length"])
async def test_a_whole_reply_counts_whatever_the_finish_reason(judged, finish):
    got = await judged(completion(relevance("complete"), finish=finish), metric="answer_relevance")
    assert got.score.value == 1.0


# ------------------------------------------------------------------------------------- the endpoint


@pytest.mark.parametrize("name", ["temperature", "response_format"])
async def test_a_refused_parameter_is_dropped_once_and_recorded(judged, name):
    def picky(asked):
        if name not in asked.json:
            return completion(relevance("complete"))
        message = f"Unsupported parameter: '{name}' is not supported with this model."
        return says({"error": {"message": message, "param": name}}, 400)

    cases = [{"id": str(n), "question": f"Question {n}?"} for n in range(3)]
    got = await judged(picky, metric="answer_relevance", golden=cases, concurrency=1)
    assert got.run.metrics["answer_relevance"].scored == 3
    sent = [name in question for question in got.questions]
    refused = {"temperature": 1, "response_format": 2}[name]  # the schema first, then any JSON
    assert sent == [True] * refused + [False] * 3
    assert got.verdict.dropped == [name]


async def test_top_p_is_never_sent(judged):
    got = await judged(chat)
    assert "top_p" not in got.questions[0]


async def test_too_many_requests_with_a_hint_wait_as_told_and_lose_nothing(judged):
    loop = asyncio.get_running_loop()
    times = {}

    def busy_at_first(asked):
        question = asked.json["messages"][-1]["content"]
        times.setdefault(question, []).append(loop.time())
        if len(times[question]) == 1:
            return says({"error": {"message": "slow down"}}, 429, headers={"Retry-After": "1"})
        return completion(relevance("complete"))

    cases = [{"id": str(n), "question": f"Question {n}?"} for n in range(6)]
    got = await judged(busy_at_first, metric="answer_relevance", golden=cases)
    assert got.run.metrics["answer_relevance"].scored == 6
    assert [second - first >= 1.0 for first, second in times.values()] == [True] * 6


async def test_one_context_beyond_the_window_fails_its_case_alone(judged):
    def window(asked):
        if len(asked.raw) < 20_000:
            return completion(claims(["supported"]))
        message = "This model's maximum context length is 8192 tokens."
        return says({"error": {"message": message, "code": "context_length_exceeded"}}, 400)

    def pipeline(question):
        return {
            "answer": f"Yes: {question}",
            "contexts": ["x" * 30_000 if "2" in question else "y"],
        }

    cases = [{"id": str(n), "question": f"Question {n}"} for n in range(5)]
    got = await judged(window, golden=cases, pipeline=pipeline)
    outcomes = [case.scores["faithfulness"] for case in got.run.cases]
    assert [type(each) for each in outcomes] == [at.Score, at.Score, at.Failure, at.Score, at.Score]
    assert "maximum context length" in outcomes[2].why


async def test_two_models_with_one_cache_are_both_asked(judged):
    one = await judged(relevance("complete"), metric="answer_relevance", judge="openai:one")
    two = await judged(relevance("partial"), metric="answer_relevance", judge="openai:two")
    assert (one.score.value, two.score.value) == (1.0, 0.7)
    assert [got.questions[0]["model"] for got in (one, two)] == ["one", "two"]


async def test_a_changed_rubric_asks_again_and_the_same_one_does_not(judged, folder):
    config = folder / "acidtest.toml"
    asked = []
    for criteria in ("Is it polite?", "Is it polite?", "Is it friendly?"):
        config.write_text(RUBRIC.format(criteria=criteria))
        got = await judged(relevance("polite"), metric="tone")
        assert got.score.value == 1.0
        asked.append(len(got.questions))
    assert asked == [1, 0, 1]


async def test_a_second_cached_run_is_identical_and_asks_nothing(judged):
    first = await judged(claims(["supported", "unsupported"]))
    second = await judged(completion("anything else", status=500))
    assert second.questions == []
    assert second.run.metrics == first.run.metrics
    assert [c.scores for c in second.run.cases] == [c.scores for c in first.run.cases]
    assert (second.run.operations.judge.calls, second.run.operations.judge.cached) == (0, 1)
