"""Faithfulness by the worked examples, with recorded verdicts and as the local judge sees them."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.judges.local.judge import LocalJudge
from acidtest.metrics.generation.faithfulness import faithfulness
from acidtest.metrics.generation.faithfulness_binary import faithfulness_binary
from acidtest.testing import FakeJudge

CONTEXT = "The Pro plan costs €49/month and includes priority support."
CHUNKS = (Chunk(id="pricing#1", text=CONTEXT),)
QUESTION = "What does the Pro plan cost?"
PRICE = {"claim": "The Pro plan is €49/month", "verdict": "supported", "passage": 1}
LAPTOP = {"claim": "The Pro plan includes a free laptop", "verdict": "unsupported"}
SUPPORT = {"claim": "It has priority support", "verdict": "supported", "passage": 1}
CHEAP = {"claim": "It is free", "verdict": "contradicted", "passage": 1, "quote": "€49/month"}
OPEN = {"claim": "It is popular", "verdict": "undecided"}


def judge(*sentences):
    numbered = [{"sentence": n, "claims": c} for n, c in enumerate(sentences, start=1)]
    return FakeJudge({"faithfulness": {"sentences": numbered}})


@pytest.mark.parametrize(
    ("answer", "claims", "value", "binary"),
    [
        ("The Pro plan is €49/month.", [PRICE], 1.0, 1.0),
        ("The Pro plan is €49/month and includes a free laptop.", [PRICE, LAPTOP], 0.5, 0.0),
        ("€49/month with priority support and a laptop.", [PRICE, SUPPORT, LAPTOP], 2 / 3, 0.0),
        ("It is free.", [CHEAP], 0.0, 0.0),
        ("It is popular and costs €49.", [OPEN, PRICE], 1.0, None),
        ("It is popular and has a laptop.", [OPEN, LAPTOP], 0.0, 0.0),
        ("It is popular.", [OPEN], None, None),
        ("Thank you.", [], None, None),
    ],
)
async def test_recorded_verdicts(answer, claims, value, binary):
    score = await faithfulness(QUESTION, answer, CHUNKS, judge(claims))
    yes_or_no = await faithfulness_binary(QUESTION, answer, CHUNKS, judge(claims))
    assert getattr(score, "value", None) == value
    assert getattr(yes_or_no, "value", None) == binary
    if claims:
        assert score.parts["claims"] == len(claims)
        assert yes_or_no.parts["claims"] == 1


async def test_one_question_serves_both():
    asked = judge([PRICE])
    await faithfulness(QUESTION, "x", CHUNKS, asked)
    await faithfulness_binary(QUESTION, "x", CHUNKS, asked)
    first, second = asked.calls
    assert first == second
    assert first[1] == {"passages": [CONTEXT], "question": QUESTION, "sentences": ["x"]}


async def test_sentences_are_numbered_by_us():
    asked = judge([PRICE], [SUPPORT])
    score = await faithfulness(QUESTION, "It is €49/month. It has support.", CHUNKS, asked)
    assert asked.calls[0][1]["sentences"] == ["It is €49/month.", "It has support."]
    assert [e["sentence"] for e in score.evidence] == [1, 2]


async def test_a_sentence_that_never_came_back_is_an_error():
    with pytest.raises(JudgeError, match="sentence 2 missing"):
        await faithfulness(QUESTION, "It is €49/month. It has support.", CHUNKS, judge([PRICE]))


@pytest.mark.parametrize("metric", [faithfulness, faithfulness_binary])
@pytest.mark.parametrize(
    ("text", "chunks", "outcome"),
    [
        ("", CHUNKS, "the answer is empty"),
        (" \n", CHUNKS, "the answer is empty"),
        ("I don't know.", CHUNKS, "the answer declines: it claims nothing"),
        ("NOT_IN_CORPUS", (), "the answer declines: it claims nothing"),
        ("It is €49.", (Chunk(id="a"),), "the contexts came without text"),
        ("It is €49. It is new.", (), 0.0),
        ("It is €49.", (Chunk(text=""), Chunk(text=" ")), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(metric, text, chunks, outcome):
    nobody = FakeJudge({})
    got = await metric(QUESTION, text, chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_the_judges_skip_is_passed_on():
    asked = FakeJudge({"faithfulness": Skip("not today")})
    assert await faithfulness(QUESTION, "It is €49.", CHUNKS, asked) == Skip("not today")
    assert await faithfulness_binary(QUESTION, "It is €49.", CHUNKS, asked) == Skip("not today")


async def test_the_worked_examples_as_the_local_judge_sees_them():
    local = LocalJudge()
    right = await faithfulness(QUESTION, "The Pro plan is €49/month.", CHUNKS, local)
    assert right.value == 1.0
    assert right.evidence[0]["quote"] == CONTEXT
    # Half a sentence is right: wording does not tell, and the judge says so.
    half = "The Pro plan is €49/month and includes a free laptop."
    assert isinstance(await faithfulness(QUESTION, half, CHUNKS, local), Skip)
    apart = "The Pro plan is €49/month. It comes with a laptop, a bag and a mouse."
    assert (await faithfulness(QUESTION, apart, CHUNKS, local)).value == 0.5
    assert (await faithfulness_binary(QUESTION, apart, CHUNKS, local)).value == 0.0
