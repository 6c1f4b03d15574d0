"""Factual correctness: both directions of one reply, hand-worked, and their harmonic mean."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.end_to_end.factual_correctness import factual_correctness
from acidtest.testing import FakeJudge

REFERENCE = "The Pro plan costs €49 a month. It includes support."
ANSWER = "Pro is €49. It has a laptop. It is red."
S, X, C, U = "supported", "unsupported", "contradicted", "undecided"


def facts(verdicts, of):
    return [{"claim": f"{of} {n}", "verdict": v} for n, v in enumerate(verdicts, start=1)]


def judge(answer, reference, sentences=3, points=2):
    """All claims stand in the first sentence."""
    said = {
        "points": [
            {"sentence": n, "claims": facts(reference, "reference") if n == 1 else []}
            for n in range(1, points + 1)
        ],
        "sentences": [
            {"sentence": n, "claims": facts(answer, "answer") if n == 1 else []}
            for n in range(1, sentences + 1)
        ],
    }
    return FakeJudge({"factual_correctness": said})


async def three(answer, reference):
    return [
        getattr(
            await factual_correctness("?", ANSWER, REFERENCE, judge(answer, reference), mode=mode),
            "value",
            None,
        )
        for mode in ("precision", "recall", "f1")
    ]


@pytest.mark.parametrize(
    ("answer", "reference", "values"),
    [
        ([S], [S], [1, 1, 1]),
        ([S, X, C], [S, X], [1 / 3, 1 / 2, 2 / 5]),  # 2 * 1/3 * 1/2 / (1/3 + 1/2)
        ([S, S, X, X], [S, S, S, X], [1 / 2, 3 / 4, 3 / 5]),
        ([X], [X], [0, 0, 0]),
        ([S, U], [S, X], [1, 1 / 2, 2 / 3]),
        ([U], [S], [None, 1, None]),
        ([S], [U], [1, None, None]),
        ([], [X], [None, 0, 0]),
        ([S], [], [None, None, None]),
    ],
)
async def test_hand_worked(answer, reference, values):
    assert await three(answer, reference) == pytest.approx(values)


verdicts = st.lists(st.sampled_from([S, X, C]), min_size=1, max_size=6)


@given(verdicts, verdicts)
async def test_f1_is_the_harmonic_mean(answer, reference):
    precision, recall, f1 = await three(answer, reference)
    assert 0.0 <= f1 <= 1.0
    if precision and recall:
        assert math.isclose(f1, 2 / (1 / precision + 1 / recall))
        assert min(precision, recall) <= f1 + 1e-12
        assert f1 <= max(precision, recall) + 1e-12
    else:
        assert f1 == 0.0


async def test_all_modes_ask_one_question():
    asked = judge([S, X], [S])
    for mode in ("f1", "precision", "recall"):
        await factual_correctness("Price?", ANSWER, REFERENCE, asked, mode=mode)
    first, *others = asked.calls
    assert others == [first, first]
    assert first[1] == {
        "question": "Price?",
        "points": ["The Pro plan costs €49 a month.", "It includes support."],
        "sentences": ["Pro is €49.", "It has a laptop.", "It is red."],
    }


async def test_evidence_and_counts():
    score = await factual_correctness("?", ANSWER, REFERENCE, judge([S, C], [S, X]))
    assert score.reason == (
        "1 of 2 claims of the answer and 1 of 2 of the reference are shared; "
        'contradicted: "answer 2"'
    )
    assert [(e["of"], e["verdict"]) for e in score.evidence] == [
        ("answer", S),
        ("answer", C),
        ("reference", S),
        ("reference", X),
    ]
    assert score.parts["claims"] == 4
    missing = await factual_correctness("?", ANSWER, REFERENCE, judge([S], [S, X]), mode="recall")
    assert missing.reason.endswith('missing: "reference 2"')
    assert missing.parts["claims"] == 2


@pytest.mark.parametrize(
    ("sentences", "points", "complaint"),
    [
        (2, 2, "sentence 3 missing"),
        (4, 2, "sentence 4 unknown"),
        (3, 1, "point 2 missing"),
        (3, 0, "point 1, 2 missing"),
    ],
)
async def test_every_sentence_of_both_must_come_back(sentences, points, complaint):
    with pytest.raises(JudgeError, match=complaint):
        await factual_correctness("?", ANSWER, REFERENCE, judge([S], [S], sentences, points))


@pytest.mark.parametrize("verdict", ["partially", "", 1])
async def test_any_other_verdict_is_an_error(verdict):
    with pytest.raises(JudgeError):
        await factual_correctness("?", ANSWER, REFERENCE, judge([verdict], [S]))


@pytest.mark.parametrize("mode", ["f1", "recall", "precision"])
@pytest.mark.parametrize(
    ("text", "reference", "outcome"),
    [
        (ANSWER, " \n", "the reference is empty"),
        (ANSWER, "NOT_IN_CORPUS", "the reference declines: it claims nothing"),
        ("", REFERENCE, 0.0),
        ("I don't know.", REFERENCE, 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(mode, text, reference, outcome):
    nobody = FakeJudge({})
    got = await factual_correctness("?", text, reference, nobody, mode=mode)
    assert nobody.calls == []
    if outcome == 0.0 and mode == "precision":
        assert isinstance(got, Skip)  # no claim, so no share of claims
    else:
        assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_judge_that_cannot_judge_it_skips():
    assert isinstance(await factual_correctness("?", ANSWER, REFERENCE, FakeJudge({})), Skip)
