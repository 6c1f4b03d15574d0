"""Traces as columns: the same chances and series as single readings give."""

import random

import numpy as np
import pytest

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Latency, Usage
from acidtest.data.outcomes import Score, Skip
from acidtest.data.traces import Feedback, Trace
from acidtest.data.watching import Reading
from acidtest.online import estimates, readings
from acidtest.online.config import OnlineConfig
from acidtest.online.look import readings_of
from acidtest.online.observed import Left, observed
from acidtest.online.overview import overview, sliced, values_of
from acidtest.online.readings import DAY_MS
from acidtest.online.sample import sampled
from acidtest.store.trace_figures import TraceFigures
from acidtest.store.trace_readings import TraceReadings
from acidtest.store.trace_tables import trace_scores
from acidtest.store.traces import TraceStore

NOW = 1_767_571_200_000  # 5 January 2026
CONFIG = OnlineConfig(sample=0.3, always=("thumbs-down", "error", "tag:vip", "slow"), slow_ms=900.0)


def put(store, scores):
    with store._begin() as connection:
        for trace_id, metric, outcome, *scorer in scores:
            judge, version = scorer or (None, None)
            row = {
                "trace_id": trace_id,
                "metric": metric,
                "digest": "d",
                "judge": judge,
                "version": version,
                "created": NOW,
                "value": outcome.value if isinstance(outcome, Score) else None,
                "body": encoded(outcome),
            }
            connection.execute(trace_scores.insert(), [row])


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store with 300 traces over three weeks, and the same as `Taken`."""
    url = str(tmp_path_factory.mktemp("observed") / "s.db")
    draw = random.Random(7)
    taken, traces, scores = [], [], []
    for n in range(300):
        down, vip, ms = draw.random() < 0.1, draw.random() < 0.1, draw.uniform(100, 1000)
        trace = Trace(
            id=f"t{n}",
            started_ns=(NOW + n * 6_000_000) * 1_000_000,
            session=f"s{n // 4}" if n % 2 else None,
            model=f"m{n % 2}",
            error="boom" if n % 40 == 0 else None,
            abstained=n % 9 == 0,
            tags=("vip",) if vip else (),
            feedback=(Feedback(good=False),) if down else (),
            latency_ms=Latency(total=ms),
            usage=Usage(cost_usd=0.01) if n % 3 else None,
        )
        traces.append((trace, "d"))
        caught = down or vip or trace.error is not None or ms > 900
        value = draw.choice([0.0, 0.5, 1.0])
        values = {}
        # Now and then the budget was spent, and one was scored because somebody asked.
        if ((caught or sampled(trace.id, 0.3)) and n % 11) or n % 50 == 3:
            values = {"faithfulness": value, "citation_validity": value}
            scores += [(trace.id, name, Score(v)) for name, v in values.items()]
        facts = {"abstained": float(n % 9 == 0), "error": float(n % 40 == 0), "latency_ms": ms}
        facts["thumbs_down"] = float(down)
        if n % 3:
            facts["cost_usd"] = 0.01
        reading = Reading(
            trace=trace.id,
            at_ms=NOW + n * 6_000_000,
            session=trace.session,
            slices={"model": (f"m{n % 2}",)},
            scores=values,
            facts=facts,
        )
        taken.append(readings.Taken(reading=reading, caught=caught, drawn=sampled(trace.id, 0.3)))
    scores.append(("t5", "answer_relevance", Skip("no answer")))
    with TraceStore(url) as store:
        store.save(traces, now_ms=NOW)
        put(store, scores)
    return url, taken


@pytest.fixture
def seen(filled):
    with TraceFigures(filled[0]) as figures:
        yield observed(figures, CONFIG, since_ms=NOW, until_ms=NOW * 2, limit=1000)


def test_chances_are_those_of_single_readings(seen, filled):
    wanted = {r.trace: r.chance for r in readings.with_chances(filled[1])}
    assert dict(zip(seen.ids, seen.chance.tolist(), strict=True)) == wanted
    assert len(set(wanted.values())) > 4


def test_series_and_their_estimates_are_those_of_single_readings(seen, filled):
    listed = readings.with_chances(filled[1])
    known = readings.quantities(listed)
    assert seen.quantities() == known
    names = {q.name for q in known}
    assert names == {
        "faithfulness",
        "citation_validity",
        "citation_error",
        "abstained",
        "error",
        "thumbs_down",
        "latency_ms",
        "cost_usd",
    }
    for quantity in known:
        mine, theirs = seen.series(quantity), readings.series(listed, quantity)
        for name in ("at_ms", "values", "weights"):
            assert np.array_equal(getattr(mine, name), getattr(theirs, name)), quantity.name
        pairs = set(zip(mine.sessions.tolist(), theirs.sessions, strict=True))
        assert len(pairs) == len(set(theirs.sessions)) == len(set(mine.sessions.tolist()))
        for estimate in (estimates.mean, lambda some: estimates.quantile(some, 0.5)):
            assert estimate(mine) == estimate(theirs), quantity.name
        if quantity.kind == "rate":
            assert estimates.rate(mine) == estimates.rate(theirs)


def test_each_day_of_the_overview_is_that_of_its_readings(seen, filled):
    until = NOW + 21 * DAY_MS
    listed = readings.with_chances(filled[1])
    some = sliced(seen, {"model": "m1"}, {f"t{n}" for n in range(200)})
    chosen = [r for r in listed if r.slices["model"] == ("m1",) and int(r.trace[1:]) < 200]
    found = overview(seen, some, since_ms=NOW, until_ms=until)
    assert found.traces == len(chosen) == 100
    assert found.scored == sum(bool(r.scores) for r in chosen)
    for daily in found.quantities:
        quantity = next(q for q in seen.quantities() if q.name == daily.name)
        (statistic, days), *_ = daily.days.items()
        for n, begins in enumerate(range(NOW, until, DAY_MS)):
            of_day = [r for r in chosen if begins <= r.at_ms < begins + DAY_MS]
            series = readings.series(of_day, quantity)
            value = series.weights @ series.values
            if statistic in ("mean", "rate"):
                value = value / series.weights.sum() if len(series.values) else None
                estimate = days[n]
                assert (estimate and estimate.value) == (value and pytest.approx(value))
    assert {d.begins_ms: d.traces for d in found.days}[NOW] == sum(
        r.at_ms < NOW + DAY_MS for r in chosen
    )


def test_slices_are_of_what_there_is(seen):
    assert values_of(seen, "model", most=1) == [("m0", 150)]
    assert values_of(seen, "model", most=5) == [("m0", 150), ("m1", 150)]
    assert values_of(seen, "service", most=5) == []
    assert sliced(seen, {}, None) is None
    assert not sliced(seen, {"service": "s"}, None).any()


@pytest.mark.parametrize("rule", ["slow", "abstained", "model:m1", "model:none", "document"])
def test_each_rule_catches_what_it_says(filled, rule):
    config = OnlineConfig(sample=0.0, always=(rule,), slow_ms=900.0)
    with TraceFigures(filled[0]) as figures:
        caught = observed(figures, config, since_ms=NOW, until_ms=NOW * 2, limit=1000)
    of = {taken.reading.trace: taken.reading for taken in filled[1]}
    holds = {
        "slow": lambda r: r.facts["latency_ms"] > 900,
        "abstained": lambda r: r.facts["abstained"] == 1,
        "model:m1": lambda r: r.slices["model"] == ("m1",),
    }.get(rule, lambda _: False)
    counted = {i for i, chance in zip(caught.ids, caught.chance, strict=True) if chance}
    assert counted == {i for i, r in of.items() if r.scores and holds(r)}


def test_chosen_ones_are_a_part(seen):
    quantity = next(q for q in seen.quantities() if q.name == "latency_ms")
    some = seen.series(quantity, np.arange(300) < 7)
    assert len(some.values) == 7


def test_what_was_skipped_is_counted_and_no_value(seen):
    assert {metric: len(places) for metric, places in seen.unscored.items()} == {
        "answer_relevance": 1
    }
    assert "answer_relevance" not in seen.scores


def test_of_too_many_the_newest_are_kept_and_it_is_said(filled):
    with TraceFigures(filled[0]) as figures:
        cut = observed(figures, CONFIG, since_ms=NOW, until_ms=NOW * 2, limit=10)
    assert cut.cut
    assert cut.ids == [f"t{n}" for n in range(290, 300)]


def test_no_traces_give_nothing(filled):
    with TraceFigures(filled[0]) as figures:
        none = observed(figures, CONFIG, since_ms=0, until_ms=5, limit=10)
        assert figures.latest() == NOW + 299 * 6_000_000
        assert figures.tags(NOW, NOW * 2, limit=5)[0][0] == "vip"
    assert none.quantities() == []
    assert none.ids == []
    assert len(none.chance) == 0


@pytest.fixture
def judged(tmp_path):
    """Ninety traces of 30 days, three a day: another judge from day 10 on, another version from day 20 on."""
    url = str(tmp_path / "s.db")
    with TraceStore(url) as store:
        traces = [
            Trace(id=f"t{n}", started_ns=(NOW + n * DAY_MS // 3) * 1_000_000) for n in range(90)
        ]
        store.save([(trace, "d") for trace in traces], now_ms=NOW)
        scorers = [("a", "1")] * 30 + [("b", "1")] * 30 + [("b", "2")] * 30
        put(
            store,
            [
                (f"t{n}", "faithfulness", Score([1.0, 0.5, 0.8][n // 30]), *scorers[n])
                if n % 10
                else (f"t{n}", "faithfulness", Skip("no answer"), *scorers[n])
                for n in range(90)
            ],
        )
        put(store, [(f"t{n}", "harm", Score(0.25), None, "1") for n in range(90)])
    return url


def test_scores_of_another_judge_or_version_are_left_out_and_it_is_said(judged):
    config = OnlineConfig(sample=1.0)
    until = NOW + 30 * DAY_MS
    with TraceFigures(judged) as figures:
        seen = observed(figures, config, since_ms=NOW, until_ms=until, limit=1000)
        before = observed(figures, config, since_ms=NOW, until_ms=NOW + 20 * DAY_MS, limit=1000)
        newest = observed(figures, config, since_ms=NOW, until_ms=until, limit=20)
    found = overview(seen, None, since_ms=NOW, until_ms=until)
    daily = {quantity.name: quantity for quantity in found.quantities}
    one = daily["faithfulness"]
    assert one.whole["mean"].value == pytest.approx(0.8)
    assert one.whole["mean"].n == 27
    assert [d for d, value in enumerate(one.days["mean"]) if value is not None] == list(
        range(20, 30)
    )
    assert one.left == Left(n=54, since_ms=NOW + 61 * DAY_MS // 3, judge=True, version=True)
    assert one.unscored == 3
    assert (daily["harm"].left, daily["harm"].whole["mean"].n) == (None, 90)
    assert found.scored == 90
    assert before.left["faithfulness"].n == 27
    assert (before.left["faithfulness"].judge, before.left["faithfulness"].version) == (True, False)
    assert newest.left == {}
    # Of a slice only its own are counted: here the newest five days, and the first ten.
    newest_days = overview(seen, seen.at_ms >= NOW + 25 * DAY_MS, since_ms=NOW, until_ms=until)
    first_days = overview(seen, seen.at_ms < NOW + 21 * DAY_MS, since_ms=NOW, until_ms=until)
    told = [
        {q.name: (q.unscored, q.left and q.left.n) for q in view.quantities if q.scored}
        for view in (newest_days, first_days)
    ]
    assert told == [
        {"faithfulness": (1, None), "harm": (0, None)},
        {"faithfulness": (1, 54), "harm": (0, None)},
    ]


def test_chances_count_the_scores_of_now_alone_as_single_readings_do(judged):
    config = OnlineConfig(sample=1.0)
    until = NOW + 30 * DAY_MS
    with TraceFigures(judged) as figures, TraceReadings(judged) as rows:
        seen = observed(figures, config, since_ms=NOW, until_ms=until, limit=1000)
        listed = readings_of(rows.between(NOW, until), config)
    assert seen.chance.tolist() == [reading.chance for reading in listed]
    (quantity,) = [q for q in seen.quantities() if q.name == "faithfulness"]
    assert np.array_equal(seen.series(quantity).values, readings.series(listed, quantity).values)
