"""Judged context precision: hand-worked rankings, what is judged against what, and what asks nobody."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.contexts.context_precision_judged import (
    context_precision_judged,
    rank_weighted,
)
from acidtest.metrics.contexts.context_recall import context_recall
from acidtest.metrics.retrieval.context_precision import context_precision
from acidtest.testing import FakeJudge

CASE = Case(id="pro", question="Price?", reference="The Pro plan costs €49.")
ANSWER = Answer(case_id="pro", text="It is €49.")
CHUNKS = tuple(Chunk(text=text) for text in ("Plans.", "Pro costs €49.", "Bikes.", "€49 for Pro."))


def ruled(verdicts):
    return [{"passage_id": n, "verdict": v} for n, v in enumerate(verdicts, start=1)]


def own(*verdicts):
    return FakeJudge({"context_precision_judged": {"passages": ruled(verdicts)}})


def shared(*verdicts, sentences=1):
    said = [{"sentence": n, "claims": []} for n in range(1, sentences + 1)]
    return FakeJudge({"reference_in_contexts": {"sentences": said, "passages": ruled(verdicts)}})


R, N, U = "relevant", "irrelevant", "undecided"


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        ((R, R, R, R), 1.0),
        ((N, N, N, N), 0.0),
        ((R, N, N, N), 1.0),
        ((N, R, N, N), 1 / 2),
        ((N, R, N, R), (1 / 2 + 2 / 4) / 2),
        ((R, N, R, N), (1 + 2 / 3) / 2),
        ((U, R, N, U), 1.0),  # what is left open is taken out of the ranking
        ((U, U, U, U), None),
    ],
)
async def test_hand_worked_rankings(verdicts, value):
    outcome = await context_precision_judged(CASE, ANSWER, CHUNKS, shared(*verdicts))
    assert outcome == await context_precision_judged(
        CASE, ANSWER, CHUNKS, own(*verdicts), calls="own"
    )
    assert getattr(outcome, "value", None) == value
    assert outcome.parts["claims"] == 4
    assert outcome.parts["supported"] == verdicts.count(R)
    assert outcome.parts["undecided"] == verdicts.count(U)


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_it_is_context_precision_with_a_judge_for_labels(hits):
    value = rank_weighted(hits)
    assert 0.0 <= value <= 1.0
    if all(hits):
        assert value == 1.0
    ids = [str(n) for n in range(len(hits))]
    relevant = [i for i, hit in zip(ids, hits, strict=True) if hit]
    if relevant:
        assert math.isclose(value, context_precision(ids, relevant))


async def test_against_the_reference_first():
    judge = shared(N, R, N, N)
    await context_precision_judged(CASE, ANSWER, CHUNKS, judge)
    ((_, fields),) = judge.calls
    assert fields["sentences"] == ["The Pro plan costs €49."]


async def test_against_the_answer_where_there_is_no_reference():
    judge = shared(N, R, N, N)
    case = Case(id="pro", question="Price?")
    score = await context_precision_judged(case, ANSWER, CHUNKS, judge)
    assert score.value == 0.5
    ((_, fields),) = judge.calls
    assert fields["sentences"] == ["It is €49."]


async def test_context_recall_asks_the_same_question():
    judge = shared(N, R, N, N)
    await context_precision_judged(CASE, ANSWER, CHUNKS, judge)
    await context_recall(CASE.question, CASE.reference, CHUNKS, judge)
    first, second = judge.calls
    assert first == second


async def test_a_passage_that_comes_again_counts_once():
    twice = (CHUNKS[0], CHUNKS[1], CHUNKS[1])
    score = await context_precision_judged(CASE, ANSWER, twice, shared(N, R, R))
    assert score.value == 1 / 2
    assert len(score.evidence) == 3


@pytest.mark.parametrize(
    ("verdicts", "complaint"),
    [
        ((R,), "passage 2, 3, 4 missing"),
        ((R, R, R, R, R), "passage 5 unknown"),
        ((R, R, R, "maybe"), "maybe"),
        ((R, R, R, ""), "verdict"),
        ((R, R, R, 1), "verdict"),
    ],
)
async def test_no_verdict_is_dropped_or_made_up(verdicts, complaint):
    for judge, calls in ((shared(*verdicts), "shared"), (own(*verdicts), "own")):
        with pytest.raises(JudgeError, match=complaint):
            await context_precision_judged(CASE, ANSWER, CHUNKS, judge, calls=calls)


@pytest.mark.parametrize(
    ("reference", "text", "chunks", "outcome"),
    [
        (" \n", "It is €49.", CHUNKS, "the reference is empty"),
        ("NOT_IN_CORPUS", "x", CHUNKS, "the reference declines: no context is relevant to it"),
        (None, None, CHUNKS, "the case has no reference, and the pipeline gave no answer"),
        (None, "", CHUNKS, "the answer is empty"),
        (None, "I don't know.", CHUNKS, "the answer declines: no context is relevant to it"),
        ("€49", "x", (Chunk(id="a"),), "the contexts came without text"),
        ("€49", "x", (), 0.0),
        ("€49", "x", (Chunk(text=""),), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(reference, text, chunks, outcome):
    nobody = FakeJudge({})
    case = Case(id="pro", question="Price?", reference=reference)
    answer = Answer(case_id="pro", text=text)
    got = await context_precision_judged(case, answer, chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_judge_that_cannot_judge_it_skips():
    nobody = FakeJudge({"context_precision_judged": Skip("no")})
    assert await context_precision_judged(CASE, ANSWER, CHUNKS, nobody) == Skip("no")
