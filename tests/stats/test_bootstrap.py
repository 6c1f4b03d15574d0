import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from acidtest.stats.bootstrap import intervals, mean_interval
from acidtest.stats.paired import paired_interval
from acidtest.stats.rates import wilson


def test_fewer_than_two_units_have_no_interval():
    assert mean_interval([]) is None
    assert mean_interval([0.5]) is None
    assert mean_interval([0.1, 0.9, 0.4], groups=["a", "a", "a"]) is None


def test_same_seed_same_interval_and_other_seed_nearly():
    rng = random.Random(1)
    values = [rng.random() for _ in range(50)]
    first = mean_interval(values, seed=3)
    assert first == mean_interval(values, seed=3)
    other = mean_interval(values, seed=4)
    assert first is not None
    assert other is not None
    assert first != other
    assert first == pytest.approx(other, abs=0.02)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_agrees_with_scipy(method):
    rng = random.Random(7)
    values = [rng.expovariate(3.0) for _ in range(80)]
    ours = mean_interval(values, method=method)
    assert ours is not None
    theirs = stats.bootstrap(
        (values,),
        lambda x, axis: x.mean(axis=axis),
        method=method.replace("bca", "BCa"),
        n_resamples=10_000,
        rng=0,
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.006)


def test_wilson_by_hand_and_by_scipy():
    # 8 of 10 at 95 %: z = 1.959964, centre (0.8 + 0.19207) / 1.38415, half 0.22664 (Wilson 1927).
    assert wilson(8, 10) == pytest.approx((0.490162, 0.943318), abs=1e-6)
    theirs = stats.binomtest(8, 10).proportion_ci(method="wilson")
    assert wilson(8, 10) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert wilson(0, 40)[0] == 0.0
    assert wilson(40, 40)[1] == 1.0


def test_a_perfect_record_is_not_certainty():
    interval = mean_interval([1.0] * 40)
    assert interval == wilson(40, 40)
    assert interval is not None
    assert interval[0] < 0.93


def test_groups_widen_the_interval_when_cases_repeat_each_other():
    rng = random.Random(5)
    base = [rng.random() for _ in range(20)]
    values = [v for v in base for _ in range(10)]
    groups = [i for i in range(20) for _ in range(10)]
    alone = mean_interval(values)
    together = mean_interval(values, groups)
    assert alone is not None
    assert together is not None
    width = (together[1] - together[0]) / (alone[1] - alone[0])
    assert width == pytest.approx(math.sqrt(10), rel=0.15)


def test_coverage_of_the_true_mean():
    rng = random.Random(11)
    hits = 0
    for trial in range(300):
        values = [rng.betavariate(5, 1.5) for _ in range(40)]
        interval = mean_interval(values, resamples=1_000, seed=trial)
        assert interval is not None
        hits += interval[0] <= 5 / 6.5 <= interval[1]
    assert 0.90 <= hits / 300 <= 0.98


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
def test_interval_is_ordered_and_within_the_values(values):
    interval = mean_interval(values, resamples=500)
    assert interval is not None
    low, high = interval
    assert low <= high
    if len(set(values)) > 1:
        assert min(values) - 1e-12 <= low
        assert high <= max(values) + 1e-12


def test_no_change_seen_is_not_proof_that_nothing_can_change():
    low, high = paired_interval([0.0] * 30)
    assert low == pytest.approx(-high)
    assert 0.05 < high < 0.15
    wide = paired_interval([0.0] * 300)
    assert wide[1] < high / 5
    assert paired_interval([0.1]) is None


def test_paired_is_the_mean_with_a_typical_change_added_each_way():
    deltas = [0.0, 0.5, -0.25, 0.5, 0.0, 0.25]
    typical = math.sqrt((0.25 + 0.0625 + 0.25 + 0.0625) / 4)
    more = mean_interval([*deltas, typical, -typical], method="expanded")
    assert paired_interval(deltas) == pytest.approx(more)
    keys = ["a", "a", "b", "b", "c", "c"]
    grouped = paired_interval(deltas, keys)
    assert grouped[0] < sum(deltas) / 6 < grouped[1]


def test_expanded_is_as_wide_as_students_interval():
    # Hesterberg's percentile interval, widened: on symmetric data the two agree.
    rng = np.random.default_rng(4)
    half = rng.normal(0, 0.2, 15)
    values = [*half, *-half]
    low, high = mean_interval(values, method="expanded")
    theirs = stats.t.interval(0.95, 29, 0.0, stats.sem(values))
    assert (low, high) == pytest.approx(theirs, abs=0.006)
    plain = mean_interval(values, method="percentile")
    assert low < plain[0] < plain[1] < high


@pytest.mark.parametrize("changed", [0.06, 0.2, 1.0])
def test_the_paired_interval_covers_where_few_cases_change(changed):
    rng = np.random.default_rng(2)
    true = -0.1 * changed
    covered = 0
    for _ in range(400):
        moved = rng.random(60) < changed
        deltas = np.where(moved, rng.choice([-0.5, -0.25, 0.0, 0.35], 60), 0.0)
        low, high = paired_interval(deltas, resamples=1000)
        covered += low <= true <= high
    assert 0.925 <= covered / 400 <= 0.99


def test_many_means_at_once_are_each_as_alone():
    rng = np.random.default_rng(3)
    table = rng.random((60, 4))
    counts = np.ones_like(table)
    counts[:10, 2] = 0.0
    table[:10, 2] = 0.0
    table[:, 3] = 0.5
    together = intervals(table, counts)
    for column in (0, 1):
        assert together[column] == pytest.approx(mean_interval(list(table[:, column])))
    assert together[2] == pytest.approx(mean_interval(list(table[10:, 2])), abs=0.02)
    assert together[3] == (0.5, 0.5)
    assert intervals(table[:1], counts[:1]) == [None] * 4
    counts[1:, 0] = 0.0
    assert intervals(table, counts)[0] is None
