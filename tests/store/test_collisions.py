"""What several do at the same time to the same traces of PostgreSQL: none fails, and nothing is left behind."""

import threading
import time

import pytest
from sqlalchemy import select, text, update

from acidtest.data.traces import Trace
from acidtest.errors import StoreError
from acidtest.store.again import again
from acidtest.store.tables import verdicts
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Understood
from acidtest.store.trace_tables import trace_verdicts, traces
from acidtest.store.traces import TraceStore

TWO = [
    Understood(trace=Trace(id=i, question="How?", answer="So."), digest="d") for i in ("t1", "t2")
]
VERDICT = ("k", "m", b"{}")


@pytest.fixture
def store(postgres_url):
    with TraceStore(postgres_url) as opened:
        opened.save(TWO, now_ms=1)
        yield opened


@pytest.fixture
def jobs(store):
    with TraceJobs(store.url) as opened:
        yield opened


def beside(call, *args, **more):
    """Call in a thread; join it for what came of it."""
    came = []

    def run():
        try:
            came.append(call(*args, **more))
        except StoreError as error:
            came.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, came


def test_saving_is_done_again_where_the_database_ends_it_for_another(store):
    with TraceStore(store.url) as other, other._begin() as connection:
        connection.execute(
            text("SET LOCAL deadlock_timeout = '20s'")
        )  # the other one is to be ended
        hold = update(traces).values(name="theirs")
        connection.execute(hold.where(traces.c.id == "t2"))
        thread, came = beside(store.save, TWO, now_ms=2)
        _await_waiting(store)
        connection.execute(hold.where(traces.c.id == "t1"))
    thread.join(20)
    assert came == [["t1", "t2"]]


def test_a_verdict_of_a_trace_that_is_deleted_just_now_is_not_kept(store, jobs):
    with store._begin() as connection:
        connection.execute(text("DELETE FROM traces WHERE id = 't1'"))
        rows = [("t1", *VERDICT), ("t2", "k2", "m", b"{}")]
        thread, came = beside(jobs.keep_verdicts, rows, created="now")
        _await_waiting(store)
    thread.join(20)
    assert came == [None]
    assert [row.key for row in store._tuples(select(verdicts.c.key))] == ["k2"]
    assert store._tuples(select(trace_verdicts)) == [("t2", "k2")]


def test_a_verdict_goes_with_the_last_of_its_traces_where_both_go_at_once(store, jobs):
    jobs.keep_verdicts([("t1", *VERDICT), ("t2", *VERDICT)], created="now")
    with TraceStore(store.url) as other, other._begin() as connection:
        other._delete(connection, ["t1"], set())
        thread, came = beside(store.delete, ["t2"])
        _await_waiting(store)
    thread.join(20)
    assert came == [1]
    assert store._tuples(select(verdicts.c.key)) == []


def test_a_trace_that_is_deleted_just_now_gets_no_job(store, jobs):
    with store._begin() as connection:
        connection.execute(text("DELETE FROM traces WHERE id = 't1'"))
        thread, came = beside(jobs.enqueue, ["t1", "t2"], "asked for", now_ms=2)
        _await_waiting(store)
    thread.join(20)
    assert came == [None]
    assert list(jobs.jobs(["t1", "t2"])) == ["t2"]


def test_what_fails_otherwise_is_not_done_again(store):
    calls = []

    @again
    def failing(_store):
        calls.append(1)
        raise StoreError("no")

    with pytest.raises(StoreError, match="no"):
        failing(store)
    assert calls == [1]


def _await_waiting(store):
    """Wait until one connection waits for a lock of another."""
    query = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    until = time.monotonic() + 20
    while not store._tuples(query)[0][0]:
        assert time.monotonic() < until
        time.sleep(0.01)
