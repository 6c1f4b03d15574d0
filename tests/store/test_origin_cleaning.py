"""Senders that no span names any more go; every other stays, whatever comes in meanwhile."""

import threading

import pytest
from sqlalchemy import select

from acidtest.data.spans import Arrivals, Arrived
from acidtest.data.traces import Trace
from acidtest.store import origin_cleaning
from acidtest.store.spans import SpanStore
from acidtest.store.trace_tables import origins
from acidtest.store.traces import TraceStore


@pytest.fixture
def store(empty_url):
    with TraceStore(empty_url) as opened:
        yield opened


@pytest.fixture
def spans(empty_url, store):
    with SpanStore(empty_url) as opened:
        yield opened


def put(spans, trace_id, origin, *, now=100, span_id="s1", end=20):
    body = Arrived(trace_id, span_id, None, "rag", 10, end, "span", origin, b"body")
    spans.add([Arrivals([body], {origin: origin.encode()})], now_ms=now, quiet_ms=1, ended_ms=1)


def named(store):
    return sorted(row["hash"] for row in store._rows(select(origins.c.hash)))


def test_a_sender_goes_with_the_last_span_that_names_it(store, spans):
    put(spans, "t1", "both")
    put(spans, "t2", "both")
    put(spans, "t1", "one", span_id="s2")
    store.delete(["t1"])
    assert named(store) == ["both"]
    store.delete(["t2"])
    assert named(store) == []


def test_one_that_only_old_spans_name_is_found_among_many(store, spans, monkeypatch):
    monkeypatch.setattr(origin_cleaning, "_NEWEST", 2)
    put(spans, "t1", "old")
    put(spans, "t2", "gone")
    for n in range(5):
        put(spans, f"n{n}", "new")
    put(spans, "t3", "old", span_id="late")
    store.delete(["t2", "t3"])
    assert named(store) == ["new", "old"]


def test_retention_forgets_senders_also_of_what_was_replaced(store, spans):
    put(spans, "old", "o1", now=100)
    put(spans, "runs", "before", now=100, end=0)
    put(spans, "runs", "after", now=900, end=20)  # the span that named `before` is this one now
    store.save([(Trace(id="old", started_ns=10**8), "d")], now_ms=100)
    assert named(store) == ["after", "before", "o1"]
    assert store.delete_older(50) == 0
    assert named(store) == ["after", "before", "o1"]
    assert store.delete_older(500) == 1
    assert named(store) == ["after"]


def test_a_sender_whose_span_comes_while_it_is_forgotten_stays(store, spans, monkeypatch):
    put(spans, "t1", "busy")
    put(spans, "t0", "other")
    usual, looks = TraceStore._unnamed, []

    def meanwhile(self, hashes, named):
        found = usual(self, hashes, named)
        looks.append(found)
        if len(looks) == 2:
            put(spans, "t2", "busy")
        return found

    monkeypatch.setattr(TraceStore, "_unnamed", meanwhile)
    store.delete(["t1"])
    assert len(looks) == 2
    assert looks[1]
    assert named(store) == ["busy", "other"]
    assert spans.spans_of(["t2"])["t2"][0].origin == b"busy"


def test_spans_come_and_go_at_once_and_none_loses_its_sender(empty_url, store):
    """Two put spans of few senders; another deletes them: what is there names a sender that is there."""

    def many(lead):
        with SpanStore(empty_url) as ours:
            for n in range(25):
                put(ours, f"{lead}{n}", f"o{n % 2}")

    workers = [threading.Thread(target=many, args=(lead,)) for lead in "ab"]
    for each in workers:
        each.start()
    for n in range(25):
        store.delete([f"a{n}", f"b{n}"])
    for each in workers:
        each.join()
    ids = [f"{lead}{n}" for lead in "ab" for n in range(25)]
    with SpanStore(empty_url) as ours:
        kept = [span for some in ours.spans_of(ids).values() for span in some]
    assert all(span.origin for span in kept)
    store.delete(ids)
    assert named(store) == []


def test_one_that_an_old_span_names_from_now_on_stays(store, spans, monkeypatch):
    monkeypatch.setattr(origin_cleaning, "_NEWEST", 2)
    put(spans, "runs", "first", now=100, end=0)
    put(spans, "t1", "busy", now=100)
    for n in range(5):
        put(spans, f"n{n}", "new", now=100)
    usual, looks = TraceStore._unnamed, []

    def meanwhile(self, hashes, named):
        found = usual(self, hashes, named)
        looks.append(found)
        if len(looks) == 2:
            put(spans, "runs", "busy", now=101, end=20)
        return found

    monkeypatch.setattr(TraceStore, "_unnamed", meanwhile)
    store.delete(["t1"])
    assert looks[1] == {"busy"}
    assert named(store) == ["busy", "first", "new"]
