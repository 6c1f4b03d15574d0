"""Faithfulness as one number: on the scale or rejected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.generation.faithfulness_score import faithfulness_score
from acidtest.testing import FakeJudge

CHUNKS = (Chunk(text="The Pro plan costs €49/month and includes priority support."),)
QUESTION = "What does the Pro plan cost?"
LAPTOP = "The Pro plan is €49/month and includes a free laptop."


def judge(score, why="the laptop stands nowhere"):
    return FakeJudge({"faithfulness_score": {"why": why, "score": score}})


@pytest.mark.parametrize(
    ("answer", "value"), [("The Pro plan is €49/month.", 1.0), (LAPTOP, 0.5), ("It is free.", 0)]
)
async def test_recorded_judgements(answer, value):
    asked = judge(value)
    score = await faithfulness_score(QUESTION, answer, CHUNKS, asked)
    assert score.value == value
    assert score.parts["supported"] == value
    assert score.reason == "the laptop stands nowhere"
    fields = {"passages": [CHUNKS[0].text], "question": QUESTION, "answer": answer}
    assert asked.calls == [("faithfulness_score", fields)]


@given(st.floats(0, 1))
async def test_a_number_on_the_scale_is_the_score(number):
    score = await faithfulness_score(QUESTION, LAPTOP, CHUNKS, judge(number, ""))
    assert score.value == number
    assert score.reason


@pytest.mark.parametrize("number", [-1, -0.01, 1.01, 5, 85, "0.5", None, True])
async def test_a_number_off_the_scale_is_rejected(number):
    with pytest.raises(JudgeError):
        await faithfulness_score(QUESTION, LAPTOP, CHUNKS, judge(number))


@pytest.mark.parametrize(
    ("text", "chunks", "outcome"),
    [
        ("", CHUNKS, "the answer is empty"),
        ("I don't know.", CHUNKS, "the answer declines: it claims nothing"),
        (LAPTOP, (Chunk(id="a"),), "the contexts came without text"),
        (LAPTOP, (), 0.0),
        (LAPTOP, (Chunk(text=""),), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(text, chunks, outcome):
    nobody = FakeJudge({})
    got = await faithfulness_score(QUESTION, text, chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_judge_that_cannot_judge_it_skips():
    assert isinstance(await faithfulness_score(QUESTION, LAPTOP, CHUNKS, FakeJudge({})), Skip)
