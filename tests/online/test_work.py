import asyncio
import threading
import time

import pytest
from msgspec.structs import replace

from acidtest.data.outcomes import Failure, Outcome, Score, Skip
from acidtest.errors import JudgeError, StoreError
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import metric
from acidtest.metrics.registry import find
from acidtest.online import hand, work
from acidtest.online.assemble import assemble_due
from acidtest.online.config import OnlineConfig
from acidtest.online.rooms import open_rooms
from acidtest.online.score import Settings
from acidtest.online.work import run_worker
from acidtest.ports import Spent, Verdict
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.verdicts import Verdicts
from acidtest.tracing.otlp.open import gathered

ONE = find("answer_relevance")
DAY = 86_400_000


class Priced:
    """A judge that takes some time and costs a cent a call."""

    model = "priced"
    fingerprint = "sha256:priced"

    def __init__(self, *, seconds=0.0, cost=0.01, fails=0, price_of_failure=None):
        self.seconds, self.cost, self.fails = seconds, cost, fails
        self.failure = price_of_failure
        self.asked = []
        self.most = self.running = 0

    async def ask(self, prompt, **fields):
        self.asked.append(fields["answer"])
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.running -= 1
        if len(self.asked) <= self.fails:
            error = JudgeError("the judge is away")
            error.spent = self.failure
            raise error
        reply = prompt.reply(verdict="complete")
        return Verdict(
            reply=reply, model="priced", cost_usd=self.cost, input_tokens=90, output_tokens=10
        )


class Clock:
    def __init__(self, at=1_000):
        self.at = at

    def __call__(self):
        return self.at


@pytest.fixture
def url(tmp_path):
    return str(tmp_path / "online.db")


def settings(judge=None, metrics=(ONE,), **more):
    config = OnlineConfig(**{"sample": 1.0, "concurrency": 4, **more})
    return Settings(config=config, metrics=metrics, judge=judge or Priced())


def once(url, given, clock=None, **more):
    return asyncio.run(run_worker(url, given, once=True, clock=clock or Clock(), **more))


def distinct(send, count, **more):
    for n in range(count):
        send(f"t{n:02}", answer=f"It lasts {n} years.", **more)


def test_what_is_due_is_understood_and_scored(rooms, send, url):
    distinct(send, 9)
    send("refuses", answer="I don't know.")
    judge = Priced(seconds=0.05)
    summary = once(url, settings(judge))
    assert (summary.traces, summary.scored, summary.skipped, summary.waiting) == (10, 10, 1, 0)
    assert (summary.failed, summary.dead, summary.left_out, summary.incomplete) == (0, 0, 0, False)
    assert (summary.spent.calls, summary.spent.tokens, summary.spent.traces) == (9, 900, 10)
    assert summary.spent.usd == pytest.approx(0.09)
    assert 1 < judge.most <= 4
    score = rooms.traces.trace("t03").scores["answer_relevance"]
    assert (score.outcome.value, score.judge, score.created) == (1.0, "sha256:priced", 1000)
    assert isinstance(rooms.traces.trace("refuses").scores["answer_relevance"].outcome, Skip)
    assert once(url, settings(judge)).scored == 0


def test_what_was_said_is_kept_for_every_trace_that_it_is_about(rooms, send, url):
    send("t1", "t2")  # the same question and answer
    judge = Priced()
    once(url, settings(judge, concurrency=1))
    assert len(judge.asked) == 1
    with Verdicts(url) as verdicts:
        assert verdicts.by_model()[0].verdicts == 1
        rooms.traces.delete(["t1"])
        assert verdicts.by_model()[0].verdicts == 1
        rooms.traces.delete(["t2"])
        assert verdicts.by_model() == []


def test_a_judge_that_is_away_is_asked_again_later_and_then_given_up(rooms, send, url):
    send("t1")
    clock, judge = Clock(), Priced(fails=99)
    given = settings(judge, attempts=3)
    for attempt, wait in ((1, 30_000), (2, 60_000)):
        summary = once(url, given, clock)
        assert (summary.failed, summary.died, summary.incomplete) == (1, 0, True)
        assert once(url, given, clock).failed == 0
        assert rooms.jobs.jobs(["t1"])["t1"].due == clock.at + wait
        assert rooms.jobs.jobs(["t1"])["t1"].attempts == attempt
        clock.at += wait
    summary = once(url, given, clock)
    assert (summary.failed, summary.died, summary.dead) == (0, 1, 1)
    (dead,) = rooms.jobs.listed("dead")
    assert dead.error == "answer_relevance: the judge is away"
    assert isinstance(rooms.traces.trace("t1").scores["answer_relevance"].outcome, Failure)
    judge.fails = 0
    rooms.jobs.revive(now_ms=clock.at)
    assert once(url, given, clock).scored == 1
    assert isinstance(rooms.traces.trace("t1").scores["answer_relevance"].outcome, Score)


def test_what_a_failed_call_cost_counts(rooms, send, url):
    send("t1")
    spent = Spent(attempts=2, input_tokens=5, output_tokens=1, cost_usd=0.5)
    summary = once(url, settings(Priced(fails=9, price_of_failure=spent)))
    assert (summary.spent.calls, summary.spent.tokens, summary.spent.usd) == (2, 6, 0.5)


def test_a_metric_that_falls_over_is_kept_with_its_error_and_harms_no_other(rooms, send, url):
    @metric(stage="generation")
    def falls_over(text: str) -> Outcome:
        if "3" in text:
            raise ZeroDivisionError(text)
        return Score(1.0)

    distinct(send, 5)
    summary = once(url, settings(metrics=(ONE, Bound(falls_over, {})), attempts=1))
    assert (summary.scored, summary.died) == (4, 1)
    scores = rooms.traces.trace("t03").scores
    assert isinstance(scores["answer_relevance"].outcome, Score)
    assert "ZeroDivisionError" in scores["falls_over"].outcome.detail


def test_two_workers_at_once_score_each_trace_once(rooms, send, url):
    distinct(send, 30)
    assemble_due(rooms, OnlineConfig(sample=1), 1000)
    judge = Priced(seconds=0.005)

    async def both():
        return await asyncio.gather(
            *(run_worker(url, settings(judge), once=True, clock=Clock()) for _ in range(2))
        )

    one, other = asyncio.run(both())
    assert one.scored + other.scored == 30
    assert min(one.scored, other.scored) > 0
    assert sorted(judge.asked) == sorted(f"It lasts {n} years." for n in range(30))
    assert rooms.spending.day(1000).calls == 30
    assert rooms.traces.count(TraceFilter(metric="answer_relevance")) == 30


def test_workers_share_a_postgresql_store(postgres_url, spans_of):
    with open_rooms(postgres_url) as rooms:
        for n in range(20):
            spans = spans_of(f"t{n:02}", answer=f"It lasts {n} years. \0")
            rooms.spans.add([gathered(spans)], now_ms=0, quiet_ms=0, ended_ms=0)
        assemble_due(rooms, OnlineConfig(sample=1), 1000)
        judge = Priced(seconds=0.005)

        async def both():
            given = settings(judge, calls_per_day=15, concurrency=3)
            runs = (run_worker(postgres_url, given, once=True, clock=Clock()) for _ in range(2))
            return await asyncio.gather(*runs)

        one, other = asyncio.run(both())
        assert one.scored + other.scored == len(judge.asked) == 15
        assert rooms.spending.day(1000).calls == 15
        assert rooms.jobs.health(now_ms=1000).out == 5
        assert rooms.traces.delete_older(10**12) == 20


def test_several_workers_together_keep_to_the_days_money(rooms, send, url):
    distinct(send, 40)
    assemble_due(rooms, OnlineConfig(sample=1), 1000)
    rooms.spending.took(now_ms=0, usd=0.05, calls=5)  # what a call costs is known from yesterday
    judges = [Priced(seconds=0.002) for _ in range(3)]
    today = DAY + 1000

    async def all_of_them():
        given = [settings(judge, budget_usd_per_day=0.1, concurrency=1) for judge in judges]
        runs = (run_worker(url, each, once=True, clock=Clock(today)) for each in given)
        return await asyncio.gather(*runs)

    summaries = asyncio.run(all_of_them())
    assert sum(len(judge.asked) for judge in judges) == 10
    assert rooms.spending.day(today).usd == pytest.approx(0.1)
    assert sum(s.scored for s in summaries) == 10
    assert rooms.jobs.health(now_ms=today).out == 30
    assert rooms.jobs.listed("out")[0].error == "the day's budget was spent: $0.1"
    # The next day has a budget of its own; what was left out stays out until somebody wants it.
    send("next", answer="Another.", now=today)
    summary = once(url, settings(judges[0], budget_usd_per_day=0.1), Clock(today + DAY))
    assert (summary.scored, summary.left_out) == (1, 30)


@pytest.mark.parametrize(
    ("bound", "scored"),
    [({"calls_per_day": 3}, 3), ({"traces_per_day": 4}, 4), ({"budget_usd_per_day": 0.0}, 0)],
)
def test_calls_traces_and_no_money_at_all_are_bounds_too(rooms, send, url, bound, scored):
    distinct(send, 8)
    summary = once(url, settings(concurrency=1, **bound))
    assert (summary.scored, summary.left_out, summary.waiting) == (scored, 8 - scored, 0)
    assert not summary.incomplete


def test_the_urgent_get_the_budget(rooms, send, url):
    distinct(send, 6)
    send("failed", answer="It broke.", status="error")
    once(url, settings(calls_per_day=1, concurrency=1, always=("error",)))
    assert rooms.traces.trace("failed").scores


def test_a_price_that_is_not_known_keeps_no_budget(rooms, send, url):
    distinct(send, 3)
    summary = once(url, settings(Priced(cost=None), budget_usd_per_day=1.0, concurrency=1))
    assert (summary.scored, summary.left_out) == (1, 2)
    assert "price of a call to priced is unknown" in rooms.jobs.listed("out")[0].error


def test_traces_that_are_too_old_go(rooms, send, url):
    send("old", start_s=1.0)
    send("new", start_s=2 * 86_400.0)
    summary = once(url, settings(retention_days=1), Clock(2 * DAY + 1))
    assert summary.deleted == 1
    assert [t.trace.id for t in rooms.traces.listed()] == ["new"]


def test_alerts_are_looked_for_when_all_is_scored(rooms, send, url):
    send("t1")

    async def alerting(rooms, now):
        return rooms.traces.count(TraceFilter(metric="answer_relevance")) + now

    assert once(url, settings(), alerting=alerting).alerts == 1001


class Gone(JudgeError):
    ends_run = True


class Away(Priced):
    """A judge whose endpoint is gone until it is back."""

    back = False

    async def ask(self, prompt, **fields):
        if not self.back:
            self.asked.append(fields["answer"])
            raise Gone("nobody listens there")
        return await super().ask(prompt, **fields)


def test_while_the_endpoint_is_gone_no_attempt_counts(rooms, send, url):
    distinct(send, 9)
    judge, said = Away(), []
    summary = once(url, settings(judge, traces_per_day=9, concurrency=3), told=said.append)
    assert (summary.scored, summary.failed, summary.waiting, summary.away) == (0, 0, 9, True)
    assert summary.incomplete
    assert len(judge.asked) <= 3
    assert said == ["The judge is away, and is waited for: nobody listens there"]
    jobs = rooms.jobs.jobs([f"t{n:02}" for n in range(9)]).values()
    assert {(job.attempts, job.worker) for job in jobs} == {(0, None)}
    judge.back = True
    summary = once(url, settings(judge, traces_per_day=9))
    assert (summary.scored, summary.left_out, summary.incomplete) == (9, 0, False)


def test_one_that_is_known_to_be_gone_is_not_asked_and_traces_are_understood(rooms, send, url):
    distinct(send, 3)
    judge = Away()
    summary = once(url, settings(judge), away=True)
    assert (summary.traces, summary.waiting, summary.incomplete, judge.asked) == (3, 3, True, [])


async def test_when_the_endpoint_is_back_scoring_goes_on(rooms, send, url, monkeypatch):
    monkeypatch.setattr(hand, "_AWAY_S", 0.2)
    distinct(send, 3)
    judge, stop, said = Away(), threading.Event(), []
    task = asyncio.create_task(run_worker(url, settings(judge), stop=stop, told=said.append))
    await until(lambda: len(judge.asked) >= 2)
    judge.back = True
    await until(lambda: rooms.traces.count(TraceFilter(metric="answer_relevance")) == 3)
    stop.set()
    assert (await task).scored == 3
    assert said == [
        "The judge is away, and is waited for: nobody listens there",
        "The judge answers again.",
    ]


async def until(done, seconds=40.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.01)


async def test_told_to_stop_it_gives_back_what_it_has_and_another_goes_on(rooms, send, url):
    distinct(send, 3)
    slow, stop = Priced(seconds=60), threading.Event()
    task = asyncio.create_task(run_worker(url, settings(slow, traces_per_day=3), stop=stop))
    await until(lambda: slow.running == 3)
    stop.set()
    summary = await task
    assert (summary.scored, summary.waiting) == (0, 3)
    jobs = rooms.jobs.jobs(["t00", "t01", "t02"]).values()
    assert [(job.attempts, job.worker, job.leased) for job in jobs] == [(0, None, None)] * 3
    done = await run_worker(url, settings(Priced(), traces_per_day=3), once=True)
    assert (done.scored, done.left_out) == (3, 0)


async def test_interrupted_it_gives_back_what_it_has(rooms, send, url):
    send("t1")
    slow = Priced(seconds=60)
    task = asyncio.create_task(run_worker(url, settings(slow), once=True))
    await until(lambda: slow.running == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert rooms.jobs.jobs(["t1"])["t1"].leased is None


async def test_what_was_leased_in_the_moment_of_the_interruption_is_given_back(
    rooms, send, url, monkeypatch
):
    send("t1")
    assemble_due(rooms, OnlineConfig(sample=1), 1000)
    real, leased = TraceJobs.lease, threading.Event()

    def slow(*args, **more):
        jobs = real(*args, **more)
        leased.set()
        time.sleep(0.3)
        return jobs

    monkeypatch.setattr(TraceJobs, "lease", slow)
    task = asyncio.create_task(run_worker(url, settings(), once=True))
    await until(leased.is_set)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    job = rooms.jobs.jobs(["t1"])["t1"]
    assert (job.leased, job.attempts) == (None, 0)


async def test_a_lease_is_kept_as_long_as_its_worker_works(rooms, send, url):
    send("t1")
    slow, other = Priced(seconds=2.5), Priced()
    task = asyncio.create_task(run_worker(url, settings(slow, lease_s=1.0), once=True))
    await until(lambda: slow.running == 1)
    await asyncio.sleep(1.5)
    assert (await run_worker(url, settings(other, lease_s=1.0), once=True)).scored == 0
    assert (await task).scored == 1
    assert other.asked == []


async def test_a_trace_that_changes_while_it_is_scored_is_scored_again(rooms, send, url):
    send("t1", answer="One year.")
    slow, stop = Priced(seconds=3), threading.Event()
    task = asyncio.create_task(run_worker(url, settings(slow), stop=stop))
    await until(lambda: slow.running == 1)
    slow.seconds = 0  # for those that come
    send("t1", answer="Two years.", took_s=9.0, now=work.now_ms())
    await until(lambda: slow.asked == ["One year.", "Two years."] and not slow.running)
    await until(lambda: rooms.jobs.jobs(["t1"]) == {})
    stop.set()
    assert (await task).scored == 1
    stored = rooms.traces.trace("t1")
    assert stored.scores["answer_relevance"].digest == stored.digest


async def test_while_the_machine_is_busy_little_is_understood(rooms, send, url, monkeypatch):
    distinct(send, 60)
    busy, stop, sizes = threading.Event(), threading.Event(), []
    busy.set()

    def seen(*args, **more):
        sizes.append(more.get("limit"))
        return assemble_due(*args, **more)

    monkeypatch.setattr(work, "assemble_due", seen)
    given = settings()
    given = Settings(
        config=replace(given.config, sample=0.0), metrics=given.metrics, judge=given.judge
    )
    task = asyncio.create_task(
        run_worker(url, given, stop=stop, share=lambda: 0.5 if busy.is_set() else 1.0)
    )
    await until(lambda: len(sizes) >= 3)
    assert set(sizes) == {work._PIECE}
    assert rooms.traces.count() < 60
    busy.clear()
    await until(lambda: rooms.traces.count() == 60)
    stop.set()
    assert (await task).traces == 60


async def test_a_store_that_fails_is_waited_for(rooms, send, url, monkeypatch):
    send("t1")
    said, stop, tries = [], threading.Event(), []

    def fails_once(*args, **more):
        tries.append(1)
        if len(tries) == 1:
            raise StoreError("the disk is full")
        return assemble_due(*args, **more)

    monkeypatch.setattr(work, "assemble_due", fails_once)
    task = asyncio.create_task(run_worker(url, settings(), stop=stop, told=said.append))
    await until(lambda: rooms.traces.count(TraceFilter(metric="answer_relevance")) == 1)
    stop.set()
    await task
    assert said == [
        "The store fails, and is waited for: the disk is full",
        "The store works again.",
    ]
    tries.clear()
    with pytest.raises(StoreError, match="disk is full"):
        await run_worker(url, settings(), once=True)
