"""What a watcher is told: the truth at the end, soon enough on the way, never too often."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.judges.virtual import run as in_virtual_time

from acidtest.data.outcomes import Score
from acidtest.data.use import JudgeUse
from acidtest.errors import JudgeError, PipelineError
from acidtest.ports import Spent, Verdict
from acidtest.run.meter import Meter
from acidtest.run.progress import BETWEEN_S, Tally
from acidtest.run.start import start
from acidtest.testing import FakeJudge, FakePipeline

ANSWERS = {"a": "yes", "b": "no", "c": "none", "d": "other"}
SPENT = Spent(attempts=2, input_tokens=30, output_tokens=3, cost_usd=0.25)


class Priced:
    """A judge that takes money; `fails` are texts that it has no verdict on."""

    model = fingerprint = "priced"

    def __init__(self, *fails, cost=0.5):
        self.fails, self.cost = fails, cost

    async def ask(self, prompt, *, text):
        if text in self.fails:
            error = JudgeError("no verdict")
            error.spent = SPENT
            raise error
        return Verdict(reply=Score(1.0), input_tokens=10, output_tokens=1, cost_usd=self.cost)


async def watched(plan, store):
    steps = []
    run = await start(plan, store, watch=steps.append)
    return run, steps


async def test_the_last_word_is_what_the_run_took(store, make_plan):
    answers = {**ANSWERS, "d": PipelineError("it broke")}
    plan = make_plan(
        FakePipeline(answers), metrics=("same", "judged"), judge=Priced("no"), repeat=2
    )
    run, steps = await watched(plan, store)
    last = steps[-1]
    assert (last.done, last.total, last.failed, last.doing) == (4, 4, 1, "scoring")
    # Of the judge's failures those are left out that the pipeline is to blame for.
    assert (last.judged, last.judgements, last.judge_failed) == (8, 8, 2)
    assert run.operations.judge == JudgeUse(
        calls=last.calls,
        cached=last.cached,
        tokens=last.tokens,
        cost_usd=last.cost_usd,
        models=run.operations.judge.models,
    )
    assert (last.calls, last.tokens, last.cost_usd) == (8, 110, 2.5)
    assert last.elapsed_s > 0


async def test_each_phase_begins_at_none_and_tells_every_case(store, make_plan):
    _, steps = await watched(make_plan(FakePipeline(ANSWERS)), store)
    told = [(step.doing, step.done) for step in steps]
    assert told == [(doing, n) for doing in ("answering", "scoring") for n in range(5)]
    assert {(s.judgements, s.calls, s.cost_usd) for s in steps} == {(0, 0, 0.0)}


async def test_an_unknown_price_is_none(store, make_plan):
    plan = make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=Priced(cost=None))
    run, steps = await watched(plan, store)
    assert steps[0].cost_usd == 0.0
    assert steps[-1].cost_usd is run.operations.judge.cost_usd is None


async def test_a_run_that_goes_on_counts_what_it_has(store, make_plan):
    gone = JudgeError("nobody answers")
    gone.ends_run = True

    class Leaves(Priced):
        async def ask(self, prompt, *, text):
            if text in ("yes", "no"):
                return await super().ask(prompt, text=text)
            while len(store.results(store.all_runs()[0].info.id)) < 2:
                await asyncio.sleep(0.01)
            raise gone

    steps = []
    one = make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=Leaves())
    with pytest.raises(JudgeError, match="nobody answers"):
        await start(one, store, watch=steps.append)
    assert steps[-1].calls == 2  # told once more when it stopped
    run, more = await watched(replace(one, judge=Priced()), store)
    assert (more[0].judged, more[0].calls, more[0].judgements) == (2, 2, 4)
    assert more[-1].judged == 4
    assert more[-1].calls == run.operations.judge.calls == 4


async def test_a_watcher_that_errs_stops_the_run_with_its_own_error(store, make_plan):
    def errs(step):
        raise ValueError("odd watcher")

    with pytest.raises(ValueError, match="odd watcher"):
        await start(make_plan(FakePipeline(ANSWERS)), store, watch=errs)


def test_between_cases_it_tells_ten_times_a_second_at_most():
    steps = []

    async def judge_slowly():
        tally = Tally(1, 1000, 0, Meter(), steps.append)
        tally.begin("answering")
        for _ in range(1000):
            await asyncio.sleep(0.01)
            tally.judgement(failed=False)
        tally.case(failed=False)

    in_virtual_time(judge_slowly())
    assert 90 <= len(steps) <= 102
    between = [step.elapsed_s for step in steps[:-1]]
    assert min(b - a for a, b in pairwise(between)) > BETWEEN_S - 1e-6
    assert (steps[-1].done, steps[-1].judged) == (1, 1000)


async def test_without_a_watcher_nothing_is_made(store, make_plan):
    judge = FakeJudge({"p": {"outcome": "score", "value": 0.5}})
    run = await start(make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=judge), store)
    assert run.metrics["judged"].scored == 4
