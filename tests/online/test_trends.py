"""Trends: estimates of the whole from traces of which the bad ones are scored more often."""

import random
import statistics

import numpy as np
import pytest

from acidtest.data.watching import Reading
from acidtest.online import estimates
from acidtest.online.readings import (
    DAY_MS,
    Taken,
    day_begins,
    day_number,
    quantities,
    series,
    slices,
    with_chances,
)
from acidtest.online.trends import trends

MONDAY = 1_767_571_200_000  # 5 January 2026


def reading(n=0, **more):
    return Reading(trace=f"t{n}", at_ms=MONDAY + n, **more)


def one(readings, name):
    quantity = next(q for q in quantities(readings) if q.name == name)
    return series(readings, quantity)


def test_days_are_counted_from_a_monday():
    assert day_number(MONDAY) % 7 == 0
    assert day_begins(day_number(MONDAY + 5)) == MONDAY


def test_what_can_be_read_from_traces():
    some = [
        reading(1, scores={"faithfulness": 1.0, "citation_validity": 0.5}),
        reading(2, facts={"error": 0.0, "latency_ms": 9.0}),
    ]
    names = [(q.name, q.kind, q.scored) for q in quantities(some)]
    assert names == [
        ("citation_validity", "score", True),
        ("faithfulness", "score", True),
        ("citation_error", "rate", True),
        ("error", "rate", False),
        ("latency_ms", "size", False),
    ]
    assert one(some, "citation_error").values.tolist() == [1.0]


def test_chances_are_what_was_scored_of_each_kind():
    taken = [
        Taken(
            reading=reading(n, scores={"m": 1.0} if n < 3 or n == 9 else {}),
            caught=n < 2,
            drawn=n == 2,
        )
        for n in range(10)
    ]
    # Two of two that a rule catches; of the eight others one was drawn; the last came by another way.
    assert [r.chance for r in with_chances(taken)] == [1, 1, 0.125, 0, 0, 0, 0, 0, 0, 0]


def system(draw, n, *, share):
    """Return n traces, a share of them drawn, and all thumbs down caught; and the true mean of all."""
    truth, taken = [], []
    for number in range(n):
        score = 1.0 if draw.random() < 0.7 else draw.choice([0.0, 0.5])
        down = draw.random() < (0.3 if score < 1 else 0.02)
        drawn = draw.random() < share
        truth.append(score)
        taken.append(
            Taken(
                reading=reading(
                    number,
                    scores={"m": score} if down or drawn else {},
                    facts={"thumbs_down": float(down)},
                ),
                caught=down,
                drawn=drawn,
            )
        )
    return taken, statistics.fmean(truth)


def test_the_mean_of_the_whole_is_not_biased_by_rules_and_its_interval_holds():
    draw = random.Random(4)
    off, naive, held, n = [], [], 0, 150
    for _ in range(n):
        taken, truth = system(draw, 600, share=0.15)
        some = one(with_chances(taken), "m")
        found = estimates.mean(some)
        off.append(found.value - truth)
        naive.append(statistics.fmean(some.values) - truth)
        held += found.low <= 0.775 <= found.high
    error = statistics.stdev(off) / n**0.5
    assert abs(statistics.fmean(off)) < 4 * error
    assert statistics.fmean(naive) < -0.05  # what weighing is for
    assert held / n >= 0.9


def test_a_budget_that_ran_out_is_made_up_for():
    draw = random.Random(5)
    off = []
    for _ in range(100):
        taken, truth = system(draw, 600, share=0.5)
        cut = [
            Taken(
                reading=t.reading if t.caught or n < 300 else reading(n, facts=t.reading.facts),
                caught=t.caught,
                drawn=t.drawn,
            )
            for n, t in enumerate(taken)
        ]
        off.append(estimates.mean(one(with_chances(cut), "m")).value - truth)
    assert abs(statistics.fmean(off)) < 4 * statistics.stdev(off) / 10


def test_sessions_widen_the_interval_and_a_single_one_has_none():
    alone = one([reading(n, scores={"m": n % 2}) for n in range(80)], "m")
    together = one(
        [reading(n, session=str(n // 8), scores={"m": n // 8 % 2}) for n in range(80)], "m"
    )
    narrow, wide = estimates.mean(alone), estimates.mean(together)
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    single = estimates.mean(
        one([reading(n, session="a", scores={"m": n % 2}) for n in range(9)], "m")
    )
    assert (single.value, single.low, single.high) == (pytest.approx(4 / 9), None, None)


def test_forty_perfect_scores_do_not_prove_the_next_one():
    perfect = estimates.mean(one([reading(n, scores={"m": 1.0}) for n in range(40)], "m"))
    assert (perfect.value, perfect.high) == (1.0, 1.0)
    assert perfect.low == pytest.approx(0.9124, abs=1e-4)  # Wilson for 40 of 40


def test_a_rate_has_wilsons_interval():
    some = one([reading(n, facts={"error": float(n < 3)}) for n in range(50)], "error")
    found = estimates.rate(some)
    assert (found.value, found.n) == (0.06, 50)
    assert (found.low, found.high) == pytest.approx((0.0206, 0.1622), abs=1e-4)


def test_quantiles_of_latency_with_intervals():
    some = one([reading(n, facts={"latency_ms": float(n)}) for n in range(1000)], "latency_ms")
    middle, late = estimates.quantile(some, 0.5), estimates.quantile(some, 0.95)
    assert middle.value == 499
    assert middle.low == pytest.approx(469, abs=1)
    assert middle.high == pytest.approx(531, abs=1)
    assert (late.value, late.low < 949 < late.high) == (949, True)
    few = one([reading(n, facts={"latency_ms": float(n)}) for n in range(20)], "latency_ms")
    assert estimates.quantile(few, 0.95).high is None  # nothing seen bounds it


def test_the_interval_of_a_quantile_holds():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(200):
        some = [
            reading(n, facts={"latency_ms": float(x)})
            for n, x in enumerate(rng.lognormal(size=150))
        ]
        found = estimates.quantile(one(some, "latency_ms"), 0.5)
        held += found.low <= 1.0 <= found.high
    assert held >= 184


def test_trends_by_day_and_slice():
    some = [
        Reading(
            trace=f"t{n}",
            at_ms=MONDAY + n % 2 * DAY_MS + n,
            slices={"model": ("new" if n % 4 == 0 else "old",)},
            scores={"m": 1.0 if n % 2 else 0.0} if n < 20 else {},
            facts={"error": 0.0, "cost_usd": 0.01, "latency_ms": 100.0},
        )
        for n in range(40)
    ]
    assert slices(some, least=5) == [("model", "new"), ("model", "old")]
    assert slices(some, least=20) == [("model", "old")]
    found = trends(
        some,
        since_ms=MONDAY,
        until_ms=MONDAY + 7 * DAY_MS,
        slices=[("model", "new")],
    )
    scores = [t for t in found if t.metric == "m"]
    assert [(t.by, t.since_ms, t.traces, t.estimate.n, t.estimate.value) for t in scores] == [
        (None, MONDAY, 20, 10, 0.0),
        (None, MONDAY + DAY_MS, 20, 10, 1.0),
        ("model", MONDAY, 10, 5, 0.0),
    ]
    costs = {t.statistic: t.estimate.value for t in found if t.metric == "cost_usd" and not t.by}
    assert costs == {"mean": pytest.approx(0.01), "sum": pytest.approx(0.2)}
    assert {t.statistic for t in found if t.metric == "latency_ms"} == {"p50", "p95"}
    assert trends([], since_ms=0, until_ms=9) == []
