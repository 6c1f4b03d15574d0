"""What judged metrics share: every number once, quotes that stand there, decided claims."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.asking import ask, each_once, passages, plain, shown, without_text
from acidtest.metrics.claims import (
    Claim,
    Claims,
    Sentence,
    all_unsupported,
    check_claims,
    parts,
    score_claims,
)
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.testing import FakeJudge

FIELDS = {"passages": ["The Pro  plan costs “€49”.", "Returns are free."], "sentences": ["a", "b"]}


def claim(verdict="supported", passage=None, quote=""):
    return Claim(claim="x", verdict=verdict, passage=passage, quote=quote)


def reply(*claims, numbers=(1, 2)):
    first, *rest = numbers
    return Claims(
        (Sentence(sentence=first, claims=claims), *(Sentence(sentence=n, claims=()) for n in rest))
    )


@pytest.mark.parametrize(
    ("numbers", "complaint"),
    [
        ((1, 2), None),
        ((2, 1), None),
        ((1,), "sentence 2 missing (asked: 1 to 2)"),
        ((1, 2, 2), "sentence 2 doubled (asked: 1 to 2)"),
        ((1, 2, 3), "sentence 3 unknown (asked: 1 to 2)"),
        ((0, 1, 2), "sentence 0 unknown (asked: 1 to 2)"),
    ],
)
def test_every_number_once(numbers, complaint):
    assert each_once(numbers, 2, what="sentence") == complaint
    assert check_claims(reply(numbers=numbers), FIELDS) == complaint


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (claim(), None),
        (claim(passage=1), None),
        (claim(passage=1, quote='the pro plan COSTS "€49"'), None),
        (claim(passage=2, quote=" \n"), None),
        (claim(passage=3), "there is no passage 3 (there are 2)"),
        (claim(passage=0), "there is no passage 0 (there are 2)"),
        (claim(quote="free"), 'the quote "free" names no passage'),
        (claim(passage=1, quote="free"), 'the quote "free" is not in passage 1'),
    ],
)
def test_quotes_must_stand_there(given, complaint):
    assert check_claims(reply(given), FIELDS) == complaint


async def test_an_invalid_reply_is_an_error_with_the_raw_reply():
    said = {"sentences": [{"sentence": 1, "claims": []}]}
    with pytest.raises(JudgeError) as raised:
        await ask(FakeJudge({"faithfulness": said}), FAITHFULNESS, {**FIELDS, "question": "q"})
    assert "sentence 2 missing" in str(raised.value)
    assert raised.value.detail == '{"sentences":[{"sentence":1,"claims":[]}]}'


async def test_an_unknown_verdict_is_an_error():
    said = {"sentences": [{"sentence": 1, "claims": [{"claim": "x", "verdict": "probably"}]}]}
    with pytest.raises(JudgeError, match="probably"):
        await ask(FakeJudge({"faithfulness": said}), FAITHFULNESS, {**FIELDS, "question": "q"})


def test_supported_over_decided():
    verdicts = ["supported", "undecided", "unsupported", "contradicted", "supported"]
    score = score_claims(reply(*map(claim, verdicts)), of="answer")
    assert isinstance(score, Score)
    assert score.value == 0.5
    assert score.parts == {
        "claims": 5,
        "supported": 2,
        "unsupported": 1,
        "contradicted": 1,
        "undecided": 1,
    }
    assert score.reason == '2 of 4 claims supported, 1 left undecided; contradicted: "x"'
    assert [e["verdict"] for e in score.evidence] == verdicts
    assert set(score.evidence[0]) == {"claim", "sentence", "verdict", "passage", "quote", "why"}


def test_nothing_decided_is_a_skip_that_keeps_its_counts():
    skip = score_claims(reply(claim("undecided"), claim("undecided")), of="answer")
    assert isinstance(skip, Skip)
    assert skip.why == "undecided: the judge left every claim open (2)"
    assert skip.parts == parts(["undecided", "undecided"])


def test_no_claim_is_a_skip():
    assert score_claims(reply(), of="reference") == Skip("the reference claims nothing")


def test_all_unsupported():
    score = all_unsupported(["One.", "Two."], why="nothing was retrieved")
    assert (score.value, score.parts["unsupported"], score.parts["claims"]) == (0.0, 2, 2)
    assert [e["sentence"] for e in score.evidence] == [1, 2]


def test_small_helpers():
    assert passages((Chunk(text="a"), Chunk(id="x"))) == ["a", ""]
    assert without_text((Chunk(id="x"),))
    assert not without_text((Chunk(id="x"), Chunk(text="")))
    assert not without_text(())
    assert plain(" A\u00a0b\n‘c’ ") == "a b 'c'"
    assert shown("a\n" * 200).endswith('…"')
    assert len(shown("a\n" * 200)) == 122
