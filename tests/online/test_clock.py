"""The clock goes forth or back, by an hour or a day, at any moment: nothing is lost, counted twice, or stuck for long."""

import asyncio

import pytest

from acidtest.errors import JudgeError
from acidtest.metrics.registry import find
from acidtest.online.config import OnlineConfig
from acidtest.online.rooms import open_rooms
from acidtest.online.score import Settings
from acidtest.online.work import run_worker
from acidtest.ports import Spent, Verdict
from acidtest.tracing.otlp.open import gathered

HOUR, DAY = 3_600_000, 86_400_000
NOON = 20_000 * DAY + DAY // 2
JUMPS = [HOUR, DAY, -HOUR, -DAY]


class Judge:
    model = "judge"
    fingerprint = "sha256:judge"

    def __init__(self, clock=None, jump=0, at=0):
        self.asked, self._clock, self._jump, self._at = 0, clock, jump, at

    async def ask(self, prompt, **fields):
        self.asked += 1
        if self.asked == self._at:
            self._clock.at += self._jump
        # The one before is on its way while the clock jumps, and while the next is taken after that.
        early = self.asked == self._at - 1
        for _ in range(200 if early else 1):
            await asyncio.sleep(0.01 if early and self.asked <= self._at else 0)
        return Verdict(
            reply=prompt.reply(verdict="complete"), model="judge", cost_usd=0.01, input_tokens=10
        )


class Clock:
    def __init__(self, at=NOON):
        self.at = at

    def __call__(self):
        self.at += 1
        return self.at


@pytest.fixture
def opened(any_url):
    with open_rooms(any_url) as found:
        yield found


def settings(judge, **more):
    given = {"sample": 1.0, "concurrency": 2, "quiet_s": 5.0, "ended_s": 1.0, **more}
    return Settings(config=OnlineConfig(**given), metrics=(find("answer_relevance"),), judge=judge)


def put(rooms, spans_of, name, now, *, start_s=NOON / 1000, ended_ms=1_000):
    spans = spans_of(name, answer=f"It lasts {name}.", start_s=start_s)
    rooms.spans.add([gathered(spans)], now_ms=now, quiet_ms=5_000, ended_ms=ended_ms)


def work(url, given, clock):
    return asyncio.run(run_worker(url, given, once=True, clock=clock))


def put_job(rooms, stored):
    rooms.jobs.enqueue([stored.trace.id], "asked", now_ms=NOON)


def scored(rooms):
    return {
        t.trace.id: t.scores["answer_relevance"].digest == t.digest for t in rooms.traces.each()
    }


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_while_traces_are_scored(opened, any_url, spans_of, jump):
    for n in range(6):
        put(opened, spans_of, f"t{n}", NOON)
    clock = Clock(NOON + 10_000)
    judge = Judge(clock, jump, at=3)
    work(any_url, settings(judge, calls_per_day=100), clock)
    if jump == -HOUR:  # so long may a job be left alone: it waits until the clock is where it was
        clock.at += HOUR
        work(any_url, settings(judge, calls_per_day=100), clock)
    assert scored(opened) == {f"t{n}": True for n in range(6)}
    assert judge.asked == 6
    days = opened.spending.days()
    assert sum(day.calls for day in days) == 6
    assert sum(day.traces for day in days) == 6
    assert sum(day.usd for day in days) == pytest.approx(0.06)
    assert all(min(day.calls, day.traces) >= 0 and day.usd >= -1e-9 for day in days)


class Failing(Judge):
    async def ask(self, prompt, **fields):
        self._clock.at += self._jump
        error = JudgeError("no")
        error.spent = Spent()
        raise error


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_what_a_call_took_goes_to_the_day_that_it_was_taken_from(opened, any_url, spans_of, jump):
    put(opened, spans_of, "t0", NOON)
    clock = Clock(NOON + 10_000)
    work(any_url, settings(Failing(clock, jump), budget_usd_per_day=1.0), clock)
    days = opened.spending.days()
    assert [(day.calls, day.usd) for day in days] == [(0, 0.0)] * len(days)
    assert max(day.traces for day in days) == 1


@pytest.mark.parametrize("jump", [-HOUR, -DAY, -30 * DAY])
def test_what_came_before_the_clock_went_back_is_understood_at_once(
    opened, any_url, spans_of, jump
):
    put(opened, spans_of, "t0", NOON)
    judge = Judge()
    assert work(any_url, settings(judge), Clock(NOON + jump)).scored == 1
    assert opened.traces.waiting(NOON + jump) == (0, 0)


def test_what_is_not_due_yet_waits_also_beside_a_clock_that_is_a_little_ahead(
    opened, any_url, spans_of
):
    put(opened, spans_of, "t0", NOON + 30_000)
    assert work(any_url, settings(Judge()), Clock(NOON)).traces == 0


@pytest.mark.parametrize("jump", JUMPS)
def test_jobs_whose_worker_died_before_a_jump_are_stuck_no_longer_than_a_day(
    opened, any_url, spans_of, jump
):
    put(opened, spans_of, "t0", NOON)
    work(any_url, settings(Judge(), sample=0.0), Clock(NOON + 10_000))
    stored = opened.traces.trace("t0")
    put_job(opened, stored)
    assert len(opened.jobs.lease("dead", 1, 120, now_ms=NOON)) == 1
    clock = Clock(NOON + jump)
    judge = Judge()
    later = 0
    while work(any_url, settings(judge), clock).scored == 0:
        clock.at += HOUR
        later += 1
        assert later <= 25
    assert judge.asked == 1
    assert scored(opened) == {"t0": True}


def test_a_job_that_failed_before_the_clock_went_back_a_month_is_tried(opened, any_url, spans_of):
    put(opened, spans_of, "t0", NOON)
    work(any_url, settings(Judge(), sample=0.0), Clock(NOON + 10_000))
    put_job(opened, opened.traces.trace("t0"))
    (job,) = opened.jobs.lease("w", 1, 120, now_ms=NOON)
    assert opened.jobs.failed(job, "away", now_ms=NOON, retry_ms=60_000) == "waiting"
    assert work(any_url, settings(Judge()), Clock(NOON - 30 * DAY)).scored == 1


@pytest.mark.parametrize("start_s", [0.0, 1.0, NOON / 1000 + 86_400 * 365, 9e9])
def test_spans_of_1970_and_of_the_future_are_kept_and_scored_once(
    opened, any_url, spans_of, start_s
):
    put(opened, spans_of, "odd", NOON, start_s=start_s)
    judge, clock = Judge(), Clock(NOON + 10_000)
    assert work(any_url, settings(judge), clock).scored == 1
    assert work(any_url, settings(judge), clock).scored == 0
    assert judge.asked == 1
    assert scored(opened) == {"odd": True}


def test_two_workers_whose_clocks_differ_by_an_hour_score_each_trace_once(
    opened, any_url, spans_of
):
    for n in range(8):
        put(opened, spans_of, f"t{n}", NOON)
    now, judge = Clock(NOON + 10_000), Judge()
    ahead = Clock(NOON + HOUR)

    async def both():
        return await asyncio.gather(
            run_worker(any_url, settings(judge), once=True, clock=now),
            run_worker(any_url, settings(judge), once=True, clock=ahead),
        )

    done = asyncio.run(both())
    assert sum(each.scored for each in done) == 8
    assert scored(opened) == {f"t{n}": True for n in range(8)}
    assert opened.jobs.health(now_ms=ahead.at).waiting == 0
