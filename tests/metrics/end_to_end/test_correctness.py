"""Correctness: three anchors, declining, and what the local judge leaves open."""

import pytest

from acidtest.data.outcomes import Score, Skip
from acidtest.judges.local.judge import LocalJudge
from acidtest.metrics.end_to_end.correctness import correctness
from acidtest.testing import FakeJudge

REFERENCE = "€49 a month"


@pytest.mark.parametrize(
    ("verdict", "value"), [("correct", 1.0), ("partial", 0.5), ("incorrect", 0.0)]
)
async def test_anchors(verdict, value):
    judge = FakeJudge({"correctness": {"verdict": verdict, "why": "so"}})
    score = await correctness("Price?", "It is €49.", REFERENCE, judge)
    assert score.value == value
    assert score.reason == f"{verdict}: so"
    assert score.parts == {
        "claims": 1.0,
        "supported": value,
        "unsupported": 1 - value,
        "contradicted": 0.0,
        "undecided": 0.0,
    }


async def test_undecided_is_a_skip_that_is_counted():
    judge = FakeJudge({"correctness": {"verdict": "undecided"}})
    skip = await correctness("Price?", "It is €49.", REFERENCE, judge)
    assert skip.why == "undecided: the judge left it open"
    assert skip.parts["undecided"] == skip.parts["claims"] == 1
    assert skip.parts["supported"] == skip.parts["unsupported"] == 0


@pytest.mark.parametrize(
    ("text", "reference", "outcome"),
    [
        ("It is €49.", " ", "the reference is empty"),
        ("", REFERENCE, 0.0),
        ("I don't know.", REFERENCE, 0.0),
        ("I don't know.", "NOT_IN_CORPUS", 1.0),
        ("It is €49.", "NOT_IN_CORPUS", 0.0),
    ],
)
async def test_degenerate_input_asks_nobody(text, reference, outcome):
    nobody = FakeJudge({})
    got = await correctness("Price?", text, reference, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_the_local_judge():
    local = LocalJudge()
    assert (await correctness("Price?", "It costs €49 a month.", REFERENCE, local)).value == 1.0
    assert (await correctness("Who?", "Bob Jones.", "Anna Smith", local)).value == 0.0
    assert isinstance(await correctness("Who?", "Anna.", "Anna Smith", local), Skip)
    assert await correctness("?", "x", "y", FakeJudge({})) == Skip(
        "the script has no reply to 'correctness'"
    )
