"""Looking at a store: from traces to alerts that are kept and told, once, by one of several workers."""

import json

import msgspec
import numpy as np
import pytest
from aiohttp import web
from sqlalchemy import delete
from tests.online.receiver import receiving

from acidtest.data.answers import Latency
from acidtest.data.outcomes import Score
from acidtest.data.traces import Feedback, Trace
from acidtest.online import look as look_module
from acidtest.online.config import AlertsConfig, OnlineConfig
from acidtest.online.held import Window
from acidtest.online.look import alerting, read_state, readings_of, set_window
from acidtest.online.readings import DAY_MS
from acidtest.online.sample import sampled
from acidtest.store.alerts import Alerts
from acidtest.store.trace_readings import TraceReadings
from acidtest.store.trace_tables import trace_scores

MONDAY = 1_767_571_200_000  # 5 January 2026
MINUTE = 60_000


def fill(
    rooms,
    first,
    last,
    *,
    bad=0.1,
    per=20,
    model="old",
    share=1.0,
    metric="faithfulness",
    judge=None,
    version=None,
):
    """Store traces of some days, of which a share was scored."""
    draw = np.random.default_rng(abs(first))
    saved, scores = [], []
    for day in range(first, last):
        for n in range(per):
            name = f"t{day}-{n}"
            down = draw.random() < 0.05
            trace = Trace(
                id=name,
                started_ns=(MONDAY + day * DAY_MS + n * MINUTE) * 1_000_000,
                question=f"How do I get a {['refund', 'invoice'][n % 2]}?",
                answer="So.",
                model=model,
                session=f"s{n // 2}",
                tags=("web",),
                feedback=(Feedback(good=False),) if down else (),
                latency_ms=Latency(total=float(draw.lognormal(6, 0.4))),
            )
            saved.append((trace, f"d{name}"))
            if down or sampled(name, share):
                value = 0.5 if draw.random() < bad else 1.0
                scores.append(
                    {
                        "trace_id": name,
                        "metric": metric,
                        "digest": f"d{name}",
                        "judge": judge,
                        "version": version,
                        "created": 0,
                        "value": value,
                        "body": msgspec.json.encode(Score(value=value)),
                    }
                )
    rooms.traces.save(saved, now_ms=MONDAY)
    with rooms.traces._begin() as connection:
        old = delete(trace_scores).where(trace_scores.c.metric == metric)
        connection.execute(old.where(trace_scores.c.trace_id.in_([t.id for t, _ in saved])))
        connection.execute(trace_scores.insert(), scores)


def watched(rooms):
    """Return what the watch saw last, by metric."""
    with Alerts(rooms.traces.url) as kept:
        return {d.metric: d for d in read_state(kept).drifts if d.by is None}


@pytest.fixture
async def hook():
    """A webhook: its address, and what it was posted."""
    got, statuses = [], []

    async def answer(request):
        got.append(json.loads(await request.read()))
        return web.Response(status=statuses.pop(0) if statuses else 200)

    async with receiving(answer) as address:
        yield f"{address}/", got, statuses


def at(day, minute=0):
    return MONDAY + day * DAY_MS + minute * MINUTE


async def test_a_fall_opens_one_alert_that_is_told_once(rooms, hook):
    url, got, _ = hook
    config = OnlineConfig(sample=1.0, alerts=AlertsConfig(webhook=url))
    look = alerting(config)
    fill(rooms, 0, 29)
    assert await look(rooms, at(29)) == 0
    fill(rooms, 29, 33, bad=0.6, model="new")
    assert await look(rooms, at(33)) == 1
    assert await look(rooms, at(33, 20)) == 1
    assert len(got) == 1
    assert got[0]["alert"]["cause"]["of"] == "new"
    with Alerts(rooms.traces.url) as kept:
        (stored,) = kept.listed()
        assert kept.get(stored.id) == stored
        assert kept.get(999) is None
        assert stored.alert.title.startswith("faithfulness fell")
        state = read_state(kept)
    assert state.window == Window(since_ms=at(0), until_ms=at(28))
    assert [sent.error for sent in state.sent] == [""]
    assert {d.metric for d in state.drifts} > {"faithfulness", "latency_ms", "questions"}
    by_id = set(stored.alert.worst)
    assert by_id
    assert all(name.startswith(("t29", "t30", "t31", "t32")) for name in by_id)


async def test_what_did_not_arrive_is_kept_and_sent_at_the_next_look(rooms, hook):
    url, got, statuses = hook
    look = alerting(
        OnlineConfig(sample=1.0, targets={"faithfulness": 0.9}, alerts=AlertsConfig(webhook=url))
    )
    fill(rooms, 0, 4, bad=0.6)
    statuses.append(404)
    assert await look(rooms, at(4)) == 1
    assert await look(rooms, at(4, 1)) == 1  # not due yet
    assert len(got) == 1
    assert await look(rooms, at(4, 16)) == 1
    assert len(got) == 2
    assert await look(rooms, at(4, 32)) == 1
    assert len(got) == 2
    with Alerts(rooms.traces.url) as kept:
        assert [sent.error for sent in read_state(kept).sent] == ["it answered 404", ""]
        assert [each.alert.key for each in kept.listed(state="open")] == ["target:faithfulness"]


async def test_of_two_workers_one_looks(rooms, hook):
    url, got, _ = hook
    config = OnlineConfig(
        sample=1.0, targets={"faithfulness": 0.9}, alerts=AlertsConfig(webhook=url)
    )
    fill(rooms, 0, 4, bad=0.6)
    first, second = alerting(config), alerting(config)
    await first(rooms, at(4))
    await second(rooms, at(4))
    assert len(got) == 1


async def test_an_empty_store_has_no_alerts(rooms):
    assert await alerting(OnlineConfig(), every_ms=0)(rooms, MONDAY) == 0


async def test_another_window_is_the_reference_until_its_traces_are_gone(rooms):
    fill(rooms, 0, 40)
    window = Window(since_ms=at(5), until_ms=at(36))
    with Alerts(rooms.traces.url) as kept:
        set_window(kept, window)
        await alerting(OnlineConfig(sample=1.0))(rooms, at(40))
        assert read_state(kept).window == window
        rooms.traces.delete_older(at(36))
        await alerting(OnlineConfig(sample=1.0), every_ms=0)(rooms, at(41))
        assert read_state(kept).window is None
        kept.swap("watch", kept.state("watch"), b"{broken")
        assert read_state(kept).looked_ms == 0
        assert not kept.swap("watch", b"old", b"new")


async def test_another_judge_begins_a_reference_of_its_own_and_ends_what_it_cannot_tell(rooms):
    look = alerting(OnlineConfig(sample=1.0), every_ms=0)
    fill(rooms, 0, 30, judge="a")
    assert await look(rooms, at(30)) == 0
    fill(rooms, 30, 33, bad=0.6, judge="a")
    assert await look(rooms, at(33)) == 1
    # A stricter judge is no fall, and what the old one said of this one's time nobody can tell.
    fill(rooms, 33, 36, bad=0.6, judge="b")
    await look(rooms, at(36))
    drift = watched(rooms)["faithfulness"]
    assert not drift.alarmed
    assert drift.note == "its own reference began on 2026-02-07, and is complete on 2026-03-07"
    assert await look(rooms, at(37, 1)) == 0
    fill(rooms, 36, 64, bad=0.6, judge="b")
    assert await look(rooms, at(64)) == 0
    fill(rooms, 64, 68, bad=1.0, judge="b")
    assert await look(rooms, at(68)) == 1
    assert watched(rooms)["faithfulness"].before.value == pytest.approx(0.7, abs=0.03)


async def test_another_version_of_a_metric_is_another_scorer(rooms):
    fill(rooms, 0, 30, version="1")
    fill(rooms, 30, 34, bad=0.9, version="2")
    await alerting(OnlineConfig(sample=1.0))(rooms, at(34))
    assert "its own reference began" in watched(rooms)["faithfulness"].note


async def test_what_is_scored_again_by_the_same_judge_stays_as_it_was(rooms):
    fill(rooms, 0, 32)
    look = alerting(OnlineConfig(sample=1.0), every_ms=0)
    await look(rooms, at(32))
    before = watched(rooms)["faithfulness"]
    fill(rooms, 0, 32)  # all is understood anew
    await look(rooms, at(32, 1))
    after = watched(rooms)["faithfulness"]
    assert (after.evidence, after.before.n) == (before.evidence, before.before.n)


async def test_one_trace_with_a_wrong_clock_is_no_beginning(rooms):
    fill(rooms, -20_000, -19_999, per=1)  # 1971
    fill(rooms, 0, 29)
    await alerting(OnlineConfig(sample=1.0))(rooms, at(29))
    with Alerts(rooms.traces.url) as kept:
        assert read_state(kept).window == Window(since_ms=at(0), until_ms=at(28))


async def test_a_clock_that_is_set_back_does_not_end_the_watch(rooms):
    look = alerting(OnlineConfig(sample=1.0, targets={"faithfulness": 0.9}))
    fill(rooms, 0, 4, bad=0.6)
    await look(rooms, at(400))  # a clock that was wrong
    assert await look(rooms, at(4)) == 1


async def test_days_without_traffic_and_a_metric_that_comes_later(rooms):
    fill(rooms, 0, 10)
    fill(rooms, 20, 40)
    fill(rooms, 45, 50)
    look = alerting(OnlineConfig(sample=1.0), every_ms=0)
    assert await look(rooms, at(50)) == 0
    assert watched(rooms)["faithfulness"].after is not None
    fill(rooms, 50, 55, metric="harm")
    assert await look(rooms, at(55)) == 0
    assert watched(rooms)["harm"].note.startswith("its own reference began on 2026-02-24")


async def test_a_reference_of_perfect_scores_tells_one_bad_answer_from_many(rooms):
    fill(rooms, 0, 30, bad=0.0)
    look = alerting(OnlineConfig(sample=1.0), every_ms=0)
    assert await look(rooms, at(30)) == 0
    fill(rooms, 30, 33, bad=0.3)
    assert await look(rooms, at(33)) == 1


async def test_five_traces_are_no_reference(rooms):
    fill(rooms, 0, 5, per=1)
    assert await alerting(OnlineConfig(sample=1.0))(rooms, at(40)) == 0
    with Alerts(rooms.traces.url) as kept:
        assert read_state(kept).window is None


def test_rows_become_readings_with_their_chances(rooms):
    fill(rooms, 0, 7, per=60, share=0.25)
    with TraceReadings(rooms.traces.url) as store:
        assert store.days() == [((at(day)) // DAY_MS, 60) for day in range(7)]
        rows = list(store.between(at(0), at(7)))
    readings = readings_of(rows, OnlineConfig(sample=0.25))
    assert len(readings) == 420
    down = [r for r in readings if r.facts["thumbs_down"]]
    drawn = [r for r in readings if r.scores and not r.facts["thumbs_down"]]
    assert {r.chance for r in down} == {1.0}
    assert {r.chance for r in drawn} == {len(drawn) / (420 - len(down))}
    first = readings[0]
    assert (first.trace, first.at_ms, first.session) == ("t0-0", at(0), "s0")
    assert first.slices == {"model": ("old",), "tag": ("web",)}
    assert first.question == "How do I get a refund?"
    assert set(first.facts) >= {"error", "thumbs_down", "latency_ms"}
    by_tag = readings_of(rows, OnlineConfig(sample=0.25, always=("tag:web",)))
    assert len({r.chance for r in by_tag}) == 2  # all are caught: those scored have one chance


async def test_a_window_that_is_set_during_a_look_stays_and_what_was_told_is_kept(
    rooms, hook, monkeypatch
):
    url, got, _ = hook
    config = OnlineConfig(
        sample=1.0, targets={"faithfulness": 0.9}, alerts=AlertsConfig(webhook=url)
    )
    window = Window(since_ms=at(5), until_ms=at(36))
    fill(rooms, 0, 40, bad=0.6)
    told = look_module.tell

    async def meanwhile(*given, **more):
        with Alerts(rooms.traces.url) as kept:
            set_window(kept, window)
        return await told(*given, **more)

    monkeypatch.setattr(look_module, "tell", meanwhile)
    await alerting(config)(rooms, at(40))
    monkeypatch.undo()
    with Alerts(rooms.traces.url) as kept:
        assert read_state(kept).window == window
    assert await alerting(config)(rooms, at(40, 1)) == 1  # at once, since the window is another
    assert len(got) == 1
    with Alerts(rooms.traces.url) as kept:
        assert read_state(kept).window == window


async def test_that_an_alert_is_over_is_told_also_where_the_look_that_ended_it_was_killed(
    rooms, hook
):
    url, got, _ = hook
    config = OnlineConfig(
        sample=1.0, targets={"faithfulness": 0.9}, alerts=AlertsConfig(webhook=url)
    )
    fill(rooms, 0, 4, bad=0.6)
    assert await alerting(config)(rooms, at(4)) == 1
    with Alerts(rooms.traces.url) as kept:
        (one,) = kept.listed()
        kept.save([msgspec.structs.replace(one.alert, state="ended", ended_ms=at(4, 1))])
    for minute in (20, 40):
        await alerting(config)(rooms, at(4, minute))
    assert [each["alert"]["state"] for each in got] == ["open", "open", "ended"]
