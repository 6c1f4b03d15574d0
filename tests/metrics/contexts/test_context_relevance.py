"""Context relevance: grades 3 to 0 over the top grade."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.contexts.context_relevance import GRADES, context_relevance
from acidtest.testing import FakeJudge

CHUNKS = tuple(Chunk(text=text) for text in ("a", "b", "c"))


def judge(*verdicts):
    said = [{"passage_id": n, "verdict": v, "why": "so"} for n, v in enumerate(verdicts, start=1)]
    return FakeJudge({"context_relevance": {"passages": said}})


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        (("direct", "direct", "direct"), 1.0),
        (("unrelated", "unrelated", "unrelated"), 0.0),
        (("direct", "partial", "unrelated"), 5 / 9),
        (("related", "related", "related"), 1 / 3),
        (("direct", "undecided", "related"), 4 / 6),
        (("undecided",) * 3, None),
    ],
)
async def test_mean_grade_over_the_top_grade(verdicts, value):
    outcome = await context_relevance("q", CHUNKS, judge(*verdicts))
    assert getattr(outcome, "value", None) == value
    assert outcome.parts["claims"] == 3
    assert outcome.parts["undecided"] == verdicts.count("undecided")


@given(st.lists(st.sampled_from(sorted(GRADES)), min_size=1, max_size=12))
async def test_bounds_and_what_is_pooled(verdicts):
    chunks = tuple(Chunk(text=str(n)) for n in range(len(verdicts)))
    score = await context_relevance("q", chunks, judge(*verdicts))
    assert 0.0 <= score.value <= 1.0
    assert score.parts["supported"] / score.parts["claims"] == pytest.approx(score.value)


async def test_grades_are_evidence():
    score = await context_relevance("q", CHUNKS, judge("direct", "related", "unrelated"))
    assert [e["grade"] for e in score.evidence] == [3, 1, 0]
    assert score.reason == "mean grade 1.3 of 3; direct: 1"


@pytest.mark.parametrize(
    "verdicts",
    [("direct",), ("direct",) * 5, ("direct", "direct", "partially"), ("direct", "direct", 3)],
)
async def test_no_verdict_is_dropped_or_made_up(verdicts):
    with pytest.raises(JudgeError):
        await context_relevance("q", CHUNKS, judge(*verdicts))


@pytest.mark.parametrize(
    ("chunks", "outcome"),
    [
        ((), 0.0),
        ((Chunk(text=""),), 0.0),
        ((Chunk(id="a"),), "the contexts came without text"),
    ],
)
async def test_degenerate_input_asks_nobody(chunks, outcome):
    nobody = FakeJudge({})
    got = await context_relevance("q", chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_judge_that_cannot_judge_it_skips():
    assert isinstance(await context_relevance("q", CHUNKS, FakeJudge({})), Skip)
