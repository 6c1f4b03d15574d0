"""Judges of one's own: functions and objects of every shape, and what they do wrong."""

import functools
import json
import re
import threading

import msgspec
import pytest

from acidtest.data.outcomes import Skip
from acidtest.errors import BadConfig, BudgetSpent, JudgeError
from acidtest.judges.backend import Completion
from acidtest.judges.faults import InvalidReply
from acidtest.judges.llm import LLMJudge
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.own import own_judge
from acidtest.judges.schema import schema
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS, Correctness
from acidtest.ports import Spent, Verdict

GRADED = {"question": "q", "reference": "r", "answer": "a"}
TEXT = '{"why":"w","verdict":"correct"}'
REPLY = Correctness(why="w", verdict="correct")
USEFUL = {"passages": ["a", "b"], "question": "q", "answer": "a"}


def text_sync(text):
    return TEXT


async def text_async(text: str) -> str:
    return TEXT


def text_optional(text, temperature=0):
    return TEXT


def text_by_default(text=""):
    return TEXT


def fields_sync(prompt, fields):
    return {"why": "w", "verdict": "correct"}


async def fields_async(prompt, fields):
    return REPLY


class TextObject:
    def __call__(self, text):
        return TEXT


class AsyncTextObject:
    async def __call__(self, text):
        return TEXT


class Asks:
    async def ask(self, prompt, **fields):
        return Verdict(reply=REPLY, raw=TEXT, model="m-1", input_tokens=5)


class AsksSync:
    def ask(self, prompt, **fields):
        return TEXT


class Model:
    model = "own-model"
    endpoint = "own:"

    async def complete(self, request):
        return Completion(text=TEXT, input_tokens=5)

    async def aclose(self):
        pass


def returning_a_coroutine(text):
    return text_async(text)


SHAPES = [
    text_sync,
    text_async,
    text_optional,
    text_by_default,
    lambda text: TEXT,
    functools.partial(text_optional, temperature=1),
    returning_a_coroutine,
    TextObject(),
    TextObject().__call__,
    AsyncTextObject(),
    fields_sync,
    fields_async,
    lambda prompt, fields: TEXT,
    lambda prompt, fields: Verdict(reply=REPLY),
    Asks(),
    AsksSync(),
    Model(),
]


@pytest.mark.parametrize("thing", SHAPES)
async def test_every_shape_is_a_judge(thing):
    judge = own_judge(thing)
    verdict = await judge.ask(CORRECTNESS, **GRADED)
    assert verdict.reply == REPLY
    assert judge.model
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", judge.fingerprint)


def test_a_judge_is_taken_as_it_is():
    judge = LocalJudge()
    assert own_judge(judge) is judge
    assert isinstance(own_judge(Model()), LLMJudge)


@pytest.mark.parametrize(
    "thing", [None, 3, "gpt", object(), lambda: TEXT, lambda a, b, c: TEXT, Asks]
)
def test_what_cannot_be_one_is_told(thing):
    with pytest.raises(BadConfig, match="cannot be a judge"):
        own_judge(thing)


async def test_a_text_function_gets_everything_it_needs_and_is_asked_again():
    asked = []

    def model(text):
        asked.append(text)
        return "?" if len(asked) == 1 else TEXT

    verdict = await own_judge(model, name="mine").ask(CORRECTNESS, **GRADED)
    assert verdict.attempts == 2
    assert verdict.model == "mine"
    assert asked[0].startswith("You are a careful judge")
    form = json.loads(asked[0].rpartition("\n")[2])
    assert form == schema(CORRECTNESS, GRADED)
    assert "Your last reply" in asked[1]
    with pytest.raises(InvalidReply):
        await own_judge(lambda text: "?").ask(CORRECTNESS, **GRADED)


async def test_sync_functions_do_not_hold_the_others_up():
    where = []

    def model(text):
        where.append(threading.current_thread())
        return TEXT

    await own_judge(model).ask(CORRECTNESS, **GRADED)
    assert where[0] is not threading.main_thread()


async def test_a_function_of_the_fields_gets_them():
    def by_length(prompt, fields):
        assert prompt is CORRECTNESS
        return {"verdict": "correct" if len(fields["answer"]) == 1 else "incorrect"}

    judge = own_judge(by_length)
    assert (await judge.ask(CORRECTNESS, **GRADED)).reply.verdict == "correct"
    longer = GRADED | {"answer": "aa"}
    assert (await judge.ask(CORRECTNESS, **longer)).reply.verdict == "incorrect"


@pytest.mark.parametrize("said", [Skip("not mine"), {"verdict": "undecided"}])
async def test_rules_may_skip_and_abstain(said):
    outcome = await own_judge(lambda prompt, fields: said).ask(CORRECTNESS, **GRADED)
    if isinstance(said, Skip):
        assert outcome is said
    else:
        assert outcome.reply.verdict == "undecided"


@pytest.mark.parametrize(
    "said",
    [
        None,
        3,
        {"verdict": "maybe"},
        {},
        object(),
        "no JSON",
        '{"verdict":"undecided"}',
        Verdict(reply=CORRECTNESS),
    ],
)
async def test_what_is_no_reply_is_a_failure(said):
    with pytest.raises(JudgeError, match="not valid") as raised:
        await own_judge(lambda prompt, fields: said, name="mine").ask(CORRECTNESS, **GRADED)
    assert raised.value.where == "judge mine"
    assert raised.value.detail


async def test_lengths_are_checked():
    short = {"passages": [{"passage": 1, "verdict": "useful"}]}
    with pytest.raises(JudgeError, match="1 items, and 2 were asked for"):
        await own_judge(lambda prompt, fields: short).ask(CONTEXT_USEFULNESS, **USEFUL)


@pytest.mark.parametrize("said", [None, 3, b"bytes"])
async def test_a_text_function_must_return_text(said):
    with pytest.raises(JudgeError, match="text was expected"):
        await own_judge(lambda text: said).ask(CORRECTNESS, **GRADED)


@pytest.mark.parametrize("wanted", [1, 2])
async def test_what_it_throws_is_its_failure_with_the_traceback(wanted):
    def text(text):
        return {}["key"]

    def fields(prompt, fields):
        return {}["key"]

    with pytest.raises(JudgeError, match="threw KeyError") as raised:
        await own_judge(text if wanted == 1 else fields).ask(CORRECTNESS, **GRADED)
    assert "Traceback" in raised.value.detail


async def test_our_own_errors_pass():
    def broke(text):
        raise BudgetSpent("no money left")

    with pytest.raises(BudgetSpent):
        await own_judge(broke).ask(CORRECTNESS, **GRADED)


def test_the_fingerprint_changes_with_code_name_and_version():
    marks = [
        own_judge(text_sync),
        own_judge(text_async),
        own_judge(text_sync, name="other"),
        own_judge(text_sync, version="2"),
        own_judge(fields_sync),
        own_judge(fields_sync, version="2"),
    ]
    assert len({judge.fingerprint for judge in marks}) == len(marks)
    assert own_judge(text_sync).fingerprint == own_judge(text_sync).fingerprint


async def test_what_it_returns_can_be_kept():
    text = '{"why":"half \ud83d","verdict":"correct"}'
    for thing in (lambda _: text, lambda prompt, fields: text):
        verdict = await own_judge(thing).ask(CORRECTNESS, **GRADED)
        assert msgspec.json.encode(verdict)
        assert verdict.reply.why == "half \ufffd"


def test_it_is_called_by_the_name_that_it_has():
    assert own_judge(text_sync).model == f"{__name__}.text_sync"
    assert own_judge(functools.partial(text_sync)).model == f"{__name__}.text_sync"
    assert own_judge(TextObject()).model == f"{__name__}.TextObject"
    assert own_judge(Model()).model == "own-model"
    named = Asks()
    named.model = "mine"
    assert own_judge(named).model == "mine"
    assert own_judge(named, name="other").model == "other"


def test_a_partial_is_known_by_the_function_inside():
    one, two = functools.partial(text_sync), functools.partial(text_optional, temperature=1)
    assert own_judge(one).fingerprint != own_judge(two).fingerprint


async def test_async_functions_stay_in_the_loop():
    where = []

    async def model(text):
        where.append(threading.current_thread())
        return TEXT

    class Called:
        async def __call__(self, text):
            return await model(text)

    await own_judge(model).ask(CORRECTNESS, **GRADED)
    await own_judge(Called()).ask(CORRECTNESS, **GRADED)
    assert where == [threading.main_thread()] * 2


def test_built_ins_take_text():
    assert own_judge(str.upper).model.endswith("upper")
    assert isinstance(own_judge(dict.fromkeys(["a"]).get, name="get"), LLMJudge)


@pytest.mark.parametrize("said", [{"verdict": "no such word"}, "?", RuntimeError("out of order")])
async def test_what_failed_was_asked_all_the_same(said):
    def judge(prompt, fields):
        if isinstance(said, Exception):
            raise said
        return said

    with pytest.raises(JudgeError) as caught:
        await own_judge(judge).ask(CORRECTNESS, **GRADED)
    assert caught.value.spent == Spent(attempts=1, cost_usd=None)
