import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from sqlalchemy import select

from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.spans import Arrivals, Arrived
from acidtest.data.traces import Feedback, Trace
from acidtest.errors import StoreError
from acidtest.store.spans import SpanStore
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_rows import fitted
from acidtest.store.trace_saving import Understood
from acidtest.store.trace_tables import spans as kept_spans
from acidtest.store.trace_tables import (
    trace_bodies,
    trace_feedback,
    trace_jobs,
    trace_scores,
    trace_tags,
    trace_verdicts,
)
from acidtest.store.traces import TraceStore
from acidtest.store.verdicts import Verdicts

MS = 1_000_000


@pytest.fixture
def store(empty_url):
    with TraceStore(empty_url) as opened:
        yield opened


@pytest.fixture
def jobs(empty_url, store):
    with TraceJobs(empty_url) as opened:
        yield opened


def trace(name="t1", *, at=1000, **more):
    return Trace(id=name, started_ns=at * MS, **{"question": "How?", "answer": "So.", **more})


def span(trace_id="t1", span_id="s1", end=20):
    body = Arrived(trace_id, span_id, None, "rag", 10, end, "protobuf", "o1", b"body")
    return Arrivals([body], {"o1": b"{}"})


def score_it(store, jobs, trace_id, scores, keys=(), now=5):
    store.save([Understood(trace=trace(trace_id), digest="d1", why="sample")], now_ms=now)
    (job,) = jobs.lease("w", 1, 60, now_ms=now)
    assert jobs.done(job, scores, now_ms=now, verdict_keys=keys)


def test_a_trace_comes_back_as_it_was_saved(store):
    whole = trace(
        retrieved=(Chunk(id="c1", text="x\0y"),),
        usage=Usage(cost_usd=0.1, input_tokens=2**70),
        latency_ms=Latency(total=12.5),
        session="s",
        tags=("b", "a", "a"),
        question="nul \0 and half \ud800",
    )
    store.save([(whole, "d1")], now_ms=7)
    found = store.trace("t1")
    assert found is not None
    assert (found.digest, found.started, found.updated, found.scores) == ("d1", 1000, 7, {})
    assert found.trace.retrieved == whole.retrieved
    assert found.trace.question == "nul \0 and half \ufffd"
    assert store.trace("t2") is None


def test_one_that_does_not_say_when_it_began_began_when_it_came(store):
    store.save([(Trace(id="t1"), "d1"), (trace("t2", at=-5), "d1")], now_ms=70)
    assert [(t.trace.id, t.started) for t in store.listed()] == [("t1", 70), ("t2", 0)]


def test_pages_give_each_trace_once_newest_first(store):
    store.save([(trace(f"t{n:02}", at=n // 3), "d") for n in range(25)], now_ms=1)
    seen, pages, after = [], 0, None
    while pages == 0 or after is not None:
        page, after = store.page(after=after, limit=4)
        seen, pages = [*seen, *(each.trace.id for each in page)], pages + 1
    assert pages == 7
    assert seen == [f"t{n:02}" for n in reversed(range(25))]
    assert [each.trace.id for each in store.each(at_once=7)] == seen


def test_a_page_of_huge_traces_is_short_and_none_is_lost(store, monkeypatch):
    monkeypatch.setattr("acidtest.store.traces._ROOM", 25_000)
    huge = "x" * 10_000
    for n in range(7):
        made = structs.replace(trace(f"t{n}", at=n), answer=huge * (4 if n == 3 else 1))
        store.save([(made, "d")], now_ms=1)
    sizes, after = [], None
    while not sizes or after is not None:
        page, after = store.page(after=after, limit=5)
        sizes.append(len(page))
    assert sizes == [2, 1, 1, 2, 1]
    assert [each.trace.id for each in store.each(at_once=5)] == [f"t{n}" for n in range(6, -1, -1)]


def test_beginnings_of_questions(store):
    asked = structs.replace(trace("t1"), question="why? " * 1_000)
    store.save([(asked, "d"), (structs.replace(trace("t2"), question=None), "d")], now_ms=1)
    assert store.questions(["t1", "t2", "t3"], most=7) == {"t1": "why? wh", "t2": ""}


FILTERS = [
    (TraceFilter(text="WARRANTY"), {"a"}),
    (TraceFilter(text="50%"), {"b"}),
    (TraceFilter(text="0%_"), set()),
    (TraceFilter(service="shop"), {"a", "b"}),
    (TraceFilter(model="m1"), {"b"}),
    (TraceFilter(session="s1", user="u1"), {"a"}),
    (TraceFilter(tag="vip"), {"b"}),
    (TraceFilter(failed=True), {"c"}),
    (TraceFilter(abstained=True), {"b"}),
    (TraceFilter(abstained=False), {"c"}),
    (TraceFilter(feedback="bad"), {"a", "c"}),
    (TraceFilter(feedback="good"), {"c"}),
    (TraceFilter(since=2000, until=3000), {"b"}),
    (TraceFilter(metric="faithfulness"), {"a", "b"}),
    (TraceFilter(metric="faithfulness", max_score=0.5), {"a"}),
    (TraceFilter(metric="faithfulness", min_score=0.5), {"a", "b"}),
    (TraceFilter(metric="faithfulness", min_score=0.6), {"b"}),
    (TraceFilter(metric="leak"), set()),
    (TraceFilter(job="waiting"), {"c"}),
    (TraceFilter(), {"a", "b", "c"}),
]


@pytest.mark.parametrize("name", ["sqlite", "postgres"])
def test_filters_find_what_fits(name, tmp_path, request):
    url = request.getfixturevalue("postgres_url") if name == "postgres" else str(tmp_path / "f.db")
    good, bad = Feedback(good=True), Feedback(good=False)
    common = {"service": "shop"}
    with TraceStore(url) as store, TraceJobs(url) as jobs:
        store.save(
            [
                Understood(trace=each, digest="d", why="sample")
                for each in (
                    trace(
                        "a",
                        question="The Warranty?",
                        session="s1",
                        user="u1",
                        feedback=(bad,),
                        **common,
                    ),
                    trace(
                        "b",
                        at=2500,
                        answer="50% off",
                        model="m1",
                        tags=("vip",),
                        abstained=True,
                        **common,
                    ),
                    trace("c", at=3000, error="boom", abstained=False, feedback=(good, bad)),
                )
            ],
            now_ms=1,
        )
        first, second = jobs.lease("w", 2, 60, now_ms=1)
        assert jobs.done(first, {"faithfulness": Score(0.5), "leak": Skip("no")}, now_ms=2)
        assert jobs.done(second, {"faithfulness": Score(1.0), "leak": Failure("x")}, now_ms=2)
        for chosen, wanted in FILTERS:
            assert {each.trace.id for each in store.listed(chosen)} == wanted, chosen
            assert store.count(chosen) == len(wanted), chosen
        read = store.trace("a")
        assert read.scores["leak"].outcome == Skip("no")
        assert read.scores["faithfulness"].created == 2


def test_a_changed_digest_takes_the_scores_away_and_is_queued_again(store, jobs):
    score_it(store, jobs, "t1", {"m": Score(1.0)})
    assert store.save([Understood(trace=trace(tags=("new",)), digest="d1", why="sample")], now_ms=6)
    assert list(store.trace("t1").scores) == ["m"]
    assert jobs.jobs(["t1"]) == {}
    store.save([Understood(trace=trace(answer="Other."), digest="d2", why="sample")], now_ms=7)
    assert store.trace("t1").scores == {}
    assert jobs.jobs(["t1"])["t1"].digest == "d2"


def test_what_a_worker_made_of_an_earlier_state_is_not_stored(store, jobs):
    store.save([Understood(trace=trace(), digest="d1", why="sample")], now_ms=1)
    (job,) = jobs.lease("w", 1, 60, now_ms=1)
    store.save([Understood(trace=trace(answer="Other."), digest="d2", why="sample")], now_ms=2)
    assert not jobs.done(job, {"m": Score(0.0)}, now_ms=3)
    assert store.trace("t1").scores == {}
    (again,) = jobs.lease("w", 1, 60, now_ms=3)
    assert again.digest == "d2"
    assert jobs.done(again, {"m": Score(1.0)}, now_ms=3)


def test_a_pending_trace_is_claimed_once_and_forgotten_when_saved(empty_url, store):
    with SpanStore(empty_url) as spans:
        spans.add([span()], now_ms=100, quiet_ms=50, ended_ms=10)
        assert store.claim(109, limit=5, hold_ms=1000) == []
        (one,) = store.claim(110, limit=5, hold_ms=1000)
        assert (one.trace_id, one.spans, one.size) == ("t1", 1, 4)
        assert store.claim(111, limit=5, hold_ms=1000) == []
        assert store.claim(1110, limit=5, hold_ms=1000) == [one]
        assert store.waiting(2000) == (1, 0)
        assert store.save([Understood(trace=trace(), digest="d", last=one.last)], now_ms=9) == [
            "t1"
        ]
        assert store.waiting(9999) == (0, 0)


def test_a_span_that_comes_meanwhile_keeps_the_trace_pending(empty_url, store):
    with SpanStore(empty_url) as spans:
        spans.add([span()], now_ms=100, quiet_ms=50, ended_ms=10)
        (one,) = store.claim(200, limit=5, hold_ms=1000)
        spans.add([span(span_id="s2")], now_ms=100, quiet_ms=50, ended_ms=10)
        assert store.save([Understood(trace=trace(), digest="d", last=one.last)], now_ms=9) == []
        store.drop([one])
        assert store.trace("t1") is None
        (again,) = store.claim(300, limit=5, hold_ms=1000)
        assert (again.spans, again.last > one.last) == (2, True)


def test_feedback_may_come_before_its_trace_and_makes_it_due(store):
    bad = Feedback(good=False, comment="no\0")
    store.add_feedback("t1", bad, now_ms=5)
    store.add_feedback("t1", Feedback(score=1.0), now_ms=5)
    assert store.feedback(["t1", "t2"]) == {"t1": (bad, Feedback(score=1.0))}
    (one,) = store.claim(5, limit=1, hold_ms=10)
    store.add_feedback("t1", bad, now_ms=5)
    assert store.save([Understood(trace=trace(), digest="d", last=one.last)], now_ms=6) == []


@pytest.mark.parametrize("by", ["id", "session", "user", "age"])
def test_deleting_takes_all_that_was_derived(empty_url, store, jobs, by):
    with SpanStore(empty_url) as spans, Verdicts(empty_url) as verdicts:
        for i in ("gone", "stays"):
            spans.add([span(i)], now_ms=100, quiet_ms=50, ended_ms=10)
            at = {"gone": 1000, "stays": 9000}[i]
            one = trace(i, at=at, session=f"s-{i}", user=f"u-{i}" * 100, tags=("x",))
            store.save(
                [Understood(trace=one, digest="d1", why="sample", documents=(i,))], now_ms=9000
            )
            store.add_feedback(i, Feedback(good=True), now_ms=100)
            (job,) = jobs.lease("w", 1, 60, now_ms=9000)
            rows = [(i, f"k-{i}", "m", b"{}"), (i, "k-both", "m", b"{}")]
            jobs.keep_verdicts(rows, created="2026-11-30T00:00:00+00:00")
            assert jobs.done(job, {"m": Score(1.0)}, now_ms=9000, verdict_keys=[f"k-{i}", "k-both"])
        delete = {
            "id": lambda: store.delete(["gone", "never"]),
            "session": lambda: store.delete_session("s-gone"),
            "user": lambda: store.delete_user("u-gone" * 100),
            "age": lambda: store.delete_older(9000),
        }[by]
        assert delete() == 1
        assert [t.trace.id for t in store.listed()] == ["stays"]
        assert [len(some) for some in spans.spans_of(["gone", "stays"]).values()] == [0, 1]
        assert store.feedback(["gone"]) == {}
        assert store.count(TraceFilter(tag="x")) == 1
        assert [kept.verdicts for kept in verdicts.by_model()] == [2]
        assert store.waiting(10**9)[0] == 1
        assert store.delete(["stays"]) == 1
        assert verdicts.by_model() == []
        for table in (
            trace_bodies,
            trace_tags,
            trace_scores,
            trace_verdicts,
            trace_jobs,
            trace_feedback,
            kept_spans,
        ):
            assert store._rows(select(table)) == [], table.name


def test_old_spans_and_feedback_that_became_no_trace_go_too(empty_url, store):
    with SpanStore(empty_url) as spans:
        spans.add([span("lost")], now_ms=100, quiet_ms=50, ended_ms=10)
        store.add_feedback("lost", Feedback(), now_ms=100)
        assert store.delete_older(100) == 0
        assert len(spans.spans_of(["lost"])["lost"]) == 1
        store.delete_older(101)
        assert spans.spans_of(["lost"]) == {"lost": []}
        assert store.feedback(["lost"]) == {}


def test_a_trace_that_is_deleted_while_it_is_understood_stays_deleted(empty_url, store, jobs):
    with SpanStore(empty_url) as spans:
        spans.add([span()], now_ms=100, quiet_ms=50, ended_ms=10)
        (one,) = store.claim(200, limit=5, hold_ms=1000)
        store.delete(["t1"])
        assert store.save([Understood(trace=trace(), digest="d", last=one.last)], now_ms=9) == []
    jobs.keep_verdicts([("t1", "k", "m", b"{}")], created="2026-11-30T00:00:00+00:00")
    with Verdicts(empty_url) as verdicts:
        assert verdicts.by_model() == []


def test_documents_are_new_once(store):
    assert store.unseen(["a", "b"]) == {"a", "b"}
    store.save([Understood(trace=trace(), digest="d", documents=("a", "a"))], now_ms=1)
    assert store.unseen(["a", "b"]) == {"b"}


def test_latencies_are_those_of_the_newest(store):
    store.save(
        [(trace(f"t{n}", at=n, latency_ms=Latency(total=float(n))), "d") for n in range(5)]
        + [(trace("none"), "d"), (trace("nan", latency_ms=Latency(total=float("nan"))), "d")],
        now_ms=1,
    )
    assert store.latencies(3) == [4.0, 3.0, 2.0]


def test_one_that_is_saved_again_is_as_it_was_understood_last(store):
    store.save([(trace(answer="So."), "d")], now_ms=1)
    store.save([(trace(answer="Not so."), "e"), (trace("t2"), "d")], now_ms=2)
    assert {t.trace.id: (t.trace.answer, t.digest) for t in store.listed()} == {
        "t1": ("Not so.", "e"),
        "t2": ("So.", "d"),
    }
    assert [t.trace.id for t in store.listed(TraceFilter(text="not so"))] == ["t1"]


def test_long_texts_are_kept_whole_and_searched_at_their_beginning(store):
    answer = "begun " + "x" * 10_000 + " ended"
    store.save([(trace(question=answer, answer=answer), "d")], now_ms=1)
    (found,) = store.listed(TraceFilter(text="BEGUN"))
    assert (found.trace.question, found.trace.answer) == (answer, answer)
    assert store.listed(TraceFilter(text="ended")) == []


def test_a_trace_without_its_body_is_told(store):
    store.save([(trace(), "d")], now_ms=1)
    with store._begin() as connection:
        connection.execute(trace_bodies.delete())
    with pytest.raises(StoreError, match="trace 't1' is damaged"):
        store.listed()


def test_a_damaged_trace_is_told(store):
    store.save([(trace(), "d")], now_ms=1)
    with store._begin() as connection:
        connection.exec_driver_sql("UPDATE trace_bodies SET body = '{'")
    with pytest.raises(StoreError, match="trace 't1' is damaged"):
        store.trace("t1")


@given(st.text(max_size=600), st.text(max_size=600))
def test_names_that_are_fitted_stay_apart(one, other):
    assert len(fitted(one)) <= 200
    if len(one) <= 200 and one.isprintable():
        assert fitted(one) == one
    if one != other and one.isprintable() and other.isprintable():
        assert fitted(one) != fitted(other)
