"""Context recall with recorded verdicts, and as the local judge sees it."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.judges.local.judge import LocalJudge
from acidtest.metrics.contexts.context_recall import context_recall
from acidtest.testing import FakeJudge

REFERENCE = "The Pro plan costs €49/month. Students pay half of that at any time."
CHUNKS = (Chunk(text="Plans."), Chunk(text="The Pro plan costs €49/month and has support."))


async def test_share_of_the_references_claims():
    said = {
        "sentences": [
            {"sentence": 1, "claims": [{"claim": "€49", "verdict": "supported", "passage": 2}]},
            {"sentence": 2, "claims": [{"claim": "half", "verdict": "unsupported"}]},
        ]
    }
    ruled = [{"passage_id": n, "verdict": "irrelevant"} for n in (1, 2)]
    shared = FakeJudge({"reference_in_contexts": said | {"passages": ruled}})
    own = FakeJudge({"context_recall": said})
    score = await context_recall("Price?", REFERENCE, CHUNKS, shared)
    assert score.value == 0.5
    assert score.parts["claims"] == 2
    assert await context_recall("Price?", REFERENCE, CHUNKS, own, calls="own") == score
    ((name, fields),) = shared.calls
    assert name == "reference_in_contexts"
    assert own.calls == [("context_recall", fields)]
    assert fields["passages"] == [c.text for c in CHUNKS]
    assert len(fields["sentences"]) == 2


async def test_a_judge_that_cannot_answer_the_shared_question_is_asked_its_own():
    said = {"sentences": [{"sentence": n, "claims": []} for n in (1, 2)]}
    judge = FakeJudge({"context_recall": said})
    got = await context_recall("Price?", REFERENCE, CHUNKS, judge)
    assert got == Skip("the reference claims nothing")
    assert [name for name, _ in judge.calls] == ["reference_in_contexts", "context_recall"]


async def test_a_reply_without_a_passage_is_no_reply():
    said = {"sentences": [{"sentence": n, "claims": []} for n in (1, 2)]}
    for ruled in ([], [{"passage_id": 1, "verdict": "relevant"}]):
        judge = FakeJudge({"reference_in_contexts": said | {"passages": ruled}})
        with pytest.raises(JudgeError, match="2 missing"):
            await context_recall("Price?", REFERENCE, CHUNKS, judge)
    lacking = FakeJudge({"reference_in_contexts": said})
    with pytest.raises(JudgeError, match="passages"):
        await context_recall("Price?", REFERENCE, CHUNKS, lacking)


@pytest.mark.parametrize(
    ("reference", "chunks", "outcome"),
    [
        (" ", CHUNKS, "the reference is empty"),
        ("NOT_IN_CORPUS", CHUNKS, "the reference declines: it claims nothing"),
        (REFERENCE, (Chunk(id="a"),), "the contexts came without text"),
        (REFERENCE, (), 0.0),
        (REFERENCE, (Chunk(text="\n"),), 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(reference, chunks, outcome):
    nobody = FakeJudge({})
    got = await context_recall("Price?", reference, chunks, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_a_case_that_must_abstain_is_not_for_it():
    assert context_recall.unanswerable is False
    assert context_recall.stage == "retrieval"


async def test_the_local_judge():
    score = await context_recall("Price?", REFERENCE, CHUNKS, LocalJudge())
    assert score.value == 0.5
    assert [e["passage"] for e in score.evidence] == [2, None]
    assert isinstance(await context_recall("?", "Hello!", CHUNKS, LocalJudge()), Skip)
