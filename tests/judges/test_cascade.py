"""Cascades: who is asked when, what is spared, how often the two agree."""

import msgspec
import pytest

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.cascade import Cascade, CascadeUse
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.words import words
from acidtest.metrics.claims import Claims
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.ports import Prompt, Spent, Verdict
from acidtest.testing import FakeJudge

GRADED = {"question": "q", "reference": "r", "answer": "a"}


class Paid:
    """A fake that costs something."""

    def __init__(self, reply, *, model="paid", cost=1.0):
        self.inner = FakeJudge({"correctness": reply, "faithfulness": reply}, model=model)
        self.cost = cost
        self.model = model
        self.fingerprint = self.inner.fingerprint

    async def ask(self, prompt, **fields):
        said = await self.inner.ask(prompt, **fields)
        if isinstance(said, Skip):
            return said
        return msgspec.structs.replace(said, cost_usd=self.cost, input_tokens=10, attempts=2)


def ruling(verdict):
    return {"why": "w", "verdict": verdict}


async def asked(first, second, **options):
    cascade = Cascade(Paid(first, model="cheap"), Paid(second, model="strong"), **options)
    return await cascade.ask(CORRECTNESS, **GRADED), cascade


async def test_a_clear_case_spares_the_second():
    verdict, cascade = await asked(ruling("correct"), ruling("incorrect"))
    assert (verdict.reply.verdict, verdict.model) == ("correct", "cheap")
    assert cascade.use == CascadeUse(asked=1, spared=1)
    assert cascade.use.saving == 1.0
    assert cascade.use.agreement is None


async def test_an_open_case_goes_to_the_second_and_both_are_paid():
    verdict, cascade = await asked(ruling("undecided"), ruling("incorrect"))
    assert (verdict.reply.verdict, verdict.model) == ("incorrect", "strong")
    assert (verdict.cost_usd, verdict.input_tokens, verdict.attempts) == (2.0, 20, 4)
    assert cascade.use == CascadeUse(asked=1)
    assert cascade.use.saving == 0.0


async def test_one_open_claim_is_enough():
    def claims(*verdicts):
        listed = [{"claim": "c", "verdict": v} for v in verdicts]
        return {"sentences": [{"sentence": 1, "claims": listed}]}

    fields = {"passages": ["p"], "question": "q", "sentences": ["s"]}
    cascade = Cascade(
        Paid(claims("supported", "undecided")), Paid(claims("supported", "contradicted"))
    )
    verdict = await cascade.ask(FAITHFULNESS, **fields)
    assert words(verdict.reply) == ("supported", "contradicted")


async def test_the_prompt_says_which_word_leaves_a_case_open():
    partial = msgspec.structs.replace(CORRECTNESS, abstain="partial")
    cascade = Cascade(Paid(ruling("partial")), Paid(ruling("correct")))
    assert (await cascade.ask(partial, **GRADED)).reply.verdict == "correct"
    never = msgspec.structs.replace(CORRECTNESS, abstain=None)
    assert (await cascade.ask(never, **GRADED)).reply.verdict == "partial"


async def test_what_the_first_cannot_judge_or_fails_at_goes_to_the_second():
    verdict, _ = await asked(Skip("cannot"), ruling("correct"))
    assert (verdict.reply.verdict, verdict.cost_usd) == ("correct", 1.0)
    error = JudgeError("gone")
    error.spent = Spent(attempts=3, input_tokens=5, cost_usd=0.25)
    verdict, _ = await asked(error, ruling("correct"))
    assert (verdict.cost_usd, verdict.attempts) == (1.25, 5)


async def test_an_invalid_reply_of_the_first_decides_nothing():
    fields = {"passages": ["p"], "question": "q", "sentences": ["s", "t"]}
    half = {"sentences": [{"sentence": 1, "claims": []}]}
    whole = {"sentences": [{"sentence": n, "claims": []} for n in (1, 2)]}
    verdict = await Cascade(Paid(half), Paid(whole)).ask(FAITHFULNESS, **fields)
    assert len(verdict.reply.sentences) == 2


async def test_when_the_second_cannot_judge_the_first_stands():
    verdict, _ = await asked(ruling("undecided"), Skip("cannot"))
    assert verdict.reply.verdict == "undecided"
    outcome, _ = await asked(Skip("neither"), Skip("cannot"))
    assert outcome == Skip("cannot")


async def test_when_the_second_fails_the_case_fails_with_what_both_took():
    cascade = Cascade(Paid(ruling("undecided")), Paid(JudgeError("gone")))
    with pytest.raises(JudgeError, match="gone") as raised:
        await cascade.ask(CORRECTNESS, **GRADED)
    assert raised.value.spent == Spent(attempts=2, input_tokens=10, cost_usd=1.0)


async def test_agreement_is_measured_on_a_share_drawn_by_content():
    cascade = Cascade(Paid(ruling("correct")), Paid(ruling("incorrect")), audit=0.25)
    for _ in range(2):
        for n in range(200):
            await cascade.ask(CORRECTNESS, question="q", reference="r", answer=str(n))
    use = cascade.use
    assert use.asked == 400
    assert use.spared + use.audited == 400
    assert use.audited % 2 == 0  # the same questions both times
    assert 60 <= use.audited <= 140
    assert use.agreement == 0.0


async def test_hostile_texts_can_be_drawn():
    cascade = Cascade(Paid(ruling("correct")), Paid(ruling("correct")), audit=0.5)
    await cascade.ask(CORRECTNESS, question="\ud800", reference="\x00", answer="\u202e")
    assert cascade.use.asked == 1


async def test_an_audited_case_has_the_second_s_verdict():
    verdict, cascade = await asked(ruling("correct"), ruling("incorrect"), audit=1.0)
    assert verdict.reply.verdict == "incorrect"
    assert cascade.use == CascadeUse(asked=1, audited=1)
    _, cascade = await asked(ruling("correct"), ruling("correct"), audit=1.0)
    assert cascade.use.agreement == 1.0


def claims(*verdicts):
    return {
        "sentences": [{"sentence": 1, "claims": [{"claim": "c", "verdict": v} for v in verdicts]}]
    }


@pytest.mark.parametrize(
    ("one", "other", "agreed"),
    [
        (["supported"], ["supported", "supported"], 1),
        (["supported", "unsupported"], ["unsupported", "supported"], 0),
        (["supported"], ["supported", "unsupported"], 0),
        ([], [], 1),
        ([], ["supported"], 0),
    ],
)
async def test_claims_that_are_split_otherwise_agree_by_their_shares(one, other, agreed):
    cascade = Cascade(Paid(claims(*one)), Paid(claims(*other)), audit=1.0)
    await cascade.ask(FAITHFULNESS, passages=["p"], question="q", sentences=["s"])
    assert cascade.use.agreed == agreed


async def test_the_local_judge_comes_first_in_practice():
    strong = FakeJudge({"faithfulness": claims("unsupported")}, model="strong")
    cascade = Cascade(LocalJudge(), strong)
    passages = ["The Pro plan costs €49/month and includes priority support."]
    told = {"passages": passages, "question": "What does it cost?"}
    verdict = await cascade.ask(FAITHFULNESS, sentences=["The Pro plan costs €49/month."], **told)
    assert verdict.model == "local"
    verdict = await cascade.ask(
        FAITHFULNESS, sentences=["Help for Pro users arrives soonest."], **told
    )
    assert isinstance(verdict, Verdict)
    assert isinstance(verdict.reply, Claims)
    assert cascade.use.asked == 2
    assert len(strong.calls) == 2 - cascade.use.spared


async def test_a_prompt_that_neither_knows_is_skipped():
    rubric = Prompt(name="x", version="1", template="", reply=Claims)
    assert isinstance(await Cascade(LocalJudge(), FakeJudge({})).ask(rubric), Skip)


def test_the_fingerprint_is_that_of_both():
    a, b = FakeJudge({}, model="a"), FakeJudge({}, model="b")
    marks = {
        Cascade(a, b).fingerprint,
        Cascade(b, a).fingerprint,
        Cascade(a, b, audit=0.1).fingerprint,
    }
    assert len(marks) == 3
    assert Cascade(a, b).model == "a > b"
    assert Cascade(a, b).use.saving is None
