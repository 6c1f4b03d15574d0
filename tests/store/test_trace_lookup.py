"""Looking up what the store holds, on SQLite and PostgreSQL alike."""

import pytest

from acidtest.data.spans import Span
from acidtest.data.traces import Feedback, Trace
from acidtest.store.spans import SpanStore
from acidtest.store.trace_lookup import Held, TraceLookup, Which
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore
from acidtest.tracing.otlp.open import gathered


@pytest.fixture
def lookup(any_url):
    made = [
        ("ta1", "s1", None, 5),
        ("ta1", "s2", "s1", 0),
        ("tb1", "s1", None, 9),
        ("lone", "x", None, 3),
    ]
    spans = [
        Span(trace_id=t, span_id=s, parent_id=p, start_ns=1, end_ns=end or None)
        for t, s, p, end in made
    ]
    with SpanStore(any_url) as store:
        store.add([gathered(spans)], now_ms=10, quiet_ms=0, ended_ms=0)
    with TraceStore(any_url) as store:
        traces = [
            Trace(id="ta1", session="s", user="u", started_ns=1_000_000),
            Trace(id="tb1", session="s", user="v", started_ns=2_000_000),
        ]
        store.save([Understood(trace=t, digest="d", why="drawn") for t in traces], now_ms=50)
        store.add_feedback("ta1", Feedback(good=False), now_ms=50)
    with TraceLookup(any_url) as found:
        yield found


def test_ends_are_found_by_trace_and_span(lookup):
    assert lookup.ends(["ta1", "none"]) == {("ta1", "s1"): 5, ("ta1", "s2"): 0}
    assert lookup.ends([]) == {}


def test_ids_are_found_by_their_beginning(lookup):
    assert lookup.beginning("t") == ["ta1", "tb1"]
    assert lookup.beginning("t", limit=1) == ["ta1"]
    assert lookup.beginning("tb") == ["tb1"]
    assert lookup.beginning("%") == lookup.beginning("_") == []


HELD = [
    (Which(trace_ids=("ta1", "ta1")), Held(traces=1, spans=2, feedback=1, jobs=1)),
    (Which(trace_ids=("lone",)), Held(spans=1)),
    (Which(trace_ids=("none",)), Held()),
    (Which(sessions=("s", "other")), Held(traces=2, spans=3, feedback=1, jobs=2)),
    (Which(users=("v",)), Held(traces=1, spans=1, jobs=1)),
    (Which(before_ms=2), Held(traces=1, spans=2, feedback=1, jobs=1)),
    (Which(before_ms=20), Held(traces=2, spans=4, feedback=1, jobs=2)),
    (Which(before_ms=0), Held()),
]


def test_what_would_go_is_counted(lookup):
    for which, held in HELD:
        assert lookup.held(which) == held, which


def test_a_reader_does_not_hold_a_deletion_up(tmp_path):
    import sqlite3
    import time

    url = str(tmp_path / "store.db")
    with TraceStore(url) as store:
        store.save([(Trace(id="t", question="the secret"), "d")], now_ms=1)
        with sqlite3.connect(url) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM traces").fetchone() == (1,)
            began = time.monotonic()
            assert store.delete(["t"]) == 1
            assert time.monotonic() - began < 5  # a writer else waits for half a minute
        reader.close()
        assert store.delete([]) == 0
        assert b"the secret" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
