"""Noise sensitivity: which wrong claims came from which passages, and whose calls it shares."""

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.contexts.context_precision_judged import context_precision_judged
from acidtest.metrics.contexts.context_recall import context_recall
from acidtest.metrics.generation.faithfulness import faithfulness
from acidtest.metrics.generation.noise_sensitivity import noise_sensitivity
from acidtest.metrics.registry import find
from acidtest.testing import FakeJudge

QUESTION = "What does the Pro plan cost?"
REFERENCE = "The Pro plan costs €49 a month."
ANSWER = "The Pro plan is €49/month, comes with a bag and a laptop, and is loved."
CHUNKS = (Chunk(text="Pro: €49, with a bag."), Chunk(text="Basic comes with a laptop."))
CLAIMS = [
    {"claim": "Pro is €49/month", "verdict": "supported", "passage": 1},
    {"claim": "Pro comes with a bag", "verdict": "supported", "passage": 1},
    {"claim": "Pro comes with a laptop", "verdict": "supported", "passage": 2},
    {"claim": "Pro is loved", "verdict": "unsupported"},
]


def judge(ruled=("right", "wrong", "wrong"), passages=("relevant", "irrelevant"), claims=CLAIMS):
    said = [{"passage_id": n, "verdict": v} for n, v in enumerate(passages, start=1)]
    nothing = [{"sentence": 1, "claims": []}]
    return FakeJudge(
        {
            "faithfulness": {"sentences": [{"sentence": 1, "claims": claims}]},
            "claims_against_reference": {
                "claims": [{"claim_id": n, "verdict": v} for n, v in enumerate(ruled, start=1)]
            },
            "reference_in_contexts": {"sentences": nothing, "passages": said},
        }
    )


async def noise(asked, mode="relevant", text=ANSWER, reference=REFERENCE, chunks=CHUNKS):
    return await noise_sensitivity(QUESTION, text, reference, chunks, asked, mode=mode)


@pytest.mark.parametrize(
    ("ruled", "passages", "relevant", "irrelevant"),
    [
        (("right", "wrong", "wrong"), ("relevant", "irrelevant"), 1 / 4, 1 / 4),
        (("right", "wrong", "wrong"), ("relevant", "relevant"), 2 / 4, 0),
        (("wrong", "wrong", "wrong"), ("irrelevant", "irrelevant"), 0, 3 / 4),
        (("right", "right", "right"), ("relevant", "irrelevant"), 0, 0),
        (("right", "undecided", "wrong"), ("relevant", "irrelevant"), 0, 1 / 3),
        (("right", "wrong", "wrong"), ("relevant", "undecided"), 1 / 3, 0),
    ],
)
async def test_wrong_claims_by_where_they_come_from(ruled, passages, relevant, irrelevant):
    score = await noise(judge(ruled, passages))
    assert score.value == relevant
    assert (await noise(judge(ruled, passages), "irrelevant")).value == irrelevant


async def test_evidence_and_counts():
    score = await noise(judge())
    assert score.parts == {"claims": 4, "wrong_from_relevant": 1, "wrong_from_irrelevant": 1}
    assert [(e["claim"], e["passage"], e["from"]) for e in score.evidence] == [
        ("Pro comes with a bag", 1, "relevant"),
        ("Pro comes with a laptop", 2, "irrelevant"),
    ]
    assert score.reason.endswith('relevant passages: "Pro comes with a bag"')


async def test_it_shares_its_questions():
    asked = judge()
    await noise(asked)
    mine = list(asked.calls)
    assert [name for name, _ in mine] == [
        "faithfulness",
        "claims_against_reference",
        "reference_in_contexts",
    ]
    asked.calls.clear()
    await faithfulness(QUESTION, ANSWER, CHUNKS, asked)
    await context_recall(QUESTION, REFERENCE, CHUNKS, asked)
    case = Case(id="x", question=QUESTION, reference=REFERENCE)
    await context_precision_judged(case, Answer(case_id="x", text=ANSWER), CHUNKS, asked)
    assert asked.calls == [mine[0], mine[2], mine[2]]
    assert "passages" not in mine[1][1]


async def test_it_asks_no_more_than_it_must():
    right = judge(("right", "right", "right"))
    assert (await noise(right)).value == 0.0
    assert len(right.calls) == 2
    made_up = judge(claims=[CLAIMS[3]])
    assert (await noise(made_up)).value == 0.0
    assert len(made_up.calls) == 1


async def test_what_is_left_open_is_left_out():
    open_claim = {"claim": "x", "verdict": "undecided"}
    unnamed = {"claim": "y", "verdict": "supported"}
    some = await noise(judge(("wrong",), claims=[open_claim, unnamed, CLAIMS[0]]))
    assert (some.value, some.parts["claims"]) == (1.0, 1)
    assert (await noise(judge(claims=[open_claim]))).why.startswith("undecided")
    assert await noise(judge(claims=[])) == Skip("the answer claims nothing")


@pytest.mark.parametrize("ruled", [("right",), ("right",) * 4, ("right", "wrong", "maybe")])
async def test_no_verdict_is_dropped_or_made_up(ruled):
    with pytest.raises(JudgeError):
        await noise(judge(ruled))


@pytest.mark.parametrize(
    ("text", "reference", "chunks", "outcome"),
    [
        ("", REFERENCE, CHUNKS, "the answer is empty"),
        ("I don't know.", REFERENCE, CHUNKS, "the answer declines: it claims nothing"),
        (ANSWER, " ", CHUNKS, "the reference is empty"),
        (ANSWER, "NOT_IN_CORPUS", CHUNKS, "the reference declines: it claims nothing"),
        (ANSWER, REFERENCE, (Chunk(id="a"),), "the contexts came without text"),
        (ANSWER, REFERENCE, (), 0.0),
        (ANSWER, REFERENCE, (Chunk(text=""),), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(text, reference, chunks, outcome):
    nobody = FakeJudge({})
    got = await noise(nobody, text=text, reference=reference, chunks=chunks)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_judge_that_cannot_judge_a_part_skips():
    whole = judge()
    for name in ("faithfulness", "claims_against_reference"):
        replies = {k: v for k, v in whole._replies.items() if k != name}
        assert isinstance(await noise(FakeJudge(replies)), Skip)


def test_lower_is_better_and_the_mode_is_in_its_name():
    bound = find("noise_sensitivity(mode=irrelevant)")
    assert bound.metric.direction == "lower"
    assert bound.name == "noise_sensitivity(mode=irrelevant)"
