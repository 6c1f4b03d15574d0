import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acidtest.data.outcomes import Score
from acidtest.data.spans import Arrivals, Arrived
from acidtest.data.traces import Feedback
from acidtest.online import assemble
from acidtest.online.assemble import OUR_SCOPE, assemble_due, digest_of
from acidtest.online.config import OnlineConfig
from acidtest.online.rooms import open_rooms
from acidtest.store.trace_filter import TraceFilter
from acidtest.tracing.otlp.open import gathered

ALL = OnlineConfig(sample=1)
NONE = OnlineConfig(sample=0, always=())
DAY = 86_400_000


def test_spans_become_a_trace_that_is_queued(rooms, send):
    send("t1")
    assert assemble_due(rooms, ALL, 10) == 1
    stored = rooms.traces.trace("t1")
    assert stored.trace.question == "How long does the warranty last?"
    assert stored.trace.answer == "The warranty lasts two years."
    assert [chunk.id for chunk in stored.trace.retrieved] == ["warranty.md#0"]
    assert (stored.started, stored.trace.service, stored.trace.spans) == (1_000_000, "shop", 2)
    assert rooms.jobs.jobs(["t1"])["t1"].why == "sample"
    assert assemble_due(rooms, ALL, 10) == 0


def test_one_that_no_rule_chooses_is_kept_and_not_queued(rooms, send):
    send("t1")
    assemble_due(rooms, NONE, 10)
    assert rooms.traces.count() == 1
    assert rooms.jobs.jobs(["t1"]) == {}


def test_more_that_changes_what_is_read_is_scored_again_and_other_things_are_not(rooms, send):
    send("t1")
    assemble_due(rooms, ALL, 10)
    (job,) = rooms.jobs.lease("w", 1, 60, now_ms=10)
    assert rooms.jobs.done(job, {"m": Score(1.0)}, now_ms=10)
    rooms.traces.add_feedback("t1", Feedback(good=True), now_ms=11)
    assert assemble_due(rooms, ALL, 11) == 1
    assert list(rooms.traces.trace("t1").scores) == ["m"]
    assert rooms.jobs.jobs(["t1"]) == {}
    send("t1", took_s=2.0, answer="Three years.", now=12)
    assert assemble_due(rooms, NONE, 12) == 1
    stored = rooms.traces.trace("t1")
    assert (stored.trace.answer, stored.scores) == ("Three years.", {})
    assert stored.trace.feedback == (Feedback(good=True),)
    assert rooms.jobs.jobs(["t1"])["t1"].why == "scored before"


def test_a_thumb_down_that_comes_later_chooses_a_trace_that_was_left_alone(rooms, send):
    rules = OnlineConfig(sample=0, always=("thumbs-down",))
    send("t1")
    assemble_due(rooms, rules, 10)
    assert rooms.jobs.jobs(["t1"]) == {}
    rooms.traces.add_feedback("t1", Feedback(good=False), now_ms=11)
    assemble_due(rooms, rules, 11)
    assert rooms.jobs.jobs(["t1"])["t1"].why == "thumbs-down"
    assert rooms.traces.count(TraceFilter(feedback="bad")) == 1


def test_feedback_that_comes_before_its_trace_waits_for_it(rooms, send):
    rooms.traces.add_feedback("t1", Feedback(good=False), now_ms=5)
    assert assemble_due(rooms, ALL, 5) == 1
    assert rooms.traces.count() == 0
    send("t1", now=6)
    assemble_due(rooms, ALL, 6)
    assert rooms.traces.trace("t1").trace.feedback == (Feedback(good=False),)


def test_an_answer_that_declines_in_words_is_found_and_chosen(rooms, send):
    rules = OnlineConfig(sample=0, always=("abstained",))
    send("t1", answer="I don't know.")
    send("t2")
    assemble_due(rooms, rules, 10)
    assert set(rooms.jobs.jobs(["t1", "t2"])) == {"t1"}
    assert [t.trace.id for t in rooms.traces.listed(TraceFilter(abstained=True))] == ["t1"]


def test_slow_is_slower_than_usual_unless_it_is_said(rooms, send):
    send(*(f"t{n}" for n in range(45)), took_s=1.0)
    rules = OnlineConfig(sample=0, always=("slow",))
    assemble_due(rooms, rules, 10)
    send("late", took_s=3.0, now=11)
    assemble_due(rooms, rules, 11)
    assert rooms.jobs.jobs(["late", "t1"])["late"].why == "slow: 3,000 ms is over 1,000 ms"
    send("said", took_s=3.0, now=12)
    assemble_due(rooms, OnlineConfig(sample=0, always=("slow",), slow_ms=4000), 12)
    assert rooms.jobs.jobs(["said"]) == {}


def test_a_document_is_new_once_and_never_on_the_first_day(rooms, send):
    rules = OnlineConfig(sample=0, always=("new-document",))
    send("t1", doc="a.md")
    assemble_due(rooms, rules, 10)
    send("t2", doc="b.md", now=DAY)
    assemble_due(rooms, rules, DAY)
    send("t3", "t4", doc="c.md", now=DAY + 10)
    assemble_due(rooms, rules, DAY + 10, limit=1)
    assemble_due(rooms, rules, DAY + 10, limit=1)
    assert {i: j.why for i, j in rooms.jobs.jobs(["t1", "t2", "t3", "t4"]).items()} == {
        "t3": "new document: c.md#0"
    }


def hostile(rooms, *bodies, trace_id="t1"):
    spans = [
        Arrived(trace_id, f"s{n}", None, "x", 1, 2, form, "o", body)
        for n, (form, body) in enumerate(bodies)
    ]
    rooms.spans.add([Arrivals(spans, {"o": b"{}"})], now_ms=0, quiet_ms=0, ended_ms=0)


def test_what_cannot_be_read_is_a_trace_that_says_so_and_never_comes_again(rooms):
    hostile(rooms, ("protobuf", b"\xff\xff"), ("json", b"[1"), ("span", b"{}"))
    assert assemble_due(rooms, ALL, 10) == 1
    trace = rooms.traces.trace("t1").trace
    assert trace.missing["question"].startswith("none of its spans could be read: ")
    assert assemble_due(rooms, ALL, 10**9) == 0


def test_one_that_cannot_be_understood_does_not_keep_others_waiting(rooms, send, monkeypatch):
    real = assemble.understand

    def falls_over(spans):
        if spans[0].trace_id == "t1":
            raise RecursionError("deep")
        return real(spans)

    monkeypatch.setattr(assemble, "understand", falls_over)
    send("t1", "t2")
    assert assemble_due(rooms, ALL, 10) == 2
    assert rooms.traces.trace("t1").trace.missing["answer"] == (
        "it could not be understood: RecursionError: deep"
    )
    assert rooms.traces.trace("t2").trace.answer == "The warranty lasts two years."


def test_one_that_is_too_large_is_not_read(rooms, send, monkeypatch):
    monkeypatch.setattr(assemble, "_MOST_BYTES", 3000)
    send("t1", contexts=("x" * 5000,))
    send("t2")
    assemble_due(rooms, ALL, 10)
    assert "too much to be read" in rooms.traces.trace("t1").trace.missing["retrieved"]
    assert rooms.traces.trace("t2").trace.answer is not None


def test_no_more_is_read_at_a_time_than_there_is_room_for(rooms, send, monkeypatch):
    send(*(f"t{n}" for n in range(7)))
    sizes = []
    real = rooms.spans.spans_of

    def counted(ids):
        sizes.append(len(ids))
        return real(ids)

    monkeypatch.setattr(assemble, "_ROOM", 2500)
    monkeypatch.setattr(rooms.spans, "spans_of", counted)
    assert assemble_due(rooms, ALL, 10) == 7
    assert sum(sizes) == 7
    assert max(sizes) < 4
    assert rooms.traces.count() == 7


def test_our_own_results_are_no_traces(rooms, spans_of):
    ours = [replace(span, scope=OUR_SCOPE) for span in spans_of("t1")]
    rooms.spans.add([gathered(ours)], now_ms=0, quiet_ms=0, ended_ms=0)
    assert assemble_due(rooms, ALL, 10) == 1
    assert rooms.traces.count() == 0
    assert assemble_due(rooms, ALL, 10**9) == 0


@settings(max_examples=6)
@given(st.integers(0, 10**6))
def test_batches_in_any_order_with_repeats_give_the_same_trace(tmp_path_factory, spans_of, seed):
    chance = random.Random(seed)
    url = str(tmp_path_factory.mktemp("any") / "s.db")
    with open_rooms(url) as rooms:
        all_spans = spans_of("t1") + chance.sample(spans_of("t1"), 1)
        chance.shuffle(all_spans)
        for n, span in enumerate(all_spans):
            rooms.spans.add([gathered([span])], now_ms=n, quiet_ms=0, ended_ms=0)
            if chance.random() < 0.5:
                assemble_due(rooms, ALL, n)
        assemble_due(rooms, ALL, 99)
        stored = rooms.traces.trace("t1")
        assert stored.trace.question == "How long does the warranty last?"
        assert stored.digest == digest_of(stored.trace)
        assert rooms.jobs.jobs(["t1"])["t1"].digest == stored.digest
        assert rooms.traces.waiting(10**6) == (0, 0)


@pytest.mark.parametrize("part", ["question", "answer", "contexts"])
def test_the_digest_changes_with_what_metrics_read(rooms, send, part):
    send("t1")
    send("t2", **{part: ("other",) if part == "contexts" else "other"})
    send("t3", took_s=9.0, start_s=5.0)
    assemble_due(rooms, NONE, 10)
    one, other, same = (rooms.traces.trace(i).digest for i in ("t1", "t2", "t3"))
    assert one == same != other
