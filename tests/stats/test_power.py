"""What a set can show: against scipy and by simulation."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from acidtest.stats.noise import judge_noise
from acidtest.stats.power import cases_needed, fewest_flips, smallest_change
from acidtest.stats.student import t_cdf, t_quantile
from acidtest.stats.units import standard_error, units


@given(st.floats(0.001, 0.999), st.floats(1, 5000))
def test_student_agrees_with_scipy(p, df):
    assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8, abs=1e-9)


@given(st.floats(-30, 30), st.floats(1, 5000))
def test_student_distribution_agrees_with_scipy(t, df):
    assert t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), abs=1e-9)


def test_student_at_the_ends():
    assert t_quantile(0.5, 3) == 0.0
    assert t_quantile(0.975, 1e9) == pytest.approx(1.959964, abs=1e-5)
    assert t_quantile(0.975, 10) == pytest.approx(2.228, abs=5e-4)  # printed in every table


def test_standard_error_by_hand_and_with_groups():
    # 0, 0, 1, 1: s = sqrt(1/3), over sqrt(4).
    assert standard_error(*units([0.0, 0.0, 1.0, 1.0], None)) == pytest.approx(math.sqrt(1 / 12))
    # Two groups 0, 0 and 1, 1: mean .5, residuals -1 and 1: sqrt(2 x 2) / 4.
    assert standard_error(*units([0.0, 0.0, 1.0, 1.0], "aabb")) == pytest.approx(0.5)
    assert standard_error(*units([1.0], None)) is None


def test_fewest_flips():
    assert fewest_flips() == 6
    assert 2 / 2**6 <= 0.05 < 2 / 2**5


def test_smallest_change_by_hand():
    some = [-0.5, 0.5] * 50
    error = np.std(some, ddof=1) / 10
    expected = (stats.t.ppf(0.975, 99) + stats.t.ppf(0.8, 99)) * error
    assert smallest_change(some) == pytest.approx(expected)
    # Nothing differs: the mean square of a drop by d is d, its variance d - d^2.
    alike = smallest_change([0.0] * 100)
    t1, t2 = stats.t.ppf([0.975, 0.8], 99)
    assert alike == pytest.approx((t1 * alike**0.5 + t2 * (alike - alike**2) ** 0.5) / 10)
    assert 0.06 < alike < 0.09
    assert smallest_change([0.0, 1.0, 0.0]) is None


def test_a_change_of_that_size_is_seen_four_times_in_five():
    rng = np.random.default_rng(3)
    n = 60
    true = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * 0.4 / math.sqrt(n)
    runs = rng.normal(true, 0.4, (2000, n))
    seen = stats.ttest_1samp(runs, 0, axis=1).pvalue < 0.05
    assert np.mean(seen) == pytest.approx(0.8, abs=0.03)
    reported = [smallest_change(some) for some in runs]
    assert float(np.mean(reported)) == pytest.approx(true, rel=0.05)


def test_ties_that_become_changes_add_spread():
    # Five losses and five gains of a hundred; a drop comes from ties that turn to losses.
    rng = np.random.default_rng(6)
    reported = smallest_change([1.0] * 5 + [-1.0] * 5 + [0.0] * 90)
    runs = []
    for _ in range(2000):
        losses, gains = rng.binomial(100, 0.05 + reported), rng.binomial(100, 0.05)
        runs.append([1.0] * losses + [-1.0] * gains + [0.0] * (100 - losses - gains))
    seen = stats.ttest_1samp(np.array(runs), 0, axis=1).pvalue < 0.05
    assert np.mean(seen) == pytest.approx(0.8, abs=0.05)
    # A change that is there already has added its spread.
    fallen = [1.0] * 30 + [0.0] * 70
    assert smallest_change(fallen) < 0.3


def test_smallest_change_of_ties_is_in_their_own_unit():
    assert smallest_change([0.0] * 100, typical=300.0) == pytest.approx(
        300 * smallest_change([0.0] * 100)
    )
    assert smallest_change([0.0] * 100, typical=0.0) is None


def test_cases_needed_inverts_the_smallest_change():
    rng = random.Random(2)
    some = [rng.gauss(0, 0.3) for _ in range(80)]
    shown = smallest_change(some)
    assert cases_needed(some, shown) == pytest.approx(80, abs=1)
    assert cases_needed(some, shown / 2) == pytest.approx(4 * 80, rel=0.03)
    assert cases_needed(some, -shown) == cases_needed(some, shown)
    assert cases_needed(some, 0) is None
    assert cases_needed([0.0] * 50, 0.03) == 200
    assert cases_needed([0.05] * 50, 0.05) == 6
    assert cases_needed([0.05] * 50, 0.02) == 15  # 6 / (.02 / .05)


def test_groups_need_more_cases():
    rng = random.Random(4)
    base = [rng.gauss(0, 0.3) for _ in range(20)]
    some = [x + rng.gauss(0, 0.02) for x in base for _ in range(4)]
    keys = [n for n in range(20) for _ in range(4)]
    assert smallest_change(some, keys) > 1.7 * smallest_change(some)
    assert cases_needed(some, 0.1, keys) > 2.5 * cases_needed(some, 0.1)


def test_judge_noise_by_hand():
    # Within: (0, 1) has squares .5; freedom 4 of four judged twice: variance (.5 + 0 + 0 + 0) / 4.
    noise = judge_noise([(0.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (0.0, 0.0)])
    assert noise.within == pytest.approx(math.sqrt(0.125))
    # Carried: .125 / 2 + .125 / 2 a case; differences .5 and -1: variance 1.125.
    assert noise.share == pytest.approx(0.125 / 1.125)
    assert noise.cases == 2
    assert judge_noise([(1.0,), (0.0,)], [(1.0,), (0.0,)]) is None
    assert judge_noise([(0.0, 1.0)], [(1.0, 1.0)]) is None


def test_judge_noise_is_found_in_simulation():
    rng = random.Random(9)
    base, candidate = [], []
    for _ in range(400):
        true = rng.gauss(0.6, 0.2)
        change = rng.gauss(0.0, 0.1)
        base.append([true + rng.gauss(0, 0.2) for _ in range(3)])
        candidate.append([true + change + rng.gauss(0, 0.2) for _ in range(3)])
    noise = judge_noise(base, candidate)
    assert noise.within == pytest.approx(0.2, rel=0.05)
    assert noise.share == pytest.approx((2 * 0.04 / 3) / (2 * 0.04 / 3 + 0.01), abs=0.06)
