"""Tango's score interval, and the counted interval of few changes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from acidtest.stats.few_changes import few_changes, tango
from acidtest.stats.paired import paired_interval, paired_intervals

Z = stats.norm.ppf(0.975)


def score(up, down, n, difference):
    """The score statistic, with the nuisance parameter found by a numerical search for the likeliest."""

    def unlikely(q):
        terms = ((up, q + difference), (down, q), (n - up - down, 1 - 2 * q - difference))
        return -sum(count * math.log(p) for count, p in terms if count)

    least, most = max(0.0, -difference) + 1e-12, (1 - difference) / 2 - 1e-12
    q = optimize.minimize_scalar(unlikely, bounds=(least, most), method="bounded").x
    return (up - down - n * difference) / math.sqrt(n * (2 * q + difference - difference**2))


@pytest.mark.parametrize(("up", "down", "n"), [(9, 7, 32), (12, 2, 50), (4, 1, 50), (43, 3, 90)])
def test_at_the_borders_the_likeliest_spread_gives_the_quantile(up, down, n):
    low, high = tango(up, down, n)
    assert score(up, down, n, low) == pytest.approx(Z, abs=1e-4)
    assert score(up, down, n, high) == pytest.approx(-Z, abs=1e-4)


def test_by_hand():
    # Nothing changed: d^2 n / (d (1 - d)) = z^2, so d = z^2 / (n + z^2).
    assert tango(0, 0, 50) == pytest.approx((-(Z**2) / (50 + Z**2), Z**2 / (50 + Z**2)))
    # All changed up: what is likeliest at d is d itself up and 1 - d unchanged or down.
    assert tango(44, 0, 44)[1] == 1.0
    # At a difference of 0 the score is McNemar's: |up - down| / sqrt(up + down).
    assert tango(4, 0, 100)[0] > 0  # 2.0
    assert tango(3, 0, 100)[0] < 0  # 1.73
    assert tango(7, 1, 100)[0] > 0  # 2.12
    assert tango(6, 1, 100)[0] < 0  # 1.89


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 300))
def test_mirrored_ordered_and_around_what_was_seen(up, down, still):
    n = up + down + still
    if n < 2:
        return
    low, high = tango(up, down, n)
    assert -1 <= low <= (up - down) / n <= high <= 1
    assert low < high
    assert tango(down, up, n) == pytest.approx((-high, -low))


def covered(n, up, down):
    """The exact chance that the interval holds the true difference, over all that can be counted."""
    total = 0.0
    for a, b in itertools.product(range(n + 1), repeat=2):
        chance = stats.multinomial.pmf([a, b, n - a - b], n, [up, down, 1 - up - down])
        if a + b <= n and chance > 1e-7:
            low, high = tango(a, b, n)
            total += chance * (low <= up - down <= high)
    return total


@pytest.mark.parametrize(
    ("n", "up", "down"), [(50, 0.04, 0.04), (50, 0.08, 0.04), (100, 0.027, 0.027), (100, 0.05, 0)]
)
def test_yes_and_no_are_covered_as_often_as_said(n, up, down):
    assert 0.935 <= covered(n, up, down) <= 0.97


def test_where_three_cases_differ_no_interval_covers_less():
    """Three changes one way come in one of four pairs that are alike: 0 must be held then.

    At 5.3 % differing of 50 that alone is 73 % of all pairs, and with four or more differing the interval
    leaves 0 out in one of eleven: 97.5 % are covered.
    """
    assert 2 * 0.5**3 == 0.25
    assert stats.binom.cdf(3, 50, 0.0533) == pytest.approx(0.728, abs=0.005)
    assert covered(50, 0.02665, 0.02665) == pytest.approx(0.975, abs=0.002)


def column(**changes):
    some = np.zeros(changes.pop("n"))
    some[: len(changes["by"])] = changes["by"]
    return some


def test_few_changes_of_one_size_are_counted_as_yes_and_no_are():
    ones = np.ones(50)
    by_half = few_changes(column(n=50, by=[0.5, 0.5, -0.5]), ones)
    assert by_half == pytest.approx([edge / 2 for edge in tango(2, 1, 50)])
    # Sum 1 and sum of squares 0.75 are those of three changes by 1/2, two of them up, and others.
    mixed = few_changes(column(n=50, by=[0.75, 0.25, -0.25]), ones)
    size = math.sqrt((0.75**2 + 2 * 0.25**2) / 3)
    up = (3 + 0.75 / size) / 2
    assert mixed == pytest.approx([edge * size for edge in tango(up, 3 - up, 50)])


def test_many_changes_are_drawn_unless_they_are_yes_or_no():
    ones = np.ones(50)
    assert few_changes(column(n=50, by=[0.5] * 13), ones) is None
    assert few_changes(column(n=400, by=[0.5] * 21), np.ones(400)) is None
    assert few_changes(column(n=50, by=[1.0] * 20 + [-1.0] * 9), ones) == tango(20, 9, 50)
    assert few_changes(np.zeros(1), np.ones(1)) is None


def test_units_of_several_cases_are_counted_as_one():
    # Twenty units of five cases, one of which gained in all five: as one case of twenty.
    deltas = [1.0] * 5 + [0.0] * 95
    grouped = paired_interval(deltas, [k // 5 for k in range(100)])
    assert grouped == pytest.approx(tango(1, 0, 20))
    assert paired_interval([0.0] * 100, [k // 5 for k in range(100)]) == tango(0, 0, 20)


def test_counted_and_drawn_columns_stand_side_by_side():
    rng = np.random.default_rng(8)
    table = np.zeros((60, 4))
    table[:3, 0] = 0.5
    table[:, 1] = rng.normal(0.1, 0.3, 60)
    counts = np.ones_like(table)
    counts[1:, 3] = 0.0
    some = paired_intervals(table, counts, resamples=500)
    assert some[0] == few_changes(table[:, 0], counts[:, 0])
    assert some[1] == paired_interval(table[:, 1], resamples=500)
    assert some[2] == tango(0, 0, 60)
    assert some[3] is None


def test_heavy_ties_are_covered_as_often_as_said():
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(3_000):
        moved = rng.random(100) < 0.06
        deltas = np.where(moved, rng.choice([-1, -1 / 2, -1 / 3, 1 / 3, 1 / 2, 1], 100), 0.0)
        low, high = paired_interval(deltas, resamples=300)
        hits += low <= 0 <= high
    assert 0.95 <= hits / 3_000 <= 0.97
