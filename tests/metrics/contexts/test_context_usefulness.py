"""Context usefulness with recorded verdicts, and as the local judge sees it."""

import pytest

from acidtest.data import Chunk, Score, Skip
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
    outcome = await context_usefulness("Price?", ANSWER, CHUNKS, judge(*verdicts))
    assert getattr(outcome, "value", None) == value
    assert outcome.parts["claims"] == 3
    assert outcome.parts["supported"] == verdicts.count("useful")
    assert outcome.parts["unsupported"] == verdicts.count("useless")


async def test_the_list_is_kept():
    score = await context_usefulness(
        "Price?", ANSWER, CHUNKS, judge("useful", "useless", "useless")
    )
    assert score.reason == "1 of 3 contexts helped; not: 2, 3"
    assert [(e["passage"], e["verdict"]) for e in score.evidence][1] == (2, "useless")


async def test_every_passage_must_come_back():
    with pytest.raises(JudgeError, match="passage 3 missing"):
        await context_usefulness("Price?", ANSWER, CHUNKS, judge("useful", "useless"))


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
    assert [e["verdict"] for e in score.evidence] == ["useful", "useless", "undecided"]
    assert score.value == 0.5
    skipped = FakeJudge({"context_usefulness": Skip("no")})
    assert await context_usefulness("?", ANSWER, CHUNKS, skipped) == Skip("no")
