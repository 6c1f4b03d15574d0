"""A long queue: taking from it walks a stretch of an index, and what concerns all of it is done in pieces."""

import re

import pytest
from sqlalchemy import event

from acidtest.data.traces import Trace
from acidtest.store.spending import Limits
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore

MANY = 1_203


@pytest.fixture
def jobs(empty_url):
    with TraceJobs(empty_url) as opened:
        yield opened


@pytest.fixture
def full(empty_url, jobs):
    with TraceStore(empty_url) as store:
        some = [
            Understood(trace=Trace(id=f"t{n:05}"), digest="d", why="w", priority=n % 3)
            for n in range(MANY)
        ]
        store.save(some, now_ms=0)
    return jobs


def test_all_are_left_out_and_put_back_whatever_the_number(full):
    (job,) = full.lease("w", 1, 60, now_ms=1)
    assert full.leave_out(job, "spent", now_ms=1) == MANY
    assert full.lease("w", 1, 60, now_ms=1) == []
    assert full.health(now_ms=1).out == MANY
    assert full.revive(now_ms=2, states=("out",)) == MANY
    health = full.health(now_ms=9)
    assert (health.waiting, health.due, health.out, health.oldest_ms) == (MANY, MANY, 0, 7)


def test_a_days_number_of_traces_leaves_all_others_out(full):
    taken = full.lease("w", 5, 60, now_ms=1, limits=Limits(traces=3))
    assert [(job.trace_id, job.priority) for job in taken] == [
        ("t00000", 0),
        ("t00003", 0),
        ("t00006", 0),
    ]
    health = full.health(now_ms=1)
    assert (health.waiting, health.leased, health.out) == (3, 3, MANY - 3)
    assert health.workers == {"w": 3}


def test_each_is_leased_once_the_urgent_first(full):
    taken = []
    while some := full.lease("w", 100, 60, now_ms=1):
        taken += some
    assert len({job.trace_id for job in taken}) == len(taken) == MANY
    order = [(job.priority, job.trace_id) for job in taken]
    assert order == sorted(order)


def test_those_whose_workers_went_away_with_the_last_attempt_hide_none_behind_them(full):
    full.lease("lost", 700, 1, now_ms=1, attempts=1)
    assert len(full.lease("w", 10, 60, now_ms=5_000, attempts=1)) == 10
    assert len(full.lease("w", MANY, 60, now_ms=5_000, attempts=1)) == MANY - 700 - 10
    assert full.health(now_ms=5_000).dead == 700


@pytest.mark.parametrize("back", [False, True])
def test_leasing_and_putting_back_look_at_a_stretch_of_an_index_alone(tmp_path, back):
    with TraceStore(str(tmp_path / "s.db")) as store, TraceJobs(str(tmp_path / "s.db")) as jobs:
        store.save([Understood(trace=Trace(id="t"), digest="d", why="w")], now_ms=0)
        said = []

        @event.listens_for(jobs._engine, "before_cursor_execute")
        def _(_connection, _cursor, statement, parameters, _context, _many):
            said.append((statement, parameters))

        (job,) = jobs.lease("w", 1, 60, now_ms=1)
        if back:
            assert jobs.leave_out(job, "spent", now_ms=1) == 1
            said.clear()
            assert jobs.revive(now_ms=2, states=("dead", "out")) == 1
        looked = [one for one in said if "trace_jobs" in one[0]]
        assert looked
        with jobs._engine.connect() as connection:
            for statement, parameters in looked:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps = [row[-1] for row in plan]
                assert not any(re.match("SCAN trace_jobs|USE TEMP", step) for step in steps), steps
