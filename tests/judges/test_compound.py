"""Judges made of judges: each part is wrapped by itself, and what a cascade does is still counted."""

import pytest
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.data.use import CascadeUse
from acidtest.errors import BadConfig, BudgetSpent, JudgeError
from acidtest.judges.around import Around
from acidtest.judges.cascade import Cascade, telling
from acidtest.judges.circuit import EndpointGone
from acidtest.judges.compound import each_part, parts_of
from acidtest.judges.panel import Panel
from acidtest.ports import Prompt
from acidtest.testing import FakeJudge


class Reply(Struct, frozen=True):
    verdict: str = "yes"


PROMPT = Prompt(name="p", version="1", template="", reply=Reply)


class Wrapped(Around):
    async def ask(self, prompt, **fields):
        return await self._judge.ask(prompt, **fields)


def judge(name, said=None):
    return FakeJudge({"p": {"verdict": "yes"} if said is None else said}, model=name)


def test_each_part_is_wrapped_and_nothing_else_changes():
    a, b, c, d = (judge(name) for name in "abcd")
    whole = Cascade(Panel([a, b]), Cascade(c, d, audit=0.5), audit=0.25)
    made = each_part(whole, Wrapped)
    assert [type(part) for part in parts_of(made)] == [Wrapped] * 4
    assert [part.inside for part in parts_of(made)] == [a, b, c, d]
    assert list(parts_of(whole)) == [a, b, c, d]
    assert (made.model, made.fingerprint) == (whole.model, whole.fingerprint)
    assert made.model == "a + b > c > d"
    alone = each_part(a, Wrapped)
    assert (alone.inside, alone.model, alone.fingerprint) == (a, a.model, a.fingerprint)


async def test_a_cascade_hears_of_those_made_of_it():
    mine = Cascade(judge("a"), judge("b"))
    made = each_part(each_part(mine, Wrapped), Wrapped)
    await made.ask(PROMPT)
    await mine.ask(PROMPT)
    assert mine.use == CascadeUse(asked=2, spared=2)
    assert made.use == CascadeUse(asked=1, spared=1)


async def test_steps_of_a_cascade_add_up():
    heard = CascadeUse()

    def told(use):
        nonlocal heard
        heard += use

    later = Cascade(judge("b"), judge("c"))
    counted = telling(Cascade(judge("a", Skip("cannot")), later), told)
    await counted.ask(PROMPT)
    assert heard == CascadeUse(asked=1, spared=1)  # c was spared, though a could not decide
    both = telling(Panel([Cascade(judge("a"), judge("b")), judge("c")]), told)
    await both.ask(PROMPT)
    assert heard == CascadeUse(asked=2, spared=2)
    plain = judge("d")
    assert telling(plain, told) is plain


@pytest.mark.parametrize("kind", [EndpointGone, BudgetSpent])
async def test_what_ends_a_run_is_not_left_to_another_judge(kind):
    ends = judge("a", kind("gone"))
    other = judge("b")
    with pytest.raises(kind):
        await Cascade(ends, other).ask(PROMPT)
    assert other.calls == []
    with pytest.raises(kind):
        await Panel([ends, other, judge("c")]).ask(PROMPT)


async def test_a_panel_is_as_large_as_those_who_can_judge_this():
    verdict = await Panel([judge("a", Skip("cannot")), judge("b")]).ask(PROMPT)
    assert verdict.model == "b"
    with pytest.raises(JudgeError, match="0 of 1 judges gave a verdict"):
        await Panel([judge("a", Skip("cannot")), judge("b", JudgeError("x"))]).ask(PROMPT)


@pytest.mark.parametrize("audit", [-0.1, 1.5, float("nan")])
def test_a_share_that_is_none(audit):
    with pytest.raises(BadConfig, match="share from 0 to 1"):
        Cascade(judge("a"), judge("b"), audit=audit)
