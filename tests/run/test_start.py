"""Who gets a run, who may go on with it, and what never gets as far as the store."""

import asyncio
import subprocess
import sys
import textwrap
import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure
from acidtest.errors import PipelineError, UsageError
from acidtest.run.start import start
from acidtest.store import tables
from acidtest.store.runs import Store
from acidtest.testing import FakePipeline


class Counting(FakePipeline):
    """A pipeline that says when it is asked, and answers when it may."""

    def __init__(self):
        super().__init__(lambda case: case.id)
        self.asked = threading.Event()
        self.may = threading.Event()

    async def ask(self, case, *, mode="live", contexts=None):
        self.asked.set()
        while not self.may.is_set():
            await asyncio.sleep(0.005)
        return await super().ask(case, mode=mode, contexts=contexts)


async def interrupted(store, make_plan):
    """Leave an unfinished run behind; nothing of it was answered."""

    class Broken(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        await start(make_plan(Broken({})), store)
    return store.all_runs()[0]


def in_thread(plan, path, outcome):
    def work():
        try:
            with Store(path) as store:
                outcome.append(asyncio.run(start(plan, store)))
        except UsageError as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


async def test_two_calls_in_one_process_do_not_share_a_run(store, make_plan):
    first, second = Counting(), Counting()
    outcome = []
    thread = in_thread(make_plan(first), store.url, outcome)
    while not first.asked.is_set():
        await asyncio.sleep(0.005)
    with pytest.raises(UsageError, match="is being made by process"):
        await start(make_plan(second), store)
    assert not second.asked.is_set()
    first.may.set()
    while thread.is_alive():
        await asyncio.sleep(0.005)
    thread.join()
    assert outcome[0].info.status == "finished"
    assert len(first.calls) == 4


async def test_two_that_start_in_the_same_moment_do_not_both_start(store, make_plan, monkeypatch):
    first, second = Counting(), Counting()
    outcome = []
    thread = in_thread(make_plan(first), store.url, outcome)
    while not first.asked.is_set():
        await asyncio.sleep(0.005)
    # The second one had looked before there was anything to see.
    monkeypatch.setattr(store, "unfinished", lambda _: None)
    with pytest.raises(UsageError, match="is being made by process"):
        await start(make_plan(second), store)
    assert not second.asked.is_set()
    second.may.set()
    assert (await start(make_plan(second), store, fresh=True)).info.status == "finished"
    first.may.set()
    while thread.is_alive():
        await asyncio.sleep(0.005)
    thread.join()
    assert len(store.all_runs()) == 2


async def test_of_two_that_read_the_same_row_one_takes_it(store, make_plan, monkeypatch):
    run = await interrupted(store, make_plan)
    seen = store.unfinished(run.plan_hash)
    assert store.take_over(seen, "one:1:1:a")
    assert not store.take_over(seen, "two:1:1:b")
    assert store.get(run.info.id).owner == "one:1:1:a"
    # The call that looked before the other took it, and comes to take it afterwards.
    monkeypatch.setattr(store, "unfinished", lambda _: seen)
    pipeline = FakePipeline({})
    with pytest.raises(UsageError, match="is being made by process one:1:1:a"):
        await start(make_plan(pipeline), store)
    assert pipeline.calls == []


async def test_who_was_thought_gone_stores_nothing_over_what_another_has_taken_over(
    store, make_plan
):
    first, second = Counting(), FakePipeline(lambda case: f"theirs of {case.id}")
    outcome = []
    thread = in_thread(make_plan(first), store.url, outcome)
    while not first.asked.is_set():
        await asyncio.sleep(0.005)
    # As after a long silence of another host.
    (run,) = store.all_runs()
    store.set_status(run.info.id, "interrupted", owner=run.owner)
    theirs = await start(make_plan(second), store)
    first.may.set()
    while thread.is_alive():
        await asyncio.sleep(0.005)
    thread.join()
    assert "was taken over by another process" in str(outcome[0])
    assert {answer.text for answer in store.answers(run.info.id).values()} == {
        f"theirs of {case.id}" for case in theirs.cases
    }
    assert store.get(run.info.id).info.status == "finished"


async def test_an_owner_that_stores_something_in_between_keeps_its_run(store, make_plan):
    run = await interrupted(store, make_plan)
    store.set_status(run.info.id, "running", owner="far:1:1:a")
    seen = store.get(run.info.id)
    await asyncio.sleep(0.002)
    store.save(run.info.id, [], [])
    assert store.get(run.info.id).touched > seen.touched
    assert not store.take_over(seen, "near:1:1:b")


RESUMER = textwrap.dedent(
    """
    import asyncio, sys, time
    from acidtest.data.golden import Case
    from acidtest.data.outcomes import Score
    from acidtest.errors import UsageError
    from acidtest.metrics.bound import Bound
    from acidtest.metrics.declare import metric
    from acidtest.run.plan import Plan
    from acidtest.run.start import start
    from acidtest.store.runs import Store
    from acidtest.testing import FakePipeline

    path, log, breaks = sys.argv[1], sys.argv[2], sys.argv[3] == "break"

    def same(text: str):
        return Score(1.0)

    same.__annotations__ = {"text": str}

    class Pipeline(FakePipeline):
        async def ask(self, case, *, mode="live", contexts=None):
            if breaks:
                raise RuntimeError("broken")
            with open(log, "a") as stream:
                stream.write(case.id + "\\n")
            await asyncio.sleep(0.1)
            return await super().ask(case, mode=mode, contexts=contexts)

    plan = Plan(
        name="k", pipeline=Pipeline(lambda case: case.id), golden_version="v", golden_path=None,
        cases=[Case(id=str(n), question=str(n)) for n in range(24)],
        metrics=[Bound(metric(stage="generation")(same), {})],
    )
    with Store(path) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            asyncio.run(start(plan, store))
        except UsageError as error:
            print("refused" if "is being made by" in str(error) else error)
        except RuntimeError:
            print("broken")
        else:
            print("finished")
    """
)


def test_several_processes_that_resume_ask_everything_once(tmp_path):
    path, log = tmp_path / "store.db", tmp_path / "log"

    def begin(how):
        return subprocess.Popen(
            [sys.executable, "-c", RESUMER, str(path), str(log), how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    assert begin("break").communicate("go\n")[0].split() == ["ready", "broken"]
    several = [begin("answer") for _ in range(3)]
    assert [child.stdout.readline() for child in several] == ["ready\n"] * 3
    for child in several:
        child.stdin.write("go\n")
        child.stdin.flush()
    said = sorted(child.communicate()[0].strip() for child in several)
    assert said == ["finished", "refused", "refused"]
    assert sorted(log.read_text().split(), key=int) == [str(n) for n in range(24)]
    with Store(str(path)) as store:
        assert [run.info.status for run in store.all_runs()] == ["finished"]


@pytest.mark.parametrize(("minutes", "free"), [(11, True), (9, False)])
async def test_a_run_of_another_host_goes_on_after_ten_minutes(store, make_plan, minutes, free):
    run = await interrupted(store, make_plan)
    store.set_status(run.info.id, "running", owner="a-container:1:77:token")
    touched = (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat()
    with store._engine.begin() as connection:
        connection.execute(update(tables.runs).values(touched=touched))
    plan = make_plan(FakePipeline({i: i for i in "abcd"}))
    if free:
        assert (await start(plan, store)).id == run.info.id
    else:
        with pytest.raises(UsageError, match="is being made by process a-container:1:77:token"):
            await start(plan, store)


async def test_who_lost_its_run_does_not_end_it(store, make_plan):
    pipeline = Counting()
    task = asyncio.create_task(start(make_plan(pipeline), store))
    while not pipeline.asked.is_set():
        await asyncio.sleep(0.005)
    run = store.all_runs()[0]
    assert store.take_over(run, "other:1:1:a")
    pipeline.may.set()
    with pytest.raises(UsageError, match="was taken over by another process"):
        await task
    left = store.get(run.info.id)
    assert (left.info.status, left.owner) == ("running", "other:1:1:a")


ODD = [
    ({"mode": "dead"}, "--mode: 'dead' is not possible"),
    ({"mode": ["live"]}, "--mode: "),
    ({"mode": None}, "--mode: None is not possible"),
    ({"unanswerable": "two"}, "unanswerable: 'two' is not possible. Known: skip, one"),
    ({"name": ""}, "name is empty"),
    ({"name": " \n"}, "name is empty"),
    ({"name": 7}, "name must be text, not int"),
    ({"name": "\ud800"}, "name .* holds half of a surrogate pair"),
    ({"repeat": 0}, "--repeat: repeat is 0"),
    ({"repeat": 1_001}, "--repeat: repeat is 1,001. Give 1,000 or less"),
    ({"repeat": 10**9}, "--repeat: repeat is 1,000,000,000"),
    ({"repeat": True}, "--repeat: repeat is True"),
    ({"repeat": 1.5}, "--repeat: repeat is 1.5"),
    ({"repeat": "2"}, "--repeat: repeat is '2'"),
    ({"concurrency": -1}, "--concurrency: concurrency is -1"),
    ({"concurrency": False}, "--concurrency: concurrency is False"),
    ({"concurrency": None}, "--concurrency: concurrency is None"),
]


@pytest.mark.parametrize(("changes", "message"), ODD)
async def test_odd_settings_are_refused_before_anything_is_stored(
    store, make_plan, changes, message
):
    from dataclasses import replace

    pipeline = FakePipeline({})
    with pytest.raises(UsageError, match=message):
        await start(replace(make_plan(pipeline), **changes), store)
    assert store.all_runs() == []
    assert store.damaged() == []
    assert pipeline.calls == []


async def test_halves_of_pairs_from_a_pipeline_do_not_end_the_run(store, make_plan):
    odd = PipelineError("it said \ud800", detail="trace \udfff")
    pipeline = FakePipeline({"a": odd, "\ud801": "x \ud800"})
    cases = [Case(id="a", question="A?"), Case(id="\ud801", question="?", metadata={"m": "\ud800"})]
    run = await start(make_plan(pipeline, cases), store)
    assert run.info.status == "finished"
    assert run.cases[0].failure == Failure("it said \ufffd", "trace \ufffd")
    assert (run.cases[1].id, run.cases[1].answer) == ("\ufffd", "x \ufffd")
