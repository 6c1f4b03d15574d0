import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.outcomes import Failure, Score
from acidtest.data.traces import Trace
from acidtest.store.spending import Limits, Spending, day_of
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore

DAY = 86_400_000


@pytest.fixture
def jobs(empty_url):
    with TraceJobs(empty_url) as opened:
        yield opened


@pytest.fixture
def put(empty_url):
    with TraceStore(empty_url) as store:
        yield lambda *ids, now=0, why="sample", priority=5, digest="d": store.save(
            [Understood(trace=Trace(id=i), digest=digest, why=why, priority=priority) for i in ids],
            now_ms=now,
        )


def names(some):
    return [job.trace_id for job in some]


def test_the_urgent_come_first_then_the_longest_waiting(jobs, put):
    put("late", now=9)
    put("early", now=1)
    put("bad", now=9, why="thumbs-down", priority=1)
    assert names(jobs.lease("w", 2, 60, now_ms=9)) == ["bad", "early"]
    assert names(jobs.lease("w", 9, 60, now_ms=9)) == ["late"]
    assert jobs.lease("w", 9, 60, now_ms=9) == []


def test_a_more_urgent_reason_moves_a_job_and_a_lesser_one_does_not(jobs, put):
    put("t", why="sample", priority=5)
    put("t", why="thumbs-down", priority=1)
    put("t", why="slow", priority=3)
    job = jobs.jobs(["t"])["t"]
    assert (job.why, job.priority) == ("thumbs-down", 1)
    jobs.enqueue(["t"], "asked", priority=0, now_ms=3)
    job = jobs.jobs(["t"])["t"]
    assert (job.why, job.priority, job.created) == ("asked", 0, 0)


def test_a_trace_is_put_in_the_queue_as_it_stands_and_one_that_is_gone_is_not(jobs, put):
    put("t", why=None, digest="first")
    put("t", why=None, digest="now")
    jobs.enqueue(["t", "gone"], "asked", priority=0, now_ms=3)
    ((name, job),) = jobs.jobs(["t", "gone"]).items()
    assert (name, job.why, job.digest, job.created) == ("t", "asked", "now", 3)


def test_a_lease_that_is_cut_off_before_the_day_is_counted_leaves_nothing(jobs, put, monkeypatch):
    put("t")

    def killed(*_args, **_more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("acidtest.store.trace_jobs.take", killed)
        with pytest.raises(KeyboardInterrupt):
            jobs.lease("a", 1, 60, now_ms=0, limits=Limits(calls=9))
    assert jobs.jobs(["t"])["t"].attempts == 0
    assert names(jobs.lease("b", 1, 60, now_ms=0)) == ["t"]


def test_a_lease_that_ended_is_another_workers_and_the_first_ones_scores_are_refused(jobs, put):
    put("t")
    (first,) = jobs.lease("a", 1, 1, now_ms=0)
    assert jobs.lease("b", 1, 1, now_ms=999) == []
    (second,) = jobs.lease("b", 1, 1, now_ms=1000)
    assert (second.attempts, second.worker) == (2, "b")
    assert not jobs.done(first, {"m": Score(0.0)}, now_ms=1001)
    assert jobs.failed(first, "late", now_ms=1001, retry_ms=0) is None
    assert jobs.done(second, {"m": Score(1.0)}, now_ms=1002)
    assert not jobs.done(second, {"m": Score(0.5)}, now_ms=1003)


def test_the_same_worker_that_leased_it_twice_stores_once(jobs, put):
    put("t")
    (first,) = jobs.lease("a", 1, 1, now_ms=0)
    (second,) = jobs.lease("a", 1, 1, now_ms=1000)
    assert not jobs.done(first, {"m": Score(0.0)}, now_ms=1001)
    assert jobs.done(second, {"m": Score(1.0)}, now_ms=1001)


def test_a_renewed_lease_goes_on(jobs, put):
    put("t")
    (job,) = jobs.lease("a", 1, 1, now_ms=0)
    jobs.renew([job], 1, now_ms=900)
    assert jobs.lease("b", 1, 1, now_ms=1500) == []
    assert names(jobs.lease("b", 1, 1, now_ms=1900)) == ["t"]


def test_what_is_given_back_counts_no_attempt(jobs, put, empty_url):
    put("t")
    limits = Limits(traces=1)
    for _ in range(3):
        (job,) = jobs.lease("a", 1, 60, now_ms=0, limits=limits)
        assert job.attempts == 1
        jobs.release([job], now_ms=0, limits=limits)
    with Spending(empty_url) as spending:
        assert spending.day(0).traces == 0


def test_failing_is_retried_later_then_dead_with_its_error_and_what_was_had(jobs, put, empty_url):
    put("t")
    for attempt, now in ((1, 0), (2, 100)):
        (job,) = jobs.lease("a", 1, 60, now_ms=now)
        assert job.attempts == attempt
        state = jobs.failed(
            job, "no judge\0", now_ms=now, retry_ms=100, attempts=2, scores={"m": Failure("x")}
        )
        assert state == ("dead" if attempt == 2 else "waiting")
        assert jobs.lease("a", 1, 60, now_ms=now + 99) == []
    (dead,) = jobs.listed("dead")
    assert (dead.error, dead.attempts) == ("no judge\ufffd", 2)
    with TraceStore(empty_url) as store:
        assert store.trace("t").scores["m"].outcome == Failure("x")
    assert jobs.lease("a", 1, 60, now_ms=DAY) == []
    assert jobs.revive(now_ms=DAY) == 1
    (again,) = jobs.lease("a", 1, 60, now_ms=DAY)
    assert (again.attempts, again.error) == (1, None)


def test_a_job_that_takes_its_workers_down_dies(jobs, put):
    put("t")
    for attempt in range(3):
        assert names(jobs.lease(f"w{attempt}", 1, 1, now_ms=attempt * 1000, attempts=3)) == ["t"]
    assert jobs.lease("w", 1, 1, now_ms=3000, attempts=3) == []
    assert jobs.listed("dead")[0].error == "its worker went away each time"


def test_health_tells_what_waits_runs_and_failed(jobs, put):
    put("a", "b", "c", "d")
    first, second, _third = jobs.lease("w1", 3, 60, now_ms=10)
    jobs.failed(first, "x", now_ms=10, retry_ms=5)
    jobs.failed(second, "x", now_ms=10, retry_ms=0, attempts=1)
    health = jobs.health(now_ms=12)
    assert (health.waiting, health.due, health.leased, health.retrying) == (3, 1, 1, 1)
    assert (health.dead, health.out, health.oldest_ms, health.workers) == (1, 0, 12, {"w1": 1})


def test_a_days_number_of_traces_leaves_the_others_out_until_they_are_revived(jobs, put, empty_url):
    put(*"abcde")
    limits = Limits(traces=2)
    assert names(jobs.lease("w", 3, 1, now_ms=0, limits=limits)) == ["a", "b"]
    assert sorted(names(jobs.listed("out"))) == ["c", "d", "e"]
    assert jobs.listed("out")[0].error == "the day's budget was spent: 2 traces"
    # Those that were begun keep their place when their worker goes away.
    assert names(jobs.lease("v", 3, 1, now_ms=5000, limits=limits)) == ["a", "b"]
    with Spending(empty_url) as spending:
        assert spending.day(0).traces == 2
    assert jobs.revive(now_ms=DAY, states=("out",)) == 3
    assert len(jobs.lease("w", 2, 60, now_ms=DAY, limits=limits)) == 2


def test_leaving_out_takes_all_that_are_due_but_none_of_another_worker(jobs, put):
    put(*"abc")
    (mine,) = jobs.lease("me", 1, 60, now_ms=0)
    (_theirs,) = jobs.lease("they", 1, 60, now_ms=0)
    assert jobs.leave_out(mine, "spent", now_ms=0) == 2
    assert sorted(names(jobs.listed("out"))) == ["a", "c"]


def test_many_workers_get_each_job_once(jobs, put, empty_url):
    ids = [f"t{n:03}" for n in range(120)]
    put(*ids)
    got, errors = [], []

    def work(name):
        try:
            with TraceJobs(empty_url) as own:
                while some := own.lease(name, 4, 60, now_ms=1):
                    for job in some:
                        assert own.done(job, {"m": Score(1.0)}, now_ms=1)
                    got.extend(names(some))
        except Exception as error:  # noqa: BLE001 - a thread's errors are told at the end
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(got) == ids


def test_workers_together_never_take_more_than_the_budget(empty_url):
    taken, errors = [], []
    limits = Limits(usd=1.0, calls=1000)

    def work():
        try:
            with Spending(empty_url) as own:
                while own.take(limits, now_ms=0, usd=0.03, calls=1):
                    taken.append(0.03)
                    own.took(now_ms=0, usd=-0.01, tokens=7)
        except Exception as error:  # noqa: BLE001 - a thread's errors are told at the end
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Spending(empty_url) as spending:
        day = spending.day(0)
        assert (day.calls, day.tokens, day.day) == (len(taken), 7 * len(taken), "1970-01-01")
        assert day.usd == pytest.approx(0.02 * len(taken))
        assert 0.96 <= day.usd <= 1.0
        assert spending.take(limits, now_ms=DAY, usd=0.03, calls=1)
        assert [d.day for d in spending.days()] == ["1970-01-02", "1970-01-01"]


def test_a_budget_of_nothing_lets_nothing_through(empty_url):
    with Spending(empty_url) as spending:
        assert not spending.take(Limits(usd=0.0), now_ms=0)
        assert not spending.take(Limits(calls=0), now_ms=0, calls=1)
        assert spending.take(Limits(), now_ms=0, usd=10**6, calls=1)


@given(st.integers(0, 4 * 10**12))
def test_a_day_is_one_of_utc(ms):
    assert day_of(ms) == day_of(ms - ms % DAY) != day_of(ms - ms % DAY + DAY)
