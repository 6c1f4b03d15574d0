"""`evaluate` with judges by name: endpoints are looked up first, budgets hold, cascades are reported."""

import json

import pytest
from tests.judges.stub import chat, says, serving

import acidtest as at
from acidtest.errors import BudgetSpent, JudgeError, UsageError
from acidtest.judges.cascade import Cascade
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.panel import Panel
from acidtest.store.runs import Store
from acidtest.testing import FakeJudge

GOLDEN = [
    {"id": str(n), "question": f"What is {n}?", "reference": f"It is {n} in words."}
    for n in range(6)
]
asked_of_pipeline = []


def answer(question):
    asked_of_pipeline.append(question)
    return {"answer": "Nobody can say that in words.", "contexts": ["The price is 3 euros."]}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ACIDTEST_STORE"):
        monkeypatch.delenv(name, raising=False)
    asked_of_pipeline.clear()
    return tmp_path


def model(asked):
    return chat(asked) if asked.method == "POST" else says({"data": [{"id": "other"}]})


async def judged(**options):
    return await at.aevaluate(answer, GOLDEN, metrics=["answer_relevance"], **options)


async def test_an_endpoint_that_is_not_there_is_told_before_the_pipeline_is_asked(
    monkeypatch, here
):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(JudgeError, match=r"no connection to 127.0.0.1:9"):
        await judged(judge="local > openai:m")
    with pytest.raises(JudgeError, match=r"no connection to 127.0.0.1:9"):
        await at.aevaluate(answer, GOLDEN, metrics=["semantic_similarity"], embedder="openai:e")
    assert asked_of_pipeline == []
    assert not (here / ".acidtest").exists()


async def test_warnings_are_told(monkeypatch):
    async with serving(model) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{endpoint.origin}/v1")
        told = []
        run = await judged(judge="openai:m", told=told.append)
        assert run.metrics["answer_relevance"].scored == 6
        assert len(told) == 1
        assert "does not list the model 'm'" in told[0]
        await judged(judge="openai:m")  # nobody listens


async def test_budgets_are_arguments(monkeypatch, here):
    async with serving(model) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{endpoint.origin}/v1")
        with pytest.raises(UsageError, match="needs the price"):
            await judged(judge="openai:m", budget_usd=1.0)
        with pytest.raises(BudgetSpent, match="500 tokens is used up"):
            await judged(judge="openai:m", budget_tokens=500, concurrency=1)
        asked = [each for each in endpoint.asked if each.method == "POST"]
        with Store(str(here / ".acidtest" / "store.db")) as store:
            (stored,) = store.all_runs()
        # What was spent is known to the store, all of it.
        sizes = [json.loads(chat(each).body)["usage"]["total_tokens"] for each in asked]
        assert stored.judge_use.tokens == sum(sizes) >= 500
        run = await judged(judge="openai:m", budget_tokens=50_000)
        assert run.id == stored.info.id
        assert run.operations.judge.calls == 6
    for wrong in ({"budget_usd": -1}, {"budget_tokens": -5}):
        with pytest.raises(UsageError, match="Give 0 or more"):
            await judged(judge="local", **wrong)


async def test_the_configured_budget_is_not_that_of_objects(here):
    (here / "acidtest.toml").write_text("[judge]\nbudget_usd = 0.0\n")
    reply = {"answer_relevance": {"why": "w", "verdict": "complete"}}
    run = await judged(judge=FakeJudge(reply))
    assert run.metrics["answer_relevance"].mean == 1.0
    with pytest.raises(BudgetSpent):
        await judged(judge=FakeJudge(reply, model="another"), budget_usd=0.0)


async def test_a_cascade_of_objects_is_reported_and_still_counts_itself():
    reply = {"answer_relevance": {"why": "w", "verdict": "complete"}}
    cascade = Cascade(LocalJudge(), FakeJudge(reply))
    run = await judged(judge=cascade)
    use = run.operations.judge
    assert use.cascade == cascade.use
    assert (use.cascade.asked, use.cascade.spared) == (6, 0)
    assert use.calls == 6
    again = await judged(judge=cascade)
    assert (again.operations.judge.calls, again.operations.judge.cached) == (0, 6)
    assert again.operations.judge.cascade.asked == 6  # that of the run, not of the object
    assert cascade.use.asked == 12
    at.load_run(_saved(again))


def _saved(run):
    run.save("run.json")
    return "run.json"


async def test_an_interrupted_run_adds_up(here):
    reply = {"why": "w", "verdict": "complete"}
    said = [reply, reply, BudgetSpent("enough"), reply]
    cascade = Cascade(LocalJudge(), FakeJudge({"answer_relevance": said}))
    with pytest.raises(BudgetSpent):
        await judged(judge=cascade, concurrency=1)
    run = await judged(judge=cascade, concurrency=1)
    use = run.operations.judge
    assert use.calls == 6
    assert use.cascade.asked == cascade.use.asked


async def test_a_panel_that_is_stopped_half_way_asks_none_twice_that_answered():
    reply = {"why": "w", "verdict": "complete"}
    steady = FakeJudge({"answer_relevance": reply}, model="steady")
    stops = FakeJudge({"answer_relevance": [BudgetSpent("enough"), reply]}, model="stops")
    with pytest.raises(BudgetSpent):
        await judged(judge=Panel([steady, stops]))
    run = await judged(judge=Panel([steady, stops]))
    assert run.metrics["answer_relevance"].scored == 6
    assert len(steady.calls) == 6
    assert run.operations.judge.panel["answer_relevance"].unanimous == 6
