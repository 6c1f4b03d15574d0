"""Panels: votes, means, dissent that is shown, and judges that fall out."""

import asyncio
import json
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Skip
from acidtest.errors import BadConfig, BudgetSpent, JudgeError
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.merge import merge
from acidtest.judges.panel import Panel
from acidtest.judges.vote import Vote, vote
from acidtest.metrics.claims import Claims
from acidtest.metrics.contexts.context_relevance import CONTEXT_RELEVANCE
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS, Correctness
from acidtest.metrics.generation.faithfulness import FAITHFULNESS, faithfulness
from acidtest.ports import Prompt, Spent, Verdict
from acidtest.testing import FakeJudge

GRADED = {"question": "q", "reference": "r", "answer": "a"}


def ruling(verdict, why="w"):
    return {"why": why, "verdict": verdict}


def panel(*replies, prompt=CORRECTNESS):
    return Panel(
        [FakeJudge({prompt.name: reply}, model=f"m{n}") for n, reply in enumerate(replies, start=1)]
    )


class Rating(Struct, frozen=True):
    why: str
    score: float
    level: int = 1


RATING = Prompt(name="rating", version="1", template="{{answer}}", reply=Rating)


@pytest.mark.parametrize(
    ("said", "abstain", "winner", "votes", "won", "dissent"),
    [
        (["yes", "yes", "yes"], "open", "yes", 3, 3, ""),
        (["yes", "no", "yes"], "open", "yes", 3, 2, "2 of 3 judges; 1 no"),
        (["no", "yes", "yes"], None, "yes", 3, 2, "2 of 3 judges; 1 no"),
        (["yes", "no"], "open", "open", 2, 1, "0 of 2 judges; 1 yes, 1 no"),
        (["yes", "no"], None, "yes", 2, 1, "1 of 2 judges; 1 no"),
        (["open", "no"], "open", "no", 1, 1, "1 of 2 judges; 1 open"),
        (["open", "open"], "open", "open", 0, 0, ""),
        (["a", "b", "c", "b"], None, "b", 4, 2, "2 of 4 judges; 1 a, 1 c"),
    ],
)
def test_a_vote(said, abstain, winner, votes, won, dissent):
    result = vote(said, abstain=abstain)
    assert result == Vote(winner=winner, votes=votes, won=won, dissent=dissent)


async def test_the_majority_wins_and_its_first_judge_says_why():
    judge = panel(ruling("incorrect", "no"), ruling("correct", "yes"), ruling("correct", "sure"))
    verdict = await judge.ask(CORRECTNESS, **GRADED)
    assert verdict.reply == Correctness(why="yes (2 of 3 judges; 1 incorrect)", verdict="correct")
    assert verdict.agreement == pytest.approx(2 / 3)
    assert [each["model"] for each in json.loads(verdict.raw)] == ["m1", "m2", "m3"]
    assert verdict.model == "m1 + m2 + m3"
    assert verdict.attempts == 3


async def test_agreement_leaves_the_reason_alone():
    verdict = await panel(ruling("correct"), ruling("correct")).ask(CORRECTNESS, **GRADED)
    assert verdict.reply == Correctness(why="w", verdict="correct")
    assert verdict.agreement == 1.0


async def test_a_tie_is_left_open():
    verdict = await panel(ruling("correct"), ruling("incorrect")).ask(CORRECTNESS, **GRADED)
    assert verdict.reply.verdict == "undecided"
    assert verdict.agreement == 0.5


async def test_numbers_are_averaged_and_the_spread_is_shown():
    said = [{"why": "w", "score": s, "level": n} for s, n in ((0.2, 1), (0.4, 2), (0.9, 5))]
    verdict = await panel(*said, prompt=RATING).ask(RATING, answer="a")
    assert verdict.reply == Rating(
        why="w (mean of 0.2, 0.4, 0.9)", score=pytest.approx(0.5), level=2
    )
    assert verdict.agreement is None


async def test_numbered_lists_are_merged_by_number_whatever_their_order():
    def said(*verdicts, step=1):
        items = [{"passage": n, "verdict": v, "why": f"p{n}"} for n, v in enumerate(verdicts, 1)]
        return {"passages": items[::step]}

    judge = panel(
        said("useful", "useless"),
        said("useful", "useful", step=-1),
        said("useless", "useless"),
        prompt=CONTEXT_USEFULNESS,
    )
    verdict = await judge.ask(CONTEXT_USEFULNESS, passages=["a", "b"], question="q", answer="a")
    assert [(p.passage, p.verdict) for p in verdict.reply.passages] == [
        (1, "useful"),
        (2, "useless"),
    ]
    assert verdict.reply.passages[1].why == "p2 (2 of 3 judges; 1 useful)"
    assert verdict.agreement == pytest.approx(4 / 6)


def claims(*per_sentence):
    return {
        "sentences": [
            {
                "sentence": n,
                "claims": [
                    {"claim": f"{n}.{i}", "verdict": v, "why": "w"} for i, v in enumerate(words)
                ],
            }
            for n, words in enumerate(per_sentence, start=1)
        ]
    }


S, U, C = "supported", "unsupported", "contradicted"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([[S, U], [S, U], [S, S]], [S, U]),
        ([[S], [U], [U]], [U]),
        ([[S, S], [S], [U]], [S, S]),
        ([[S], [U, U], [U]], [U, U]),
        ([[S], [S, S], [S, S]], [S, S]),
        ([[], [S], [S]], [S]),
        ([[], [], [S]], []),
        ([[S], [U]], ["undecided"]),
    ],
)
async def test_claims_that_judges_split_differently(said, expected):
    fields = {"passages": ["p"], "question": "q", "sentences": ["s"]}
    judge = panel(*map(claims, said), prompt=FAITHFULNESS)
    verdict = await judge.ask(FAITHFULNESS, **fields)
    assert [claim.verdict for claim in verdict.reply.sentences[0].claims] == expected


async def test_dissent_reaches_the_evidence_of_a_metric():
    judge = panel(claims([S]), claims([U]), claims([S]), prompt=FAITHFULNESS)
    outcome = await faithfulness("q", "The plan costs 49 euros.", (Chunk(id="1", text="p"),), judge)
    assert outcome.value == 1.0
    assert outcome.evidence[0]["why"] == "w (2 of 3 judges; 1 unsupported)"


async def test_judges_that_fail_or_cannot_judge_have_no_vote():
    error = JudgeError("gone")
    error.spent = Spent(attempts=2, input_tokens=50)
    judge = panel(error, ruling("correct"), ruling("correct"))
    verdict = await judge.ask(CORRECTNESS, **GRADED)
    assert verdict.reply.verdict == "correct"
    assert (verdict.attempts, verdict.input_tokens) == (4, 50)
    judge = panel(Skip("cannot"), ruling("correct"), ruling("correct"))
    assert (await judge.ask(CORRECTNESS, **GRADED)).agreement == 1.0


async def test_half_of_the_judges_are_not_enough():
    error = JudgeError("gone", detail="the raw reply")
    error.spent = Spent(attempts=3, input_tokens=50)
    with pytest.raises(JudgeError, match="1 of 2 judges gave a verdict") as raised:
        await panel(error, ruling("correct")).ask(CORRECTNESS, **GRADED)
    assert "gone" in raised.value.what
    assert "the raw reply" in raised.value.detail
    assert raised.value.spent.attempts == 4


async def test_what_none_can_judge_is_skipped():
    judge = Panel([FakeJudge({}), LocalJudge()])
    outcome = await judge.ask(RATING, answer="a")
    assert isinstance(outcome, Skip)


async def test_an_invalid_reply_has_no_vote():
    fields = {"passages": ["p"], "question": "q", "sentences": ["s", "t"]}
    whole, half = claims([S], [S]), claims([U])
    verdict = await panel(half, whole, whole, prompt=FAITHFULNESS).ask(FAITHFULNESS, **fields)
    assert len(verdict.reply.sentences) == 2
    with pytest.raises(JudgeError, match="sentence 2 missing"):
        await panel(half, half, whole, prompt=FAITHFULNESS).ask(FAITHFULNESS, **fields)


@pytest.mark.parametrize("error", [BudgetSpent("spent"), ZeroDivisionError()])
async def test_what_is_not_a_judge_s_failure_stops_it(error):
    with pytest.raises(type(error)):
        await panel(error, ruling("correct"), ruling("correct")).ask(CORRECTNESS, **GRADED)


async def test_the_judges_are_asked_at_once():
    started = []

    class Waiting:
        model = fingerprint = "w"

        async def ask(self, prompt, **fields):
            started.append(self)
            while len(started) < 3:
                await asyncio.sleep(0)
            return Verdict(reply=Correctness(verdict="correct"), cached=True, attempts=9)

    verdict = await asyncio.wait_for(
        Panel([Waiting(), Waiting(), Waiting()]).ask(CORRECTNESS, **GRADED), 10
    )
    assert verdict.cached
    assert verdict.attempts == 0  # nobody was asked


def test_one_judge_is_no_panel():
    with pytest.raises(BadConfig, match="at least two"):
        Panel([LocalJudge()])


def test_the_fingerprint_is_that_of_all_in_order():
    a, b = FakeJudge({}, model="a"), FakeJudge({}, model="b")
    assert Panel([a, b]).fingerprint == Panel([a, b]).fingerprint
    assert Panel([a, b]).fingerprint != Panel([b, a]).fingerprint
    assert Panel([a, b]).model == "a + b"


sentences_ = st.lists(
    st.lists(st.sampled_from([S, U, C, "undecided"]), max_size=3), min_size=2, max_size=2
)


@given(st.lists(sentences_, min_size=1, max_size=5))
def test_a_merge_is_a_whole_reply_of_words_that_were_said(said):
    replies = [msgspec.convert(claims(*each), Claims) for each in said]
    merged, agreement = merge(replies, abstain="undecided")
    assert [s.sentence for s in merged.sentences] == [1, 2]
    spoken = {word for each in said for words in each for word in words}
    assert {c.verdict for s in merged.sentences for c in s.claims} <= spoken | {"undecided"}
    assert agreement is None or 0 < agreement <= 1
    same, agreed = merge([replies[0]] * 3, abstain="undecided")
    assert same == replies[0]
    assert agreed in {None, 1.0}


class Nested(Struct, frozen=True):
    tone: Literal["polite", "rude"]
    score: float
    inner: Rating
    note: str | None = None


def test_other_shapes_are_merged_too():
    one, two, three = (
        Nested(tone=tone, score=score, inner=Rating("w", score), note=note)
        for tone, score, note in (("rude", 1.0, "x"), ("polite", 0.5, None), ("polite", 0.0, "z"))
    )
    merged, agreement = merge([one, two, three], abstain=None)
    assert (merged.tone, merged.score, merged.note) == ("polite", 0.25, None)
    assert agreement == pytest.approx(2 / 3)


class Graded(Struct, frozen=True):
    why: str
    verdict: Literal["good", "bad"]
    notes: tuple[str, ...] = ()
    score: float = 0.0


def test_what_stands_beside_a_verdict_comes_from_those_who_gave_it():
    said = [
        Graded("a", "bad", ("x", "y"), 9.0),
        Graded("b", "good", ("p",), 1.0),
        Graded("c", "good", ("q",), 2.0),
    ]
    merged, _ = merge(said, abstain=None)
    assert merged == Graded("b (2 of 3 judges; 1 bad; mean of 1, 2)", "good", ("p",), 1.5)


async def test_judges_that_answer_in_another_order_are_paired_by_number():
    def grading(*order):
        grades = [{"passage_id": n, "why": "", "verdict": word} for n, word in order]
        return FakeJudge({"context_relevance": {"passages": grades}})

    good, bad = (1, "direct"), (2, "unrelated")
    panel = Panel([grading(good, bad), grading(bad, good), grading(bad, good)])
    verdict = await panel.ask(CONTEXT_RELEVANCE, passages=["a", "b"], question="q")
    assert [(p.passage_id, p.verdict) for p in verdict.reply.passages] == [good, bad]
