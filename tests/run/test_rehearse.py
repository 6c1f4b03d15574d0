"""Rehearsing metrics that ask again, ask by what they hear, break, or ask nothing."""

from typing import Literal

import pytest
from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score
from acidtest.judges.desk import Desk
from acidtest.judges.llm import LLMJudge
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import metric
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.ports import Embedder, Judge, Prompt
from acidtest.run.plan import Plan
from acidtest.run.rehearse import PROBED, Rehearsal
from acidtest.run.suppose import suppose


class Word(Struct):
    verdict: Literal["no", "yes"]


class Mark(Struct):
    score: float


FIRST = Prompt(name="first", version="1", template="{{text}}", reply=Word)
SECOND = Prompt(name="second", version="1", template="{{text}} again", reply=Word)
NUMBER = Prompt(name="number", version="1", template="{{text}}", reply=Mark)
NEVER = Prompt(
    name="never", version="1", template="{{text}}", reply=Word, check=lambda _reply, _fields: "no"
)


@metric(stage="generation")
async def once(text: str, judge: Judge):
    """Ask one question."""
    await judge.ask(FIRST, text=text)
    return 1.0


@metric(stage="generation")
async def if_yes(text: str, judge: Judge):
    """Ask a second question when the first is answered by yes."""
    if (await judge.ask(FIRST, text=text)).reply.verdict == "yes":
        await judge.ask(SECOND, text=text)
    return 1.0


@metric(stage="generation")
async def if_low(text: str, judge: Judge):
    """Ask two more questions when the first is answered by a low number."""
    if (await judge.ask(NUMBER, text=text)).reply.score < 0.5:
        for n in range(2):
            await judge.ask(SECOND, text=f"{text} {n}")
    return 1.0


@metric(stage="generation")
async def unheard(text: str, judge: Judge):
    """Ask what no reply fits, and then something else."""
    await judge.ask(NEVER, text=text)
    await judge.ask(FIRST, text=text)
    return 1.0


@metric(stage="generation")
async def broken(text: str, judge: Judge):
    """Break after the first question."""
    await judge.ask(FIRST, text=text)
    raise ValueError(text)


@metric(stage="generation")
async def asks_nobody(text: str, judge: Judge):
    """Ask nothing."""
    return Score(float(len(text) + len(judge.model)))


@metric(stage="generation")
async def near(text: str, embedder: Embedder):
    """Embed two texts."""
    await embedder.embed([text, "four"])
    return 1.0


class Nobody:
    """A model that must not be asked."""

    model, endpoint = "m", "http://127.0.0.1:9"

    async def complete(self, request):
        raise AssertionError(request)

    async def aclose(self):
        pass


async def rehearsed(*metrics, texts=("a", "b", "a"), repeat=1, before=(frozenset(), frozenset())):
    cases = tuple(Case(id=str(n), question="?") for n, _ in enumerate(texts))
    judge = LLMJudge(Nobody())
    plan = Plan(
        name="p",
        pipeline=RecordedPipeline(
            Answer(case_id=str(n), text=text) for n, text in enumerate(texts)
        ),
        cases=cases,
        golden_version="sha256:g",
        golden_path=None,
        metrics=[Bound(each, {}) for each in metrics],
        judge=judge,
        repeat=repeat,
    )
    return await Rehearsal(plan, Desk(judge), await suppose(plan, None), before).run()


def calls(ends):
    return tuple(len(ledger.questions) for ledger in ends)


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        (once, (2, 2)),
        (if_yes, (2, 4)),
        (if_low, (2, 6)),
        (unheard, (2, 2)),
        (broken, (2, 2)),
        (asks_nobody, (0, 0)),
    ],
    ids=lambda each: getattr(each, "name", None),
)
async def test_questions_of_the_fewest_and_of_the_most(asking, expected):
    ends = await rehearsed(asking)
    assert calls(ends) == expected
    assert [len(ledger.by_metric[asking.name]) for ledger in ends] == list(expected)
    assert all(len(ledger.by_case) == 3 for ledger in ends)
    assert all(ledger.by_case[2] == 0 for ledger in ends)  # what the first case asks


async def test_the_first_metric_that_asks_pays():
    low, high = await rehearsed(once, if_yes, texts=("a", "b"))
    assert (len(low.by_metric["once"]), len(low.by_metric["if_yes"])) == (2, 0)
    assert (len(high.by_metric["once"]), len(high.by_metric["if_yes"])) == (2, 2)
    assert low.shared == 2


async def test_repeats_are_draws():
    assert calls(await rehearsed(if_yes, repeat=3)) == (6, 12)


async def test_after_the_probes_only_what_varies_is_run_on_all_paths():
    texts = tuple(f"text {n}" for n in range(PROBED + 10))
    assert calls(await rehearsed(if_yes, texts=texts)) == (len(texts), 2 * len(texts))


async def test_what_an_earlier_plan_asks_is_not_asked_again():
    first = await rehearsed(once)
    keys = tuple(frozenset(ledger.questions) for ledger in first)
    low, high = await rehearsed(once, texts=("a", "c"), before=keys)
    assert calls((low, high)) == (1, 1)
    assert low.shared == 1


async def test_embeddings_are_counted_each_time():
    low, high = await rehearsed(near, texts=("four", "four"))
    assert (low.embedded.calls, low.embedded.texts, low.embedded.tokens) == (2, 4, 4.0)
    assert high.embedded == low.embedded
