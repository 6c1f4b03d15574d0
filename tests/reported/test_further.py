"""More of what evaluators are known to stumble over, in the order: replies, scores, inputs, running."""

import asyncio
import json

import pytest
from tests.judges.stub import Threaded, chat, says
from tests.reported.said import beside_models, claim, claims, completion, passages, relevance

import acidtest as at
from acidtest.judges.llm import LLMJudge
from acidtest.judges.openai_http import OpenAIBackend

# ------------------------------------------------------------------------------------------ replies


@pytest.mark.parametrize(
    "prose",
    ["irrelevant", "The answer is not relevant.", "Verdict: complete", "complete / off_topic?"],
)
async def test_no_verdict_is_read_out_of_prose(judged, prose):
    got = await judged(prose, metric="answer_relevance")
    assert isinstance(got.score, at.Failure)
    assert prose in got.score.detail


@pytest.mark.parametrize(
    "written", ["NaN", "Infinity", "-Infinity", "1e400", "7.259001e+09", "true", '"0.7"', "null"]
)
async def test_what_is_no_number_of_the_scale_never_becomes_a_score(judged, written):
    got = await judged(f'{{"why": "", "score": {written}}}', metric="faithfulness_score")
    assert isinstance(got.score, at.Failure)
    json.loads(got.run.to_json(), parse_constant=pytest.fail)


async def test_sentences_that_the_answer_does_not_have_are_rejected(judged):
    invented = json.dumps({"sentences": [{"sentence": 7, "claims": [claim("supported")]}]})
    got = await judged(invented)
    assert isinstance(got.score, at.Failure)
    assert "sentence 1 missing (asked: 1 to 1)" in got.score.why


async def test_a_quote_that_no_passage_holds_is_asked_again(judged):
    quoted = {**claim("supported"), "passage": 1, "quote": "costs €12 a year"}
    invented = json.dumps({"sentences": [{"sentence": 1, "claims": [quoted]}]})
    got = await judged(invented, claims(["unsupported"]))
    assert got.score.value == 0.0
    assert "is not in passage 1" in got.questions[1]["messages"][-1]["content"]


async def test_greetings_and_offers_are_no_claims_and_do_not_dilute_the_score(judged):
    got = await judged(
        claims([], [], ["supported"], []),
        answer="Hi! I'm here to help. Pro costs €49. Anything else?",
    )
    assert got.score.value == 1.0
    assert got.score.parts["claims"] == 1


def thinking(text, finish, **reasoning):
    message = {"role": "assistant", "content": text, **reasoning}
    return says(
        {
            "choices": [{"message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9},
        }
    )


@pytest.mark.parametrize("text", [None, ""])
async def test_thoughts_that_took_all_the_room_are_a_cut_reply_and_get_more(judged, text):
    cut = thinking(text, "length", reasoning_content='First, {"verdict": "off_topic"} seems')
    got = await judged(cut, relevance("complete"), metric="answer_relevance")
    assert got.score.value == 1.0
    assert got.questions[1]["max_tokens"] == 2 * got.questions[0]["max_tokens"]


@pytest.mark.parametrize("member", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("text", [None, "", "\n"])
async def test_a_reply_that_the_server_took_for_thoughts_is_still_the_reply(judged, text, member):
    filed = thinking(text, "stop", **{member: relevance("complete")})
    got = await judged(filed, metric="answer_relevance")
    assert got.score.value == 1.0


async def test_drafts_among_thoughts_are_no_reply(judged):
    thoughts = f"Perhaps {relevance('complete')}, perhaps not."
    got = await judged(thinking("", "stop", reasoning_content=thoughts), metric="answer_relevance")
    assert isinstance(got.score, at.Failure)


async def test_a_reply_beside_thoughts_outranks_them(judged):
    both = thinking(relevance("partial"), "stop", reasoning_content=relevance("complete"))
    got = await judged(both, metric="answer_relevance")
    assert got.score.value == 0.7


async def test_a_model_that_wants_the_limit_under_a_newer_name_gets_it(judged):
    def newer(asked):
        if "max_tokens" not in asked.json:
            return completion(relevance("complete"))
        message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return says({"error": {"message": message, "param": "max_tokens"}}, 400)

    got = await judged(newer, metric="answer_relevance")
    assert got.score.value == 1.0
    assert got.questions[1]["max_completion_tokens"] == got.questions[0]["max_tokens"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(
            says({"error": {"message": "policy", "code": "content_filter"}}, 400),
            "provider's filter",
            id="the prompt was filtered",
        ),
        pytest.param(
            completion('{"why": "', finish="content_filter"),
            "provider's filter",
            id="the reply was filtered",
        ),
        pytest.param(
            says(
                {
                    "choices": [
                        {
                            "message": {"content": None, "refusal": "I can't help with that."},
                            "finish_reason": "stop",
                        }
                    ]
                }
            ),
            "is a refusal",
            id="the model refused",
        ),
    ],
)
async def test_a_judge_that_may_or_will_not_judge_fails_that_case_alone(judged, reply, why):
    def script(asked):
        hit = "Question 1?" in asked.json["messages"][-1]["content"]
        return reply if hit else completion(relevance("complete"))

    cases = [{"id": str(n), "question": f"Question {n}?"} for n in range(3)]
    got = await judged(script, metric="answer_relevance", golden=cases)
    outcomes = [case.scores["answer_relevance"] for case in got.run.cases]
    assert [type(each) for each in outcomes] == [at.Score, at.Failure, at.Score]
    assert why in outcomes[1].why


# ------------------------------------------------------------------------------------------- scores


async def test_the_relevant_context_in_second_place_is_half_as_precise(judged):
    got = await judged(
        passages("irrelevant", "relevant"),
        metric="context_precision_judged(calls=own)",
        contexts=["The Brandenburg Gate is in Berlin.", "Pro costs €49."],
    )
    assert got.score.value == 0.5


async def test_an_answer_copied_from_its_context_is_faithful(judged):
    text = "The Pro plan costs €49/month and includes priority support."
    got = await judged(answer=text, contexts=["Other things.", text], judge="local")
    assert got.score.value == 1.0


# ------------------------------------------------------------------------------------------- inputs


@pytest.mark.parametrize(
    "text",
    ['{"a": {x}}', "{question}", "{{question}} {{sentences}}", "%s %(x)s $x ${x}", "{0} {} }{"],
)
async def test_braces_and_placeholders_in_contexts_reach_the_model_as_they_are(judged, text):
    got = await judged(chat, contexts=[text], answer=f"It says {text} there.")
    assert isinstance(got.score, at.Score)
    asked = got.questions[0]["messages"][-1]["content"]
    assert asked.count(text) == 2


def test_contexts_that_are_one_text_are_one_chunk_and_no_letters(folder):
    case = {"id": "one", "question": "q?"}
    run = at.evaluate(lambda question: ("yes", "Pro costs €49."), [case], ["abstention_accuracy"])
    assert [chunk.text for chunk in run.cases[0].retrieved] == ["Pro costs €49."]


@pytest.mark.parametrize("field", ["reference", "contexts", "metadata", "id"])
def test_a_frames_nan_is_a_missing_value_and_no_text(folder, field):
    row = {"id": "one", "question": "q?", "reference": "r", field: float("nan")}
    assert "nan" not in repr(at.load_golden([row])[0])


def test_a_frames_nan_for_a_question_is_refused_with_its_row(folder):
    with pytest.raises(at.AcidtestError, match="row 2: has no question"):
        at.load_golden([{"question": "q?"}, {"question": float("nan")}])


# ------------------------------------------------------------------------------------------ running


def test_one_judge_serves_several_evaluations_each_in_its_own_loop(folder):
    with Threaded(beside_models(chat)) as endpoint:
        judge = LLMJudge(OpenAIBackend("m", base_url=endpoint.url))
        for n in range(3):
            case = {"id": "one", "question": f"q{n}?"}
            row = {"answer": "Yes, it is.", "contexts": ["It is."]}
            run = at.evaluate(lambda question, row=row: row, [case], ["faithfulness"], judge=judge)
            assert run.metrics["faithfulness"].scored == 1
        asyncio.run(judge.aclose())


async def test_no_judge_is_asked_about_an_answer_that_never_came(judged):
    def pipeline(question):
        raise PermissionError("401")

    for metric in ("faithfulness", "answer_relevance", "correctness", "answer_relevancy"):
        got = await judged(metric=metric, pipeline=pipeline, embedder="openai:e")
        assert isinstance(got.score, at.Failure)
        assert "PermissionError: 401" in got.score.why
        assert got.questions == []


@pytest.mark.parametrize("said", [None, 1.0, {}, {"verdict": "good"}, b"complete", object()])
def test_what_a_judge_of_ones_own_should_not_return_fails_with_a_reason(folder, said):
    case = {"id": "one", "question": "q?"}

    def judge(prompt, fields):
        return said

    run = at.evaluate(lambda question: "Yes, it is.", [case], ["answer_relevance"], judge=judge)
    outcome = run.cases[0].scores["answer_relevance"]
    assert isinstance(outcome, at.Failure)
    assert "'answer_relevance' is not valid" in outcome.why


async def test_a_model_that_never_gives_json_says_so_in_every_score(judged):
    cases = [{"id": str(n), "question": f"q{n}?"} for n in range(3)]
    got = await judged(completion("As an assistant, I"), metric="answer_relevance", golden=cases)
    whys = [case.scores["answer_relevance"].why for case in got.run.cases]
    assert all("there is no JSON object in the reply" in why for why in whys)
    assert got.run.metrics["answer_relevance"].failed == 3
