"""Judges of somebody else: whatever they raise, return or hold up is their own failure."""

import asyncio
import time

import pytest
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.errors import BadConfig, JudgeError, UsageError
from acidtest.judges.backend import Completion
from acidtest.judges.foreign import called, shown, within
from acidtest.judges.own import own_judge
from acidtest.judges.retry import Deadline, OutOfTime
from acidtest.judges.slots import InTurn
from acidtest.ports import Prompt, Spent, Verdict


class Said(Struct, frozen=True):
    why: str = ""


PROMPT = Prompt(name="p", version="1", template="", reply=Said)


class Unreadable(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


class Base(BaseException):
    pass


THROWN = [
    ValueError("x"), SystemExit(7), KeyboardInterrupt(), GeneratorExit(), StopIteration("x"),
    asyncio.CancelledError(), Base("x"), Unreadable(), ValueError("\ud800\0"), RecursionError(),
    MemoryError(),
]  # fmt: skip


class Asked:
    """A whole judge of somebody's own."""

    model = "mine"
    fingerprint = "f"

    def __init__(self, ask):
        self.ask = ask


def in_turn(judge, **more):
    return InTurn(judge, asyncio.Semaphore(2), **more)


def verdict(**more):
    return Verdict(**({"reply": Said("w"), "model": "mine"} | more))


def throwing(error):
    def sync(*_, **__):
        raise error

    async def later(*_, **__):
        raise error

    return sync, later


@pytest.mark.parametrize("later", [0, 1])
@pytest.mark.parametrize("error", THROWN, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    "judge",
    [
        lambda call: own_judge(lambda text: call(text)),  # noqa: PLW0108 - a function of one
        lambda call: own_judge(lambda prompt, fields: call(prompt, fields)),  # noqa: PLW0108
        Asked,
    ],
    ids=["text", "fields", "whole"],
)
async def test_whatever_it_raises_fails_the_case_alone(judge, error, later):
    asked = in_turn(judge(throwing(error)[later]))
    with pytest.raises(JudgeError) as raised:
        await asked.ask(PROMPT)
    assert not raised.value.ends_run
    assert f"{raised.value}\n{raised.value.detail}".encode()
    assert raised.value.spent.attempts >= 0
    if not isinstance(error, asyncio.CancelledError | GeneratorExit):
        kind = "sys.exit" if isinstance(error, SystemExit) else type(error).__name__
        if "it threw RuntimeError: coroutine raised StopIteration" in raised.value.what:
            kind = "RuntimeError"  # Python's own doing
        assert f"it threw {kind}" in raised.value.what


async def test_errors_of_ours_stay_what_they_are():
    with pytest.raises(UsageError, match="no"):
        await in_turn(Asked(throwing(UsageError("no"))[1])).ask(PROMPT)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "it returned NoneType, and a Verdict or a Skip"),
        ({"why": "w"}, "it returned dict"),
        (Skip(3), "no reason in words"),
        (verdict(reply={"why": "w"}), "not valid: it is a dict"),
        (verdict(reply=Said(3)), "not valid"),
        (verdict(input_tokens=-5), "input_tokens of its verdict is -5"),
        (verdict(output_tokens=10**5000), "output_tokens of its verdict is too great"),
        (verdict(output_tokens=1.5), "output_tokens of its verdict is 1.5"),
        (verdict(attempts=None), "attempts of its verdict is None"),
        (verdict(cached_tokens=True), "cached_tokens of its verdict is True"),
        (verdict(cost_usd=float("nan")), "cost_usd of its verdict is nan"),
        (verdict(cost_usd=float("inf")), "cost_usd of its verdict is inf"),
        (verdict(cost_usd=-1.0), "cost_usd of its verdict is -1.0"),
        (verdict(cost_usd="1"), "cost_usd of its verdict is a str"),
        (verdict(seconds=float("inf")), "seconds of its verdict are inf"),
        (verdict(model=None), "model of its verdict is None, and no text"),
        (verdict(raw=b"x"), "raw of its verdict is a bytes"),
    ],
)
async def test_what_is_no_verdict_is_none(said, why):
    async def ask(prompt, **fields):
        return said

    with pytest.raises(JudgeError) as raised:
        await in_turn(Asked(ask)).ask(PROMPT)
    assert why in raised.value.what
    assert raised.value.spent == Spent(attempts=1, cost_usd=None)


@pytest.mark.parametrize("said", [verdict(), verdict(cost_usd=0), Skip("no")])
async def test_what_is_a_verdict_is_handed_on_also_when_it_is_not_awaited(said):
    assert await in_turn(Asked(lambda prompt, **fields: said)).ask(PROMPT) is said


@pytest.mark.parametrize("tokens", [-5, 10**30])
async def test_completions_that_cannot_be(tokens):
    judge = own_judge(lambda text: Completion(text='{"why": "w"}', input_tokens=tokens))
    with pytest.raises(JudgeError, match="input_tokens of its verdict"):
        await in_turn(judge).ask(PROMPT)


async def test_halves_of_pairs_in_plain_data_are_read_as_in_text():
    judge = own_judge(lambda prompt, fields: {"why": "\ud800"})
    assert (await in_turn(judge).ask(PROMPT)).reply == Said("\ufffd")


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("sync", [False, True])
async def test_one_that_hangs_is_given_up(monkeypatch, sync, stubborn):
    monkeypatch.setattr("acidtest.judges.foreign.GRACE_S", 0.01)

    async def later(text):
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            if stubborn:
                await asyncio.sleep(0.1)
            raise

    judge = own_judge((lambda text: time.sleep(1)) if sync else later)
    began = time.monotonic()
    with pytest.raises(JudgeError, match=r"no answer within 0.05 s"):
        await in_turn(judge, call_s=0.05).ask(PROMPT)
    assert time.monotonic() - began < 0.9
    await asyncio.sleep(0.15)


async def test_the_deadline_of_the_run_holds_for_it_too():
    judge = own_judge(lambda text: time.sleep(0.2))
    asked = in_turn(judge, deadline=Deadline(0.05))
    with pytest.raises(OutOfTime, match=r"the 0.05 s that the run's calls may take are over"):
        await asked.ask(PROMPT)


async def test_a_cancelled_question_cancels_what_it_asked():
    seen = []

    async def ask(prompt, **fields):
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    task = asyncio.create_task(in_turn(Asked(ask)).ask(PROMPT))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


async def test_a_call_and_a_wait_by_themselves():
    assert await called(lambda a, b: a + b, "m", 1, b=2) == 3
    late = JudgeError("late")
    assert await within(None, lambda: asyncio.sleep(0, 4), "m", late) == 4
    assert shown(Unreadable()) == "<Unreadable that cannot be shown>"


class Hidden:
    @property
    def model(self):
        raise ValueError

    async def complete(self, request):
        """Never asked."""


class Nameless:
    async def complete(self, request):
        """Never asked."""


@pytest.mark.parametrize(
    ("thing", "why"),
    [(Hidden(), "reading its model threw ValueError"), (Nameless(), "no model that is a text")],
)
def test_a_model_without_a_name_is_told_before_it_is_asked(thing, why):
    with pytest.raises(BadConfig, match=why):
        own_judge(thing)
