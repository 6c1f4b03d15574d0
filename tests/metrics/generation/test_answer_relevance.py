"""Answer relevance: the four anchors with recorded verdicts, and what is never asked."""

import pytest

from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.generation.answer_relevance import answer_relevance
from acidtest.testing import FakeJudge

QUESTION = "What does the Pro plan cost, and what does it include?"


def judge(verdict):
    return FakeJudge({"answer_relevance": {"why": "so", "verdict": verdict}})


@pytest.mark.parametrize(
    ("answer", "verdict", "value"),
    [
        ("It is €49/month and includes priority support.", "complete", 1.0),
        ("The Pro plan is €49/month.", "partial", 0.7),
        ("There are three plans, Pro among them.", "tangential", 0.3),
        ("Our office is open on weekdays.", "off_topic", 0.0),
    ],
)
async def test_recorded_verdicts(answer, verdict, value):
    asked = judge(verdict)
    score = await answer_relevance(QUESTION, answer, asked)
    assert score.value == value
    assert score.reason == f"{verdict}: so"
    assert score.parts["claims"] == 1
    assert score.parts["supported"] + score.parts["unsupported"] == 1
    assert asked.calls == [("answer_relevance", {"question": QUESTION, "answer": answer})]


async def test_undecided_is_a_skip_that_is_counted():
    skip = await answer_relevance(QUESTION, "x y z", judge("undecided"))
    assert skip.why == "undecided: so"
    assert (skip.parts["claims"], skip.parts["undecided"], skip.parts["unsupported"]) == (1, 1, 0)


@pytest.mark.parametrize("verdict", ["partially", "maybe", "", "off topic", 1, 0.7, None])
async def test_any_other_verdict_is_an_error(verdict):
    with pytest.raises(JudgeError):
        await answer_relevance(QUESTION, "x y z", judge(verdict))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("I don't know.", "the answer declines: abstention is scored apart"),
        ("NOT_IN_CORPUS", "the answer declines: abstention is scored apart"),
    ],
)
async def test_declining_is_for_abstention_to_score(text, why):
    nobody = FakeJudge({})
    assert await answer_relevance(QUESTION, text, nobody) == Skip(why)
    assert nobody.calls == []


async def test_a_partial_refusal_is_judged():
    text = "It costs €49 a month. I could not find what it includes."
    assert isinstance(await answer_relevance(QUESTION, text, judge("partial")), Score)
