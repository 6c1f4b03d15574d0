"""Prompts that begin alike go together: who waits, who is marked, and what becomes of it."""

import asyncio
import json

import pytest

from acidtest.errors import JudgeError
from acidtest.judges.backend import Completion
from acidtest.judges.llm import LLMJudge
from acidtest.judges.render import render
from acidtest.judges.together import COMPANY_S, Together
from acidtest.metrics.contexts.context_relevance import CONTEXT_RELEVANCE
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.generation.answer_relevance import ANSWER_RELEVANCE
from acidtest.metrics.generation.faithfulness_score import FAITHFULNESS_SCORE

PASSAGES = ["a passage " * 30, "another one " * 30]
FIELDS = {"passages": PASSAGES, "question": "q", "answer": "a"}
REPLIES = {
    "context_usefulness": {"passages": [{"passage": n, "verdict": "useful"} for n in (1, 2)]},
    "context_relevance": {"passages": [{"passage_id": n, "verdict": "direct"} for n in (1, 2)]},
    "faithfulness_score": {"score": 1.0},
    "answer_relevance": {"verdict": "complete"},
}


class Model:
    """A model that takes a second, by the clock of the test, and remembers who came when."""

    model = endpoint = "timed"

    def __init__(self, *, fails=(), seconds=1.0):
        self.fails, self.seconds = list(fails), seconds
        self.asked = []

    async def complete(self, request):
        began = asyncio.get_running_loop().time()
        self.asked.append((request.schema_name, began, request))
        await asyncio.sleep(self.seconds)
        if request.schema_name in self.fails:
            self.fails.remove(request.schema_name)
            raise JudgeError("no")
        return Completion(text=json.dumps(REPLIES[request.schema_name]))

    async def aclose(self):
        pass

    def times(self):
        return [(name, round(at)) for name, at, _ in self.asked]

    def prefixes(self):
        return [request.prefix for _, _, request in self.asked]


async def ask(judge, *prompts, fields=FIELDS, gap=0.001):
    async def one(prompt, n):
        await asyncio.sleep(n * gap)
        return await judge.ask(prompt, **{k: v for k, v in fields.items() if k in prompt.template})

    asked = (one(prompt, n) for n, prompt in enumerate(prompts))
    return await asyncio.gather(*asked, return_exceptions=True)


LONG = (CONTEXT_USEFULNESS, CONTEXT_RELEVANCE, FAITHFULNESS_SCORE)


def test_one_goes_ahead_and_the_others_follow_together(virtual):
    model = Model()
    verdicts = virtual.run(ask(LLMJudge(model, shared_from=100), *LONG, ANSWER_RELEVANCE))
    assert not any(isinstance(verdict, BaseException) for verdict in verdicts)
    assert len(model.asked) == 4
    assert sorted(model.times()) == [
        ("answer_relevance", 0),  # it reads no passages
        ("context_relevance", 1),
        ("context_usefulness", 0),
        ("faithfulness_score", 1),
    ]
    for name, _, request in model.asked:
        beginning = request.text[: request.prefix]
        assert bool(beginning) == (name != "answer_relevance")
        assert not beginning or all(passage in beginning for passage in PASSAGES)
    assert len({request.text[: request.prefix] for _, _, request in model.asked}) == 2


def test_the_beginning_is_that_of_each_prompt(virtual):
    model = Model()
    virtual.run(ask(LLMJudge(model, shared_from=100), *LONG))
    for name, _, request in model.asked:
        prompt = next(each for each in LONG if each.name == name)
        fields = {k: v for k, v in FIELDS.items() if k in prompt.template}
        assert request.text == render(prompt, fields)


def test_a_prompt_alone_is_not_marked_and_hardly_waits(virtual):
    model = Model()
    virtual.run(ask(LLMJudge(model, shared_from=100), CONTEXT_USEFULNESS))
    ((_, at, request),) = model.asked
    assert request.prefix == 0
    assert at <= COMPANY_S + 0.001


@pytest.mark.parametrize("least", [None, 100_000])
def test_short_beginnings_and_endpoints_that_keep_none_are_asked_at_once(virtual, least):
    model = Model()
    virtual.run(ask(LLMJudge(model, shared_from=least), *LONG))
    assert {at for _, at in model.times()} == {0}
    assert set(model.prefixes()) == {0}


def test_other_passages_do_not_wait(virtual):
    async def both():
        judge = LLMJudge(model, shared_from=100)
        other = FIELDS | {"passages": ["other " * 60, "words " * 60]}
        await asyncio.gather(ask(judge, *LONG[:2]), ask(judge, *LONG[:2], fields=other))

    model = Model()
    virtual.run(both())
    assert sorted(at for _, at in model.times()) == [0, 0, 1, 1]


def test_who_comes_too_late_starts_anew(virtual):
    model = Model()
    virtual.run(ask(LLMJudge(model, shared_from=100), *LONG, gap=0.1))
    assert {at for _, at in model.times()} == {0}
    assert set(model.prefixes()) == {0}


def test_who_comes_while_the_followers_are_asked_goes_along_at_once(virtual):
    async def later():
        judge = LLMJudge(model, shared_from=100)
        late = asyncio.create_task(asyncio.sleep(1.5))
        pair = asyncio.create_task(ask(judge, *LONG[:2]))
        await late
        await ask(judge, LONG[2])
        await pair

    model = Model()
    virtual.run(later())
    assert [round(at, 1) for _, at, _ in model.asked] == [0.0, 1.0, 1.5]
    assert all(model.prefixes())


def test_the_others_follow_also_when_the_first_fails(virtual):
    model = Model(fails=["context_usefulness"])
    first, *others = virtual.run(ask(LLMJudge(model, shared_from=100), *LONG))
    assert isinstance(first, JudgeError)
    assert not any(isinstance(other, BaseException) for other in others)


def test_the_others_follow_also_when_the_first_is_called_off(virtual):
    async def called_off():
        judge = LLMJudge(model, shared_from=100)
        first = asyncio.create_task(ask(judge, LONG[0]))
        others = asyncio.create_task(ask(judge, *LONG[1:]))
        await asyncio.sleep(0.5)
        first.cancel()
        return await others

    model = Model()
    others = virtual.run(called_off())
    assert not any(isinstance(other, BaseException) for other in others)
    assert len(model.asked) == 3


def test_a_reply_that_is_not_valid_is_asked_again_with_the_schema_enforced(virtual):
    class Clumsy(Model):
        async def complete(self, request):
            said = await super().complete(request)
            first = len(self.asked) == 1
            return Completion(text="prose") if first else said

    model = Clumsy()
    verdicts = virtual.run(ask(LLMJudge(model, shared_from=100), *LONG[:2]))
    assert [verdict.attempts for verdict in verdicts] == [2, 1]
    again = [request for name, _, request in model.asked if name == "context_usefulness"][1]
    assert again.prefix == 0
    assert "was not valid" in again.text


async def test_nothing_stays_behind():
    together = Together(1)
    async with together.turn("x") as shared:
        assert not shared
    assert not together._groups
