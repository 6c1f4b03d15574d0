"""Tarone's correction: by hand, against plain Bonferroni, and its false alarms by simulation."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.stats.mcnemar import mcnemar
from acidtest.stats.tarone import tarone


def test_by_hand():
    # At K = 1 three tests could reach .05, at K = 2 two could reach .025: K is 2.
    assert tarone([0.02, 0.03, 0.04, 0.9], [0.001, 0.01, 0.04, 1.0]) == [0.04, 0.06, 1.0, 1.0]


def test_tests_that_cannot_show_anything_cost_nothing():
    assert tarone([0.03, *[1.0] * 50], [0.002, *[1.0] * 50])[0] == 0.03


def test_none_at_all():
    assert tarone([], []) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_is_bonferroni_where_every_test_could_show_it(p_values):
    n = len(p_values)
    assert tarone(p_values, [0.0] * n) == pytest.approx([min(1.0, n * p) for p in p_values])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_never_smaller_than_p_nor_above_one(pairs):
    p, least = [max(pair) for pair in pairs], [min(pair) for pair in pairs]
    assert all(a <= b <= 1 for a, b in zip(p, tarone(p, least), strict=True))


def test_false_alarms():
    rng = random.Random(1)
    alarms = 0
    for _ in range(2000):
        counts = [(sum(rng.random() < 0.5 for _ in range(n)), n) for n in (0, 2, 5, 9, 14, 20, 30)]
        p = [mcnemar(up, n - up) for up, n in counts]
        least = [mcnemar(n, 0) for _, n in counts]
        alarms += min(tarone(p, least)) <= 0.05
    assert alarms / 2000 <= 0.05
