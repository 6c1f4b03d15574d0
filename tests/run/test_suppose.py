"""What a pipeline is supposed to answer; it is never asked."""

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, Evidence
from acidtest.errors import JudgeError
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.ports import PipelineOptions
from acidtest.run.start import start
from acidtest.run.suppose import LONG, PASSAGES, suppose
from acidtest.testing import FakeJudge, FakePipeline
from acidtest.text.refusal import declined

CASES = (
    Case(
        id="a",
        question="When?",
        reference="Within 14 days.",
        evidence=(Evidence(text="Paid within 14 days."),),
    ),
    Case(id="b", question="What?", evidence=(Evidence(text="The Pro plan."),)),
    Case(id="c", question="Who won?", answerable=False),
    Case(id="d", question="How?", reference="By post."),
)


def answers(word):
    return {
        case.id: {"text": f"{word} for {case.id}", "retrieved": [{"id": "1", "text": word}]}
        for case in CASES
    }


async def ran(make_plan, store, told, **settings):
    plan = make_plan(FakePipeline(told, name="p"), cases=CASES, metrics=("judged",), **settings)
    return await start(plan, store, fresh=True)


@pytest.fixture
def plan(make_plan):
    def make(told=None, **settings):
        pipeline = FakePipeline({} if told is None else told, name="p")
        return make_plan(pipeline, cases=CASES, metrics=("judged",), **settings)

    return make


async def test_a_guess_has_two_ends(plan):
    made = plan()
    said = await suppose(made, None)
    assert made.pipeline.calls == []
    assert {each.basis for each in said.cases.values()} == {"guess"}
    assert (said.pipeline_calls, said.run, said.done) == (4, None, frozenset())
    a, b, c, d = said.cases.values()
    assert a.least.text == "Within 14 days."
    assert [chunk.text for chunk in a.least.retrieved] == ["Paid within 14 days."]
    assert len(a.most.text) > 2 * len(a.least.text)
    assert b.least.text == "By post."  # nothing is known: the usual reference
    assert declined(c.least.text).declined
    assert not declined(c.most.text).declined
    assert len(d.least.retrieved) == 1
    for each in (a, b, c, d):
        texts = [chunk.text for chunk in each.most.retrieved]
        assert len(set(texts)) == PASSAGES
        assert all(LONG <= len(text) < 1.2 * LONG for text in texts)


async def test_the_pipelines_k_says_how_many_passages_come(make_plan):
    pipeline = FakePipeline({}, options=PipelineOptions(k=2))
    said = await suppose(make_plan(pipeline, cases=CASES, metrics=("judged",)), None)
    assert {len(each.most.retrieved) for each in said.cases.values()} == {2}


async def test_a_set_that_says_nothing(make_plan):
    bare = (Case(id="x", question="?"),)
    said = await suppose(make_plan(FakePipeline({}), cases=bare, metrics=("judged",)), None)
    assert said.cases["x"].least.text
    assert said.cases["x"].least.retrieved


async def test_modes(plan):
    given = await suppose(plan(mode="golden-context"), None)
    assert given.pipeline_calls == 3  # d has no evidence: it is not asked
    assert given.cases["a"].least.retrieved == given.cases["a"].most.retrieved
    assert given.cases["a"].least.retrieved[0].text == "Paid within 14 days."
    assert given.cases["d"].most.text is None
    only = await suppose(plan(mode="retrieval-only"), None)
    assert {each.most.text for each in only.cases.values()} == {None}
    assert only.cases["a"].most.retrieved


async def test_recorded_outputs_are_known(make_plan):
    rows = [
        Answer(case_id="a", text="Now.", retrieved=(Chunk(id="1", text="t"),)),
        Answer(case_id="b"),
    ]
    made = make_plan(RecordedPipeline(rows), cases=CASES, metrics=("judged",))
    said = await suppose(made, None)
    assert {each.basis for each in said.cases.values()} == {"recorded"}
    assert said.pipeline_calls == 0
    assert said.cases["a"].least.text == "Now."
    assert said.cases["a"].least is said.cases["a"].most
    assert said.cases["b"].least.failure  # an empty row
    assert said.cases["c"].least.failure  # no row


async def test_an_earlier_run_says_what_was_answered(plan, make_plan, store):
    told = {**answers("now"), "b": "I don't know.", "d": RuntimeError("broken")}
    del told["d"]
    run = await ran(make_plan, store, told)
    said = await suppose(plan(), store, fresh=True)
    assert (said.run, said.steady) == (run.id, False)
    a, b, _, d = said.cases.values()
    assert a.basis == "earlier run"
    assert a.least.text == a.most.text == "now for a"
    # What was declined may be answered the next time; what failed then is guessed.
    assert declined(b.least.text).declined
    assert not declined(b.most.text).declined
    assert d.basis == "guess"


async def test_two_runs_alike_are_taken_to_be_steady(plan, make_plan, store):
    for _ in range(2):
        await ran(make_plan, store, answers("now"))
    assert (await suppose(plan(), store, fresh=True)).steady
    await ran(make_plan, store, answers("later"))
    said = await suppose(plan(), store, fresh=True)
    assert not said.steady
    assert said.cases["a"].least.text == "later for a"


async def test_runs_of_another_mode_set_or_pipeline_say_nothing(plan, make_plan, store):
    await ran(make_plan, store, answers("now"), mode="retrieval-only")
    said = await suppose(plan(), store, fresh=True)
    assert {each.basis for each in said.cases.values()} == {"guess"}


async def test_an_unfinished_run_is_known_as_far_as_it_came(plan, store):
    class Gone(JudgeError):
        ends_run = True

    broken = plan(answers("now"), judge=FakeJudge({"p": Gone("gone")}), concurrency=1)
    with pytest.raises(Gone):
        await start(broken, store)
    had = store.answers(store.unfinished(broken.hash).info.id)
    assert 0 < len(had) <= len(CASES)
    said = await suppose(plan(judge=FakeJudge({})), store)
    known = [i for i, each in said.cases.items() if each.basis == "recorded"]
    assert sorted(known) == sorted(had)
    assert said.pipeline_calls == len(CASES) - len(had)
    assert (await suppose(plan(judge=FakeJudge({})), store, fresh=True)).pipeline_calls == 4


async def test_a_damaged_run_is_passed_over(plan, make_plan, store):
    first = await ran(make_plan, store, answers("now"))
    second = await ran(make_plan, store, answers("later"))
    with store._begin() as connection:
        connection.exec_driver_sql(
            "update answers set body = '{' where run_id = ? and case_id = 'a'", (second.id,)
        )
    said = await suppose(plan(), store, fresh=True)
    assert (said.run, said.steady) == (first.id, False)
