"""Context usefulness with recorded verdicts, and as the local judge sees it."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.judges.local.judge import LocalJudge
from acidtest.metrics.contexts.context_usefulness import context_usefulness
from acidtest.testing import FakeJudge

ANSWER = "The Pro plan costs €49/month."
CHUNKS = tuple(
    Chunk(text=text)
    for text in (
        "The Pro plan costs €49/month and has support.",
        "Visitors park bicycles behind the northern warehouse.",
        "The Pro plan was announced in spring.",
    )
)


def judge(*verdicts):
    ruled = [{"passage": n, "verdict": v} for n, v in enumerate(verdicts, start=1)]
    return FakeJudge({"context_usefulness": {"passages": ruled}})


def apart(*verdicts):
    """A judge that is asked of one passage at a time."""
    by_text = {c.text: v for c, v in zip(CHUNKS, verdicts, strict=True)}

    def rule(fields):
        (passage,) = fields["passages"]
        return {"passages": [{"passage": 1, "verdict": by_text[passage]}]}

    return FakeJudge({"context_usefulness": rule})


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        (("useful", "useless", "useless"), 1 / 3),
        (("useful", "undecided", "useless"), 0.5),
        (("useful", "useful", "useful"), 1.0),
        (("undecided", "undecided", "undecided"), None),
    ],
)
async def test_share_of_yes_over_decided(verdicts, value):
    outcome = await context_usefulness("Price?", ANSWER, CHUNKS, judge(*verdicts), calls="one")
    assert await context_usefulness("Price?", ANSWER, CHUNKS, apart(*verdicts)) == outcome
    assert getattr(outcome, "value", None) == value
    assert outcome.parts["claims"] == 3
    assert outcome.parts["supported"] == verdicts.count("useful")
    assert outcome.parts["unsupported"] == verdicts.count("useless")


async def test_the_list_is_kept():
    score = await context_usefulness(
        "Price?", ANSWER, CHUNKS, apart("useful", "useless", "useless")
    )
    assert score.reason == "1 of 3 contexts helped; not: 2, 3"
    assert [(e["passage"], e["verdict"]) for e in score.evidence][1] == (2, "useless")


async def test_each_context_is_asked_apart_by_the_same_prompt():
    asked = apart("useful", "useless", "useless")
    await context_usefulness("Price?", ANSWER, CHUNKS, asked)
    assert asked.calls == [
        ("context_usefulness", {"passages": [c.text], "question": "Price?", "answer": ANSWER})
        for c in CHUNKS
    ]


async def test_repeats_and_blanks_ask_no_more():
    asked = apart("useful", "useless", "useless")
    chunks = (CHUNKS[0], Chunk(text=" "), CHUNKS[0])
    score = await context_usefulness("Price?", ANSWER, chunks, asked)
    assert len(asked.calls) == 1
    assert [e["verdict"] for e in score.evidence] == ["useful", "useless", "useful"]
    assert [e["passage"] for e in score.evidence] == [1, 2, 3]
    assert score.value == 2 / 3


async def test_one_failed_call_fails_the_case_and_leaves_none_unasked():
    asked = FakeJudge({"context_usefulness": [JudgeError("gone"), {"passages": []}]})
    with pytest.raises(JudgeError, match="gone"):
        await context_usefulness("Price?", ANSWER, CHUNKS, asked)
    assert len(asked.calls) == 3


@pytest.mark.parametrize(
    ("verdicts", "complaint"),
    [
        (("useful",), "passage 2, 3 missing"),
        (("useful", "useless"), "passage 3 missing"),
        (("useful",) * 5, "passage 4, 5 unknown"),
        (("useful", "useless", "partially"), "partially"),
        (("useful", "useless", ""), "verdict"),
    ],
)
async def test_every_passage_must_come_back(verdicts, complaint):
    with pytest.raises(JudgeError, match=complaint):
        await context_usefulness("Price?", ANSWER, CHUNKS, judge(*verdicts), calls="one")


@pytest.mark.parametrize(
    ("text", "chunks", "outcome"),
    [
        ("", CHUNKS, "the answer is empty"),
        ("I don't know.", CHUNKS, "the answer declines: it uses no context"),
        (ANSWER, (Chunk(id="a"),), "the contexts came without text"),
        (ANSWER, (), 0.0),
        (ANSWER, (Chunk(text=""),), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(text, chunks, outcome):
    nobody = FakeJudge({})
    got = await context_usefulness("Price?", text, chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_the_local_judge():
    score = await context_usefulness("What does the Pro plan cost?", ANSWER, CHUNKS, LocalJudge())
    assert score == await context_usefulness(
        "What does the Pro plan cost?", ANSWER, CHUNKS, LocalJudge(), calls="one"
    )
    assert [e["verdict"] for e in score.evidence] == ["useful", "useless", "undecided"]
    assert score.value == 0.5
    skipped = FakeJudge({"context_usefulness": Skip("no")})
    assert await context_usefulness("?", ANSWER, CHUNKS, skipped) == Skip("no")
