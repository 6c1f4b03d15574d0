"""Golden-context mode with contexts that another run retrieved."""

from dataclasses import replace

import msgspec
import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Skip
from acidtest.errors import UsageError
from acidtest.run.start import start
from acidtest.run.suppose import suppose
from acidtest.testing import FakePipeline

FED = {
    "a": (Chunk(id="p", text="P text", rank=1),),
    "b": (),
    "c": (Chunk(id="q", text="Q text", rank=1), Chunk(id="p", text="P text", rank=2)),
    "d": (Chunk(id="p", text="P text", rank=1),),
}


@pytest.fixture
def fed(make_plan):
    def make(pipeline, contexts=FED, **settings):
        settings = {"mode": "golden-context", "contexts_from": "r1"} | settings
        return make_plan(pipeline, contexts=contexts, **settings)

    return make


async def test_every_case_gets_what_was_given_evidence_or_not(store, fed):
    pipeline = FakePipeline({"a": "yes", "b": "no", "c": "none", "d": "x"})
    run = await start(fed(pipeline), store)
    assert pipeline.contexts == FED
    assert [case.retrieved for case in run.cases] == list(FED.values())
    by_id = {case.id: case for case in run.cases}
    assert by_id["b"].scores["same"].value == 1.0
    assert by_id["a"].scores["recall"] == Skip("golden-context: the contexts were given")


async def test_the_run_says_whose_contexts_they_were_and_others_say_nothing(store, fed, make_plan):
    run = await start(fed(FakePipeline(lambda _: "yes")), store)
    assert run.info.contexts_from == "r1"
    assert msgspec.json.decode(run.to_json())["run"]["contexts_from"] == "r1"
    other = await start(make_plan(FakePipeline(lambda _: "yes")), store)
    assert not other.info.contexts_from
    assert "contexts_from" not in msgspec.json.decode(other.to_json())["run"]


def test_contexts_tell_plans_apart_and_the_run_they_are_from_does_not(fed, make_plan):
    pipeline = FakePipeline(lambda _: "yes")
    plan = fed(pipeline)
    assert plan.hash == fed(pipeline, contexts_from="r2").hash
    assert plan.hash != fed(pipeline, contexts={**FED, "b": FED["a"]}).hash
    assert plan.hash != make_plan(pipeline, mode="golden-context").hash
    assert plan.hash == fed(pipeline, contexts={**FED, "other": ()}).hash


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mode": "live"}, "contexts are given in golden-context mode, not in mode 'live'"),
        ({"contexts": {"a": ()}}, "no contexts are given for case 'b'"),
    ],
)
async def test_a_plan_whose_contexts_cannot_be_used_is_refused(settings, message, store, fed):
    pipeline = FakePipeline(lambda _: "yes")
    with pytest.raises(UsageError) as caught:
        await start(fed(pipeline, **settings), store)
    assert message in str(caught.value)
    assert not pipeline.calls


async def test_an_estimate_takes_the_given_contexts_and_no_other_run_for_them(
    store, fed, make_plan
):
    pipeline = FakePipeline(lambda _: "yes")
    await start(make_plan(pipeline, mode="golden-context"), store)
    supposed = await suppose(fed(pipeline), store)
    assert supposed.pipeline_calls == 4
    assert supposed.run is None
    assert [each.most.retrieved for each in supposed.cases.values()] == list(FED.values())
    await start(fed(pipeline), store)
    again = await suppose(replace(make_plan(pipeline, mode="golden-context"), name="x"), store)
    assert {i: each.most.retrieved for i, each in again.cases.items()}["a"][0].id == "x"
