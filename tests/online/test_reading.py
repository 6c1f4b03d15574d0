"""Of very many traces a share is read, by their ids, and always the same."""

import pytest

from acidtest.data.outcomes import Score
from acidtest.data.traces import Trace
from acidtest.online import reading
from acidtest.online.reading import read, share_of
from acidtest.online.sample import sampled
from acidtest.project.config import Config
from acidtest.project.digest import digest_in
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_readings import TraceReadings
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore

NS = 1_000_000


@pytest.mark.parametrize(
    ("traces", "share"),
    [(0, 1), (50_000, 1), (50_001, 0.5), (100_000, 0.5), (100_001, 0.25), (3_200_000, 2**-6)],
)
def test_the_share_is_halved_as_often_as_it_takes(traces, share):
    assert share_of(traces) == share


@pytest.fixture
def store(any_url):
    some = [
        Understood(
            trace=Trace(id=f"t{n}", started_ns=n * NS, question=f"Q {n}?", tags=("x",)),
            digest="d",
            why="sample",
        )
        for n in range(40)
    ]
    with TraceStore(any_url) as traces, TraceJobs(any_url) as jobs, TraceReadings(any_url) as rows:
        traces.save(some, now_ms=1)
        for job in jobs.lease("w", 40, 60, now_ms=1):
            jobs.done(job, {"m": Score(0.5)}, now_ms=1)
        yield rows


def test_all_are_read_where_they_are_few(store):
    assert store.count(10, 30) == 20
    assert [row.id for row in read(store, [(0, 5), (38, 100)])] == [
        *("t0", "t1", "t2", "t3", "t4"),
        *("t38", "t39"),
    ]


def test_a_share_is_read_of_many_whole_traces_with_their_scores_and_tags(store, monkeypatch):
    monkeypatch.setattr(reading, "MOST", 10)
    rows = read(store, [(0, 20), (20, 40)])
    assert [row.id for row in rows] == [f"t{n}" for n in range(40) if sampled(f"t{n}", 0.25)]
    assert 0 < len(rows) < 20
    assert all(row.scores == {"m": 0.5} and row.tags == ("x",) for row in rows)


def test_a_digest_says_how_many_it_read(store, monkeypatch):
    monkeypatch.setattr(reading, "MOST", 10)
    found = digest_in(store, Config(), since_ms=0, until_ms=40)
    assert (found.traces, found.read) == (40, sum(sampled(f"t{n}", 0.25) for n in range(40)))
