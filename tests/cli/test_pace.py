"""The rate of the recent past, and the time left that follows from it."""

import pytest

from acidtest.cli.pace import STEPS, Gauge, Pace
from acidtest.run.progress import Progress


def fed(*seen):
    pace = Pace()
    for at, count in seen:
        pace.see(at, count)
    return pace


def step(done, total=100, doing="answering", **more):
    return Progress(done, total, 0, doing, **more)


def test_a_steady_rate():
    pace = fed(*((n / 4, n) for n in range(200)))
    assert pace.rate() == pytest.approx(4.0)
    assert pace.left_s(100) == pytest.approx(25.0)


def test_nothing_is_said_before_it_is_known():
    assert fed().rate() is None
    assert fed((0.0, 0), (0.9, 5)).rate() is None
    assert fed((0.0, 0), (1.0, 5)).rate() == 5.0
    assert fed((0.0, 0), (9.9, 50)).left_s(50) is None
    assert fed((0.0, 0), (10.0, 50)).left_s(50) == pytest.approx(10.0)
    assert fed((0.0, 0), (100.0, STEPS - 1)).left_s(50) is None
    assert fed((0.0, 7), (60.0, 7)).rate() is None


def test_what_went_quickly_at_first_is_forgotten():
    # Half of it in a second, from a cache; then one a second.
    pace = fed((0.0, 0), (1.0, 500), *((1.0 + n, 500 + n) for n in range(1, 35)))
    assert pace.left_s(466) == pytest.approx(466.0, rel=0.1)


def test_the_slow_are_measured_over_a_longer_past():
    # One in 30 seconds, looked at five times a second.
    pace = fed(*((n / 5, n // 150) for n in range(5 * 600)))
    assert pace.left_s(10) == pytest.approx(300.0, rel=0.02)
    assert len(pace._reached) <= STEPS + 2  # standing still takes no memory


def test_many_that_end_together_do_not_mislead():
    # Eight at once, every 12 seconds.
    pace = Pace()
    for n in range(5 * 60):
        pace.see(n / 5, 8 * (n // 60))
        if n >= 125:
            assert pace.left_s(80) == pytest.approx(120.0, rel=0.02)


def test_a_run_that_hangs_takes_ever_longer():
    pace = fed(*((float(n), n) for n in range(20)))
    before = pace.left_s(10)
    pace.see(120.0, 19)
    assert pace.left_s(10) > 5 * before


def test_judgements_measure_where_a_judge_is_at_work():
    gauge = Gauge()
    for n in range(60):
        gauge.see(step(n // 40, judged=n, judgements=400, calls=n), float(n))
    assert gauge.share == (59, 400)
    assert gauge.left_s == pytest.approx(341.0, rel=0.05)


def test_cases_measure_where_the_judge_is_not_asked_yet():
    gauge = Gauge()
    for n in range(60):
        gauge.see(step(n, judged=0, judgements=400), float(n))
    assert gauge.share == (59, 100)
    assert gauge.left_s == pytest.approx(41.0, rel=0.05)
    gauge.see(step(0, doing="scoring", judgements=400), 61.0)
    assert gauge.left_s is gauge.rate is None  # another phase, another pace


def test_the_first_question_after_the_cache_begins_anew():
    gauge = Gauge()
    for n in range(120):
        gauge.see(step(n, 1000, judged=n, judgements=1000, cached=n), n / 10)
    assert gauge.left_s == pytest.approx(88.0, rel=0.1)
    gauge.see(step(121, 1000, judged=121, judgements=1000, cached=120, calls=1), 13.0)
    assert gauge.left_s is None
    for n in range(2, 20):
        more = {"judged": 120 + n, "judgements": 1000, "cached": 120, "calls": n}
        gauge.see(step(120 + n, 1000, **more), 12.0 + n)
    assert gauge.left_s == pytest.approx(861.0, rel=0.05)
