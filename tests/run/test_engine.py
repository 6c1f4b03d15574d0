import asyncio
import os
import socket
import subprocess
import sys
import textwrap
from dataclasses import replace

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, Outcome, Score, Skip
from acidtest.data.use import JudgeUse
from acidtest.errors import JudgeError, PipelineError, StoreError, UsageError
from acidtest.metrics.bound import Bound, bind
from acidtest.metrics.declare import metric
from acidtest.ports import Embedder, PipelineOptions, Spent
from acidtest.run.start import start
from acidtest.store.owner import birth
from acidtest.testing import FakeJudge, FakePipeline

ANSWERS = {
    "a": {"text": "yes", "retrieved": [{"id": "y"}, {"id": "z"}]},
    "b": {"text": "yes", "retrieved": [{"id": "1", "doc_id": "e"}, {"id": "2", "doc_id": "d"}]},
    "c": {"text": "I do not know", "retrieved": []},
    "d": "anything",
}


def values(run, metric):
    return {c.id: c.scores[metric] for c in run.cases}


async def test_scores_and_their_reasons(store, make_plan):
    run = await start(make_plan(FakePipeline(ANSWERS)), store)
    assert [c.id for c in run.cases] == ["a", "b", "c", "d"]
    assert run.info.status == "finished"
    assert values(run, "found@1") == {
        "a": Score(1.0),
        "b": Score(0.0),
        "c": Skip("the case must abstain: nothing is relevant to it"),
        "d": Skip("the case has no labels"),
    }
    assert values(run, "recall")["a"] == Score(0.5)
    assert values(run, "recall")["b"] == Score(1.0)  # documents, when the labels are documents
    assert values(run, "same")["a"] == Score(1.0, "compared")
    assert values(run, "same")["d"] == Skip("the case has no reference")
    s = run.metrics["same"]
    assert (s.mean, s.n, s.scored, s.skipped, s.failed) == (0.5, 4, 2, 2, 0)
    assert run.tags == {
        "doc": {"found@1": 0.0, "recall": 1.0, "same": 0.0},
        "easy": {"found@1": 0.5, "recall": 0.75, "same": 0.5},
    }
    assert [c.rank for c in run.cases[0].retrieved] == [1, 2]


async def test_a_pipeline_that_fails_fails_its_case_only(store, make_plan):
    answers = {**ANSWERS, "a": PipelineError("it broke", detail="the traceback")}
    run = await start(make_plan(FakePipeline(answers)), store)
    assert run.cases[0].failure == Failure("it broke", "the traceback")
    assert values(run, "found@1")["a"] == Failure("the pipeline failed: it broke")
    assert run.metrics["found@1"].failed == 1
    assert run.metrics["found@1"].scored == 1
    assert run.info.status == "finished"


async def test_what_was_retrieved_before_generation_failed_still_counts(store, make_plan, cases):
    error = PipelineError("the generator broke")
    error.partial = Answer(case_id="a", retrieved=(Chunk(id="x"),))
    run = await start(make_plan(FakePipeline({"a": error}), cases[:1]), store)
    assert run.cases[0].failure == Failure("the generator broke")
    assert run.cases[0].retrieved == (Chunk(id="x", rank=1),)
    assert values(run, "recall")["a"] == Score(0.5)
    assert values(run, "same")["a"] == Failure("the pipeline failed: the generator broke")


async def test_a_judge_that_fails_is_a_failure_with_its_reply(store, make_plan, judge_that_fails):
    plan = make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=judge_that_fails)
    run = await start(plan, store)
    assert set(values(run, "judged").values()) == {Failure("no verdict", "raw reply")}
    assert run.metrics["judged"].mean is None


async def test_an_endpoint_that_is_gone_stops_the_run_which_goes_on_later(store, make_plan):
    gone = JudgeError("nobody answers")
    gone.ends_run = True
    pipeline = FakePipeline(ANSWERS)
    plan = make_plan(pipeline, metrics=("same", "judged"), judge=FakeJudge({"p": gone}))
    with pytest.raises(JudgeError, match="nobody answers"):
        await start(plan, store)
    stopped = store.all_runs()[0]
    assert stopped.info.status == "interrupted"
    assert not [r for r in store.results(stopped.info.id) if r.metric == "judged"]
    asked = len(pipeline.calls)
    run = await start(make_plan(pipeline, metrics=("same", "judged")), store)
    assert run.id == stopped.info.id
    assert run.metrics["judged"].scored == 4
    assert len(pipeline.calls) == 4
    assert asked <= 4


@pytest.mark.parametrize(
    ("returned", "why"),
    [
        (ValueError("one odd case"), "raised ValueError: one odd case"),
        (object(), "raised TypeError"),
        (Score(float("nan")), "no number"),
        (Score(1e308), "too large"),
        (Score(1.0, parts={"claims": float("inf")}), "no number"),
        (Score(1.0, evidence=({"a": object()},)), "raised TypeError"),
        (Score(1.0, reason="\ud800"), "raised UnicodeEncodeError"),
        ("text", "returned str"),
    ],
)
async def test_an_own_metric_that_errs_fails_its_case_only(store, make_plan, cases, returned, why):
    @metric(stage="generation")
    def own(text: str):
        """Err on one case."""
        if text != "yes":
            return 0.5
        if isinstance(returned, Exception):
            raise returned
        return returned

    plan = replace(
        make_plan(FakePipeline({"a": "yes", "b": "no"}), cases[:2]), metrics=[Bound(own, {})]
    )
    run = await start(plan, store)
    assert why in run.cases[0].scores["own"].why
    assert run.cases[1].scores["own"] == Score(0.5)


async def test_a_score_outside_what_its_name_stands_for_is_a_failure(store, make_plan, cases):
    @metric(stage="retrieval")
    def mrr(text: str):
        """Count from 0 to 10, under a name that others read as a share."""
        return 7.0 if text == "yes" else 0.5

    plan = replace(
        make_plan(FakePipeline({"a": "yes", "b": "no"}), cases[:2]), metrics=[Bound(mrr, {})]
    )
    run = await start(plan, store)
    assert "one of this name is from 0 to 1: give it another name" in run.cases[0].scores["mrr"].why
    assert run.cases[1].scores["mrr"] == Score(0.5)


async def test_what_was_spent_without_a_verdict_is_counted(store, make_plan, cases):
    lost = JudgeError("no verdict")
    lost.spent = Spent(attempts=3, input_tokens=100, output_tokens=20, cost_usd=0.5)
    plan = make_plan(
        FakePipeline(ANSWERS), cases[:1], metrics=("judged",), judge=FakeJudge({"p": lost})
    )
    run = await start(plan, store)
    assert run.operations.judge == JudgeUse(calls=3, tokens=120, cost_usd=0.5)


async def test_each_draw_has_a_judge_of_its_own(store, make_plan, cases):
    judges = [FakeJudge({"p": {"outcome": "score", "value": float(n)}}) for n in range(3)]
    plan = make_plan(
        FakePipeline(ANSWERS),
        cases[:1],
        metrics=("judged",),
        repeat=3,
        judge_of=lambda judge, draw: judges[draw],
    )
    run = await start(plan, store)
    assert run.cases[0].scores["judged"].value == 1.0
    assert [len(judge.calls) for judge in judges] == [1, 1, 1]


async def test_what_the_pipeline_does_not_say_skips(store, make_plan):
    answers = {
        "a": {"text": "yes"},
        "b": {"retrieved": [{"text": "no ids"}]},
        "c": "",
        "d": {"retrieved": []},
    }
    run = await start(make_plan(FakePipeline(answers)), store)
    assert values(run, "recall")["a"] == Skip("the pipeline does not say what it retrieved")
    assert values(run, "recall")["b"] == Skip("the retrieved chunks have no ids")
    assert values(run, "same")["b"] == Skip("the pipeline gave no answer")


async def test_nothing_retrieved_is_zero_not_a_skip(store, make_plan, cases):
    pipeline = FakePipeline({"a": {"retrieved": []}, "b": {"retrieved": []}})
    run = await start(make_plan(pipeline, cases[:2]), store)
    assert [o.value for o in values(run, "recall").values()] == [0.0, 0.0]


async def test_candidates_are_scored_on_their_own(store, make_plan, bound, cases):
    first_stage = bind(bound["recall"].metric, "recall(of=candidates)@3")
    assert first_stage.name == "recall(of=candidates)@3"
    pipeline = FakePipeline(
        {
            "a": {
                "retrieved": [{"id": "z"}],
                "candidates": [{"id": "x"}, {"id": "z"}, {"id": "y"}],
            },
            "b": {"retrieved": [{"id": "1", "doc_id": "d"}]},
        }
    )
    plan = replace(make_plan(pipeline, cases[:2]), metrics=[bound["recall"], first_stage])
    run = await start(plan, store)
    assert run.cases[0].scores == {"recall": Score(0.0), first_stage.name: Score(1.0)}
    why = "the pipeline does not say its first-stage candidates"
    assert run.cases[1].scores == {"recall": Score(1.0), first_stage.name: Skip(why)}


async def test_unanswerable_counted_by_setting(store, make_plan):
    run = await start(make_plan(FakePipeline(ANSWERS), unanswerable="one"), store)
    assert values(run, "recall")["c"].value == 1.0
    assert isinstance(values(run, "found@1")["c"], Skip)


async def test_golden_context_hands_over_the_evidence(store, make_plan, cases):
    pipeline = FakePipeline({"a": "yes", "b": "no", "c": "none", "d": "x"})
    run = await start(make_plan(pipeline, mode="golden-context"), store)
    assert pipeline.contexts["a"] == (Chunk(id="x", text="X text", doc_id="d", rank=1),)
    assert pipeline.contexts["c"] == ()
    assert {case for case, _ in pipeline.calls} == {"a", "c"}
    assert values(run, "same")["a"].value == 1.0
    assert values(run, "same")["b"] == Skip(
        "golden-context needs evidence text, and the case has none"
    )
    assert values(run, "recall")["a"] == Skip("golden-context: the contexts were given")
    assert run.cases[0].retrieved == pipeline.contexts["a"]


async def test_retrieval_only_asks_for_no_answer(store, make_plan):
    run = await start(make_plan(FakePipeline(ANSWERS), mode="retrieval-only"), store)
    assert values(run, "same")["a"] == Skip("retrieval-only: no answer was asked for")
    assert values(run, "recall")["a"].value == 0.5


async def test_bounds_are_kept(store, make_plan, cases):
    flying = peak = 0

    class Slow(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            nonlocal flying, peak
            flying += 1
            peak = max(peak, flying)
            await asyncio.sleep(0.005)
            flying -= 1
            return await super().ask(case, mode=mode, contexts=contexts)

    many = [type(cases[3])(id=str(n), question=f"{n}?") for n in range(30)]
    pipeline = Slow(lambda case: case.id, options=PipelineOptions(concurrency=3))
    run = await start(make_plan(pipeline, many, metrics=("same",)), store)
    assert peak == 3
    assert [c.answer for c in run.cases] == [str(n) for n in range(30)]


async def test_computing_waits_for_the_last_answer_and_asking_a_judge_does_not(
    store, make_plan, cases
):
    order = []

    class Noting(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            await asyncio.sleep(0.02)
            order.append(f"answered {case.id}")
            return await super().ask(case, mode=mode, contexts=contexts)

    @metric(stage="generation")
    def computed(case: Case, text: str):
        order.append("computed")
        return 1.0

    def judged(fields):
        order.append("judged")
        return {"outcome": "score", "value": 1.0}

    for waits in (True, False):
        order.clear()
        pipeline = Noting(ANSWERS, options=PipelineOptions(concurrency=1))
        plan = make_plan(
            pipeline, metrics=("judged",), judge=FakeJudge({"p": judged}), judge_waits=waits
        )
        await start(replace(plan, metrics=[*plan.metrics, Bound(computed, {})]), store, fresh=True)
        assert order.index("computed") > order.index("answered d")
        assert (order.index("judged") < order.index("answered d")) is waits


async def test_repeated_judgements_are_averaged(store, make_plan, cases):
    says = [{"outcome": "score", "value": v, "parts": {"claims": 2}} for v in (0.0, 1.0, 1.0)]
    plan = make_plan(
        FakePipeline(ANSWERS),
        cases[:1],
        metrics=("judged",),
        judge=FakeJudge({"p": says}),
        repeat=3,
    )
    run = await start(plan, store)
    outcome = run.cases[0].scores["judged"]
    assert outcome.value == pytest.approx(2 / 3)
    assert outcome.reason.startswith("mean of 3 trials, 0 to 1")
    assert outcome.parts == {"claims": 6}
    assert run.operations.judge == JudgeUse(calls=3, cost_usd=None, models=("fake",))


async def test_an_interrupted_run_goes_on_where_it_was(store, make_plan, cases):
    gate = asyncio.Event()
    asked = []

    class Stuck(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            asked.append(case.id)
            if case.id == "c":
                await gate.wait()
            return await super().ask(case, mode=mode, contexts=contexts)

    pipeline = Stuck(ANSWERS)
    metrics = ("same", "judged")
    judge = FakeJudge({"p": {"outcome": "score", "value": 1.0}})
    task = asyncio.create_task(start(make_plan(pipeline, metrics=metrics, judge=judge), store))
    while len(store.all_runs()) == 0 or len(store.results(store.all_runs()[0].info.id)) < 3:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert pipeline.closed
    first = store.all_runs()[0]
    assert first.info.status == "interrupted"

    told = []
    gate.set()
    asked_before, judged_before = list(asked), len(judge.calls)
    run = await start(
        make_plan(Stuck(ANSWERS), metrics=metrics, judge=judge), store, told=told.append
    )
    assert run.id == first.info.id
    assert told == [f"Going on with run {run.id}: 3 of 4 answered."]
    assert asked[len(asked_before) :] == ["c"]
    assert len(judge.calls) == judged_before + 1
    assert run.metrics["judged"].scored == 4
    assert run.operations.judge == JudgeUse(calls=4, cost_usd=None, models=("fake",))

    again = await start(make_plan(Stuck(ANSWERS), metrics=metrics, judge=judge), store)
    assert again.id != run.id


async def test_a_run_that_goes_on_asks_the_judge_again_for_what_failed(store, make_plan, cases):
    working = False

    class Flaky(FakeJudge):
        async def ask(self, prompt, **fields):
            if not working and fields["text"] == "I do not know":
                raise JudgeError("busy")
            return await super().ask(prompt, **fields)

    class Broken(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            if not working and case.id == "d":
                while len(store.results(store.all_runs()[0].info.id)) < 3:
                    await asyncio.sleep(0.01)
                raise RuntimeError("stops the run")
            return await super().ask(case, mode=mode, contexts=contexts)

    judge = Flaky({"p": {"outcome": "score", "value": 1.0}})
    with pytest.raises(RuntimeError, match="stops the run"):
        await start(make_plan(Broken(ANSWERS), metrics=("judged",), judge=judge), store)
    stored = {r.case_id: r.outcome for r in store.results(store.all_runs()[0].info.id)}
    assert isinstance(stored["c"], Failure)

    working, before = True, len(judge.calls)
    run = await start(make_plan(Broken(ANSWERS), metrics=("judged",), judge=judge), store)
    assert run.id == store.all_runs()[0].info.id
    assert run.metrics["judged"].scored == 4
    assert len(judge.calls) == before + 2


async def test_fresh_starts_anew(store, make_plan):
    class Broken(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            raise RuntimeError("a bug, not a pipeline's failure")

    with pytest.raises(RuntimeError, match="a bug"):
        await start(make_plan(Broken(ANSWERS)), store)
    broken = store.all_runs()[0]
    assert broken.info.status == "interrupted"
    run = await start(make_plan(FakePipeline(ANSWERS)), store, fresh=True)
    assert run.id != broken.info.id


async def test_another_process_at_the_same_run_is_not_disturbed(store, make_plan):
    plan = make_plan(FakePipeline(ANSWERS))
    run = await start(plan, store)
    parent = os.getppid()
    parent = f"{socket.gethostname()}:{parent}:{birth(parent)}"
    store.set_status(run.id, "running", owner=parent)
    with pytest.raises(UsageError, match="is being made by process"):
        await start(plan, store)


async def test_a_store_that_fails_stops_the_run_with_its_reason(store, make_plan, monkeypatch):
    def full(*_, **__):
        raise StoreError("the store cannot be used: disk full")

    monkeypatch.setattr(store, "save", full)
    with pytest.raises(StoreError, match="disk full"):
        await start(make_plan(FakePipeline(ANSWERS)), store)
    assert store.all_runs()[0].info.status == "interrupted"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cases": ()}, "no case is left"),
        ({"metrics": ()}, "no metric"),
        ({"repeat": 0}, "repeat is 0"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"metrics": ("same", "same")}, "named twice"),
        ({"metrics": ("judged",), "judge": None}, "needs a judge"),
    ],
)
async def test_plans_that_cannot_be(store, make_plan, changes, message):
    with pytest.raises(UsageError, match=message):
        await start(make_plan(FakePipeline(ANSWERS), **changes), store)
    assert store.all_runs() == []


async def test_a_mode_that_the_pipeline_refuses(store, make_plan):
    pipeline = FakePipeline(ANSWERS, refuse={"retrieval-only": "it only answers"})
    with pytest.raises(UsageError, match="it only answers"):
        await start(make_plan(pipeline, mode="retrieval-only"), store)
    assert pipeline.closed


def test_the_plan_tells_itself_from_others(make_plan, cases):
    pipeline = FakePipeline(ANSWERS)
    base = make_plan(pipeline)
    assert base.hash == make_plan(FakePipeline(ANSWERS)).hash
    others = [
        make_plan(pipeline, cases[:2]),
        make_plan(pipeline, metrics=("recall",)),
        make_plan(pipeline, mode="retrieval-only"),
        make_plan(pipeline, unanswerable="one"),
        make_plan(FakePipeline(ANSWERS, name="other")),
        make_plan(pipeline, metrics=("recall", "judged")),
        make_plan(pipeline, metrics=("recall", "judged"), judge=FakeJudge({}, model="m2")),
        make_plan(pipeline, metrics=("recall", "judged"), repeat=2),
    ]
    assert len({base.hash, *(plan.hash for plan in others)}) == 9


KILLED = textwrap.dedent(
    """
    import asyncio, os, sys
    from acidtest.data.golden import Case
    from acidtest.metrics.bound import Bound
    from acidtest.metrics.declare import metric
    from acidtest.data.outcomes import Score
    from acidtest.run.plan import Plan
    from acidtest.run.start import start
    from acidtest.store.runs import Store
    from acidtest.testing import FakePipeline

    store_path, log, kill_at = sys.argv[1], sys.argv[2], int(sys.argv[3])

    def same(text: str):
        return Score(1.0)

    same.__annotations__ = {"text": str}
    counter = 0

    class Pipeline(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            global counter
            counter += 1
            with open(log, "a") as stream:
                stream.write(case.id + "\\n")
            if counter == kill_at:
                os.kill(os.getpid(), 9)
            await asyncio.sleep(0.002)
            return await super().ask(case, mode=mode, contexts=contexts)

    plan = Plan(
        name="k", pipeline=Pipeline(lambda case: case.id), golden_version="v", golden_path=None,
        cases=[Case(id=str(n), question=str(n)) for n in range(40)],
        metrics=[Bound(metric(stage="generation")(same), {})],
    )
    with Store(store_path) as store:
        run = asyncio.run(start(plan, store))
    print(run.metrics["same"].scored, len(store.all_runs()))
    """
)


@pytest.mark.parametrize("kill_at", [1, 7, 23])
def test_kill_9_loses_no_stored_answer(tmp_path, kill_at):
    store_path, log = tmp_path / "store.db", tmp_path / "log"

    def go(kill):
        return subprocess.run(
            [sys.executable, "-c", KILLED, str(store_path), str(log), str(kill)],
            capture_output=True,
            text=True,
        )

    assert go(kill_at).returncode == -9
    first = log.read_text().split()
    done = go(-1)
    assert done.stdout.split() == ["40", "1"], done.stderr
    asked = log.read_text().split()
    assert set(asked) == {str(n) for n in range(40)}
    # Only what was in flight when the power went may be asked twice: at most the pipeline's slots.
    assert len(asked) - 40 <= 4
    assert len(first) == kill_at


def test_another_embedder_is_another_plan(make_plan, bound):
    @metric(stage="end_to_end")
    def near(text: str, embedder: Embedder) -> Outcome:
        return Score(1.0)

    class Named:
        def __init__(self, model):
            self.model = model

        async def embed(self, texts):
            return [[1.0] for _ in texts]

    def plan(embedder, metrics):
        return replace(make_plan(FakePipeline(ANSWERS)), embedder=embedder, metrics=metrics)

    used = [Bound(near, {})]
    assert plan(Named("a"), used).hash == plan(Named("a"), used).hash
    assert plan(Named("a"), used).hash != plan(Named("b"), used).hash
    unused = [bound["same"]]
    assert plan(Named("a"), unused).hash == plan(None, unused).hash
