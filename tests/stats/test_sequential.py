"""The watch over a judge: exact where it can be, by simulation where it must."""

import itertools
import math
import random

import pytest

from acidtest.stats.sequential import (
    LIMIT,
    RISK,
    e_value,
    evidence,
    first_alarm,
    log_sum,
    together,
)
from acidtest.stats.sequential_noise import Bounds, Moves, noise_bounds, rate_bound

NONE = Moves(up=0, down=0, n=50)


@pytest.mark.parametrize(
    ("k", "n", "risk", "bound"),
    [
        (0, 200, 0.025, 1 - 0.025 ** (1 / 200)),  # nothing seen: (1 - p)^n = risk
        (9, 10, 0.05, 0.95 ** (1 / 10)),  # all but one: 1 - p^n = risk
        (5, 50, 0.025, 0.2181354),  # R: binom.test(5, 50)$conf.int
        (10, 10, 0.05, 1.0),
        (0, 0, 0.05, 1.0),
    ],
)
def test_the_bound_of_a_rate(k, n, risk, bound):
    assert rate_bound(k, n, risk=risk) == pytest.approx(bound, abs=1e-6)


def test_the_bound_holds_for_cases_of_different_rates():
    draw = random.Random(1)
    rates = [0.5] * 5 + [0.0] * 45
    low = 0
    for _ in range(1000):
        k = sum(draw.random() < rate for rate in rates for _ in range(4))
        low += rate_bound(k, 200, risk=0.0125) < 0.05
    assert low <= 20


def test_a_day_has_an_expectation_of_one_at_most_whatever_the_cases_rates():
    bounds = Bounds(up=0.2, down=0.1)
    for ups, downs in (
        ((0.2, 0.2, 0.2), (0.1, 0.1, 0.1)),
        ((0.6, 0.0, 0.0), (0.0, 0.3, 0.0)),
        ((0.0, 0.1, 0.1), (0.0, 0.0, 0.0)),
    ):
        mean = 0.0
        for said in itertools.product("ud=", repeat=3):
            chance = math.prod(
                {"u": u, "d": d, "=": 1 - u - d}[s]
                for s, u, d in zip(said, ups, downs, strict=True)
            )
            moves = Moves(up=said.count("u"), down=said.count("d"), n=3)
            mean += chance * math.exp(evidence(bounds, [moves])[0])
        assert mean <= 1 + 1e-12
    assert mean < 0.99  # less noise than was allowed for loses money


def test_by_hand():
    # One day, one alternative at a time: the weights are 1/2 for day 1 and 1/2 for what was not begun.
    bounds, moves = Bounds(up=0.1, down=0.1), Moves(up=2, down=0, n=3)
    ratios = [
        (1 + share * up * 0.8 / 0.1) ** 2 * (1 - share)
        for share in (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 7 / 8)
        for up in (1, 0, 0.5)
    ]
    assert math.exp(evidence(bounds, [moves])[0]) == pytest.approx(0.5 * sum(ratios) / 21 + 0.5)


def test_quiet_days_cost_little_and_a_shift_after_them_is_seen():
    bounds = noise_bounds(Moves(up=2, down=2, n=200))
    quiet = [NONE] * 200
    logs = evidence(bounds, quiet + [Moves(up=15, down=0, n=50)] * 3)
    assert max(logs[:200]) < math.log(2)
    assert first_alarm(logs) in (200, 201)


def test_a_shift_either_way_and_both_ways():
    bounds = noise_bounds(Moves(up=0, down=0, n=200))
    for moves in (
        Moves(up=10, down=0, n=50),
        Moves(up=0, down=10, n=50),
        Moves(up=5, down=5, n=50),
    ):
        assert first_alarm(evidence(bounds, [moves])) == 0


def test_false_alarms_are_rare_over_a_year_at_the_edge_of_the_noise():
    draw = random.Random(7)
    alarms = 0
    for _ in range(60):
        repeats = [draw.random() for _ in range(160)]
        bounds = noise_bounds(
            Moves(up=sum(x < 0.05 for x in repeats), down=sum(x > 0.95 for x in repeats), n=160)
        )
        days = []
        for _ in range(365):
            seen = [draw.random() for _ in range(40)]
            days.append(
                Moves(up=sum(x < 0.05 for x in seen), down=sum(x > 0.95 for x in seen), n=40)
            )
        alarms += first_alarm(evidence(bounds, days)) is not None
    assert alarms <= 60 * RISK * 2


def test_where_noise_explains_everything_nothing_is_seen():
    assert evidence(Bounds(up=0.6, down=0.5), [Moves(up=50, down=0, n=50)]) == [0.0]


def test_several_watches_are_averaged():
    logs = together([[0.0, math.log(79)], [0.0, 0.0]])
    assert [e_value(x) for x in logs] == pytest.approx([1.0, 40.0])
    assert first_alarm(logs, limit=LIMIT * (1 - 1e-9)) == 1


def test_large_numbers_stay_finite():
    logs = evidence(noise_bounds(NONE), [Moves(up=5000, down=0, n=5000)] * 50)
    assert e_value(logs[-1]) == 1e99
    assert log_sum([-math.inf, -math.inf]) == -math.inf
