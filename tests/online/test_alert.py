"""Alerts: grouped, with cause and worst traces; opened once, kept through luck, ended after a day."""

import numpy as np
import pytest
from msgspec.structs import replace

from acidtest.data.watching import Alert, Cause, Drift, Estimate, Missed, Reading
from acidtest.online.alert import over, updated
from acidtest.online.cause import cause_of, worst
from acidtest.online.drift import drifts
from acidtest.online.held import Span, Window
from acidtest.online.missed import beyond, measured, missed
from acidtest.online.readings import DAY_MS
from acidtest.report.alert_words import explained, titled

MONDAY = 1_767_571_200_000  # 5 January 2026
WINDOW = Window(since_ms=MONDAY, until_ms=MONDAY + 28 * DAY_MS)


def system(days, *, broken=(), model="new", share=0.5):
    """Return traces; on broken days a share of them comes from another model, which is bad and slow."""
    draw = np.random.default_rng(1)
    found = []
    for day in range(days):
        for n in range(50):
            other = day in broken and draw.random() < share
            bad = draw.random() < (0.6 if other else 0.15)
            found.append(
                Reading(
                    trace=f"t{day}-{n}",
                    at_ms=MONDAY + day * DAY_MS + n * 60_000,
                    slices={"model": (model if other else "old",), "tag": ("web",)},
                    scores={"faithfulness": 0.5 if bad else 1.0},
                    facts={
                        "error": float(draw.random() < 0.02),
                        "latency_ms": float(draw.lognormal(7, 0.5) * (2 if other else 1)),
                    },
                )
            )
    return found


def look(readings, day, alerts=(), *, ended=(), targets=None):
    """Look at the end of a day, as the worker does."""
    now = MONDAY + (day + 1) * DAY_MS - 1
    spans = over(ended)
    seen = [r for r in readings if r.at_ms <= now]
    kept = [r for r in seen if not any(s.since_ms <= r.at_ms < s.until_ms for s in spans)]
    found = drifts(seen, WINDOW, now_ms=now, over=spans, slices=[("model", "old")])
    goals = targets or {}
    return updated(
        alerts,
        found,
        measured(kept, goals, now_ms=now),
        missed(kept, goals, now_ms=now),
        kept,
        now_ms=now,
    )


def test_what_moved_together_is_one_alert_with_its_cause_and_its_worst_traces():
    readings = system(40, broken=range(33, 40))
    (alert,) = look(readings, 39)
    assert {d.metric for d in alert.drifts} == {"faithfulness", "latency_ms"}
    assert (alert.cause.by, alert.cause.of) == ("model", "new")
    assert alert.cause.explains > 0.8
    assert alert.cause.rest.value == pytest.approx(0.925, abs=0.03)
    assert len(alert.worst) == 10
    by_id = {r.trace: r for r in readings}
    for trace in alert.worst:
        assert by_id[trace].slices["model"] == ("new",)
        assert by_id[trace].scores["faithfulness"] == 0.5
    assert "faithfulness fell from 0.9" in alert.title
    assert alert.title.count("2026-02-07") == 1
    assert alert.title.endswith(
        "since 2026-02-07; likely cause of the fall in faithfulness: model new"
    )
    assert alert.cause.metric == "faithfulness"
    said = explained(alert.cause, alert.drifts)
    assert said.startswith("model new explains ")
    assert "% of the fall in faithfulness: 0.6" in said
    assert " there, 0.9" in said


def test_an_alert_opens_once_lasts_and_ends_a_day_after_all_is_back():
    readings = system(48, broken=range(33, 40))
    alerts, history, ended = [], {}, []
    for day in range(32, 48):
        alerts = look(readings, day, alerts, ended=ended)
        ended += [a for a in alerts if a.state == "ended"]
        history[day] = [(a.key, a.state) for a in alerts]
        alerts = [a for a in alerts if a.state == "open"]
    keys = {key for states in history.values() for key, _ in states}
    assert len(keys) == 1
    opened = [day for day, states in history.items() if states]
    assert 33 <= opened[0] <= 35
    assert 42 <= opened[-1] <= 46
    assert opened == list(range(opened[0], opened[-1] + 1))
    (only,) = ended
    assert only.ended_ms - only.calm_since_ms >= DAY_MS
    assert over([only]) == [Span(since_ms=only.drifts[0].since_ms, until_ms=only.ended_ms)]


def test_quiet_days_open_nothing():
    readings = system(58)
    assert [look(readings, day) for day in (40, 57)] == [[], []]


def test_where_all_slices_move_alike_no_cause_is_named():
    draw = np.random.default_rng(2)
    readings = [
        Reading(
            trace=f"t{n}",
            at_ms=MONDAY + n // 40 * DAY_MS,
            slices={"model": (str(n % 3),)},
            scores={"m": float(draw.random() < (0.9 if n < 1200 else 0.6))},
        )
        for n in range(1600)
    ]
    drift = Drift(
        metric="m",
        kind="score",
        evidence=999,
        limit=100,
        alarmed=True,
        rising=False,
        since_ms=MONDAY + 30 * DAY_MS,
    )
    assert cause_of(readings, drift) is None


def test_a_model_that_took_over_is_the_cause_and_one_that_was_there_is_not():
    readings = system(40, broken=range(33, 40), share=1.0)
    (alert,) = look(readings, 39)
    assert (alert.cause.by, alert.cause.of, alert.cause.rest) == ("model", "new", None)
    same = [replace(r, slices={"model": ("old",)}) for r in readings]
    (alert,) = look(same, 39)
    assert alert.cause is None


def test_a_flat_price_is_a_cause_and_one_conversation_is_none():
    def sent(n, service, cost, session):
        return Reading(
            trace=f"{service}{n}",
            at_ms=MONDAY + n * DAY_MS // 20,
            session=session,
            slices={"service": (service,), "tag": ("web" if n % 5 else "app",)},
            facts={"cost_usd": cost},
        )

    old = [sent(n, "shop", 0.004, f"s{n}") for n in range(100)]
    fell = Drift(
        metric="cost_usd", kind="size", evidence=999, limit=400, alarmed=True, rising=False,
        since_ms=MONDAY + 5 * DAY_MS,
    )  # fmt: skip
    new = [sent(n, "bot", 0.003, f"b{n}") for n in range(100, 140)]
    cause = cause_of([*old, *new, sent(141, "shop", 0.004, "s")], fell)
    assert cause is not None
    assert (cause.by, cause.of) == ("service", "bot")
    one = [replace(r, session="b") for r in new]
    assert cause_of([*old, *one, sent(141, "shop", 0.004, "s")], fell) is None


def test_what_took_over_before_and_was_well_is_not_the_cause():
    readings = system(40, broken=range(33, 40), share=1.0)

    def taken_over(day):
        begins = MONDAY + day * DAY_MS
        versions = [("v3" if r.at_ms >= begins else "v2",) for r in readings]
        return [
            replace(r, slices={"prompt_version": version})
            for r, version in zip(readings, versions, strict=True)
        ]

    # It had all traces for five days on which all was well.
    (alert,) = look(taken_over(28), 39)
    assert alert.cause is None
    (alert,) = look(taken_over(33), 39)
    assert (alert.cause.by, alert.cause.of) == ("prompt_version", "v3")
    # A model that was tried on a few, and was bad for these, is.
    tried = [
        replace(r, slices={"model": ("new",)}, scores={"faithfulness": 0.5})
        if MONDAY + 28 * DAY_MS <= r.at_ms < MONDAY + 33 * DAY_MS and n % 10 == 0
        else r
        for n, r in enumerate(readings)
    ]
    (alert,) = look(tried, 39)
    assert (alert.cause.by, alert.cause.of) == ("model", "new")


def test_a_slice_that_alone_moved_has_an_alert_of_its_own():
    estimate = Estimate(value=0.5, low=0.4, high=0.6, n=50)
    base = Drift(
        metric="m",
        kind="score",
        evidence=900,
        limit=100,
        alarmed=True,
        rising=False,
        since_ms=MONDAY,
        before=replace(estimate, value=0.9),
        after=estimate,
        recent=estimate,
    )
    whole, part = base, replace(base, by="tag", of="de")
    later = replace(part, metric="k", since_ms=MONDAY + 20 * DAY_MS)
    assert [a.key for a in updated([], [whole, part], [], [], [], now_ms=0)] == [
        "drift:all:m:2026-01-05"
    ]
    found = updated([], [part, later], [], [], [], now_ms=0)
    assert [a.key for a in found] == ["drift:tag=de:k:2026-01-25", "drift:tag=de:m:2026-01-05"]
    assert titled(found[1]) == "m fell from 0.90 to 0.50 since 2026-01-05, with tag de"
    again = updated(found, [part, later], [], [], [], now_ms=1)
    assert [a.key for a in again] == [a.key for a in found]


def test_a_target_is_missed_by_its_interval_and_ends_a_day_after_it_is_met():
    readings = system(50, broken=range(33, 40))
    targets = {"faithfulness": 0.9, "error": 0.1, "latency_ms": 1e6, "unknown": 1.0}
    assert [m.metric for m in measured(readings, targets, now_ms=MONDAY + 30 * DAY_MS)] == [
        "error",
        "faithfulness",
        "latency_ms",
    ]
    alerts, days = [], []
    for day in range(32, 50):
        alerts = [
            a
            for a in look(readings, day, alerts, targets=targets)
            if a.state == "open" and a.missed
        ]
        if alerts:
            days.append(day)
            assert alerts[0].key == "target:faithfulness"
            assert "below the target of 0.90" in alerts[0].title
            bad = {r.trace for r in readings if r.scores["faithfulness"] < 0.9}
            assert len(alerts[0].worst) == 10
            assert bad.issuperset(alerts[0].worst)
    assert 34 <= days[0] <= 38
    assert days == list(range(days[0], days[-1] + 1))
    assert 43 <= days[-1] <= 48


def test_a_missed_target_shows_the_furthest_of_the_week_and_what_misses_several_first():
    week = [
        Reading(trace="old", at_ms=0, scores={"m": 0.0}),
        Reading(trace="met", at_ms=8 * DAY_MS, scores={"m": 1.0}, facts={"error": 0.0}),
        Reading(trace="near", at_ms=8 * DAY_MS, scores={"m": 0.8}),
        Reading(trace="far", at_ms=8 * DAY_MS, scores={"m": 0.1}, chance=0.0),
        Reading(trace="later", at_ms=8 * DAY_MS + 1, scores={"m": 0.1}),
        Reading(trace="both", at_ms=8 * DAY_MS, scores={"m": 0.3}, facts={"error": 1.0}),
    ]
    none = Estimate(value=0.5, low=0.4, high=0.6, n=5)
    score = Missed(metric="m", target=0.9, at_least=True, estimate=none)
    rate = Missed(metric="error", target=0.05, at_least=False, estimate=none)
    now = 9 * DAY_MS
    assert beyond(week, [score], now_ms=now) == ("later", "far", "both", "near")
    assert beyond(week, [score, rate], now_ms=now)[0] == "both"
    assert beyond(week, [rate], now_ms=now) == ("both",)
    assert beyond(week, [replace(score, metric="unknown")], now_ms=now) == ()


def test_few_traces_miss_no_target_and_less_may_be_better():
    few = [Reading(trace=str(n), at_ms=n, scores={"m": 0.0}) for n in range(49)]
    assert missed(few, {"m": 0.5}, now_ms=100) == []
    many = [Reading(trace=str(n), at_ms=n, scores={"harm": 1.0}) for n in range(60)]
    (one,) = missed(many, {"harm": 0.1}, now_ms=100, lower_is_better=["harm"])
    assert (one.at_least, one.estimate.value) == (False, 1.0)
    assert missed(many, {"harm": 0.1}, now_ms=100) == []


def test_traces_of_unknown_chance_are_shown_and_not_counted():
    drift = Drift(
        metric="m", kind="score", evidence=1, limit=1, alarmed=True, rising=False, since_ms=0
    )
    some = [
        Reading(trace="good", at_ms=1, scores={"m": 1.0}),
        Reading(trace="bad", at_ms=1, scores={"m": 0.0}, chance=0.0),
    ]
    assert worst(some, [drift], None) == ("bad",)


def test_a_missed_target_says_what_it_is():
    one = Missed(
        metric="error",
        target=0.05,
        at_least=False,
        estimate=Estimate(value=0.2, low=0.1, high=0.3, n=90),
    )
    (alert,) = updated([], [], [one], [one], [], now_ms=5)
    assert alert.title == "errors are 20.0%, above the target of 5.0%"
    assert alert.opened_ms == 5


def test_a_title_names_the_strongest_and_says_how_many_more_there_are():
    estimate = Estimate(value=0.5, low=0.4, high=0.6, n=50)
    base = Drift(
        metric="m", kind="score", evidence=900, limit=100, alarmed=True, rising=False,
        since_ms=MONDAY, before=replace(estimate, value=0.9), after=estimate,
    )  # fmt: skip
    kinds = ("more: other words", "more: refund, tax")
    topics = [
        replace(base, metric="questions", kind="topic", rising=True, note=note) for note in kinds
    ]
    slow = replace(
        base, metric="latency_ms", kind="size", rising=True, since_ms=MONDAY + DAY_MS,
        before=replace(estimate, value=800.0), after=replace(estimate, value=1_240.0),
    )  # fmt: skip
    alert = Alert(
        key="k", state="open", opened_ms=0, title="", drifts=(topics[0], slow, topics[1], base),
        cause=Cause(by="prompt_version", of="v8", explains=0.9, after=replace(estimate, value=1_100.0), rest=None,
                    metric="latency_ms"),
    )  # fmt: skip
    assert titled(alert) == (
        "questions unlike those before rose from 90.0% to 50.0% and questions on refund, tax rose from"
        " 90.0% to 50.0% since 2026-01-05; latency rose from 800 ms to 1.2 s since 2026-01-06;"
        " 1 more with them; likely cause of the rise in latency: prompt version v8"
    )
    assert explained(alert.cause, alert.drifts) == (
        "prompt version v8 explains 90% of the rise in latency: 1.1 s there"
    )


def test_what_is_worse_leads_however_strong_a_gain_is():
    side = Estimate(value=0.9, low=0.85, high=0.95, n=90)

    def moved(metric, kind, *, rising, evidence):
        return Drift(
            metric=metric, kind=kind, evidence=evidence, limit=100, alarmed=True, rising=rising,
            since_ms=MONDAY, before=side, after=replace(side, value=0.7 + 0.4 * rising),
        )  # fmt: skip

    cheaper = moved("cost_usd", "size", rising=False, evidence=1e9)
    less_leaks = moved("grounding_leak", "score", rising=False, evidence=1e8)
    topic = replace(moved("questions", "topic", rising=True, evidence=1e7), note="more: new words")
    worse = moved("faithfulness", "score", rising=False, evidence=900)
    slower = moved("latency_ms", "size", rising=True, evidence=800)
    (alert,) = updated(
        [], [topic, cheaper, slower, less_leaks, worse], [], [], [], now_ms=0,
        lower_is_better=["grounding_leak"],
    )  # fmt: skip
    assert [d.metric for d in alert.drifts] == [
        "faithfulness", "latency_ms", "questions", "cost_usd", "grounding_leak",
    ]  # fmt: skip
    assert alert.title.startswith("faithfulness fell from 0.90 to 0.70, latency rose")
    # What joins an alert later leads it too; what it is known by stays.
    (first,) = updated([], [cheaper], [], [], [], now_ms=0)
    (joined,) = updated([first], [cheaper, worse], [], [], [], now_ms=1)
    assert joined.key == first.key
    assert joined.title.startswith("faithfulness fell")


def test_traces_that_became_better_do_not_show_what_is_wrong():
    side = Estimate(value=0.9, low=0.85, high=0.95, n=90)
    fell = Drift(
        metric="faithfulness", kind="score", evidence=900, limit=100, alarmed=True, rising=False,
        since_ms=MONDAY + DAY_MS, before=side, after=replace(side, value=0.7),
    )  # fmt: skip
    cheap = replace(fell, metric="cost_usd", kind="size", evidence=1e9)
    readings = [
        Reading(
            trace=f"{kind}{n}",
            at_ms=MONDAY + DAY_MS * (kind != "old"),
            scores={"faithfulness": 0.2 if kind == "bad" else 1.0},
            facts={"cost_usd": 0.001 if kind == "cheap" else 0.004},
        )
        for kind in ("old", "cheap", "bad")
        for n in range(5)
    ]
    (alert,) = updated([], [cheap, fell], [], [], readings, now_ms=MONDAY + 2 * DAY_MS)
    assert set(alert.worst) == {f"bad{n}" for n in range(5)}
    (gain,) = updated([], [cheap], [], [], readings, now_ms=MONDAY + 2 * DAY_MS)
    assert set(gain.worst) == {f"cheap{n}" for n in range(5)}
