"""Two samples that are not paired."""

import numpy as np
import pytest
from scipy import stats

from acidtest.stats.unpaired import MANY, difference


def test_near_welchs_test_and_interval():
    rng = np.random.default_rng(2)
    one, other = rng.normal(0.5, 0.1, 60), rng.normal(0.56, 0.2, 40)
    found = difference(one, other)
    welch = stats.ttest_ind(other, one, equal_var=False)
    assert found.delta == pytest.approx(other.mean() - one.mean())
    assert found.p == pytest.approx(welch.pvalue, abs=0.02)
    assert found.ci == pytest.approx(tuple(welch.confidence_interval()), abs=0.006)
    assert found.min_detectable > 0
    assert found.needed > 40


def test_large_samples_are_welchs_test():
    rng = np.random.default_rng(2)
    one, other = rng.normal(0.5, 0.1, MANY), rng.normal(0.503, 0.2, MANY)
    assert difference(one, other).p == pytest.approx(
        stats.ttest_ind(one, other, equal_var=False).pvalue, rel=1e-9
    )


def test_false_alarms_stay_at_five_per_cent_where_sides_differ_in_size_and_spread():
    rng = np.random.default_rng(4)
    alarms = [
        difference(rng.normal(0, 3, 20), rng.normal(0, 1, 60), seed=n).p <= 0.05 for n in range(150)
    ]
    assert np.mean(alarms) <= 0.1


def test_groups_count_as_one():
    rng = np.random.default_rng(1)
    one, other = np.repeat(rng.normal(size=20), 10), np.repeat(rng.normal(0.6, 1, 20), 10)
    keys = list(np.arange(200) // 10)
    alone, grouped = difference(one, other), difference(one, other, keys, keys)
    assert grouped.p > 10 * alone.p
    assert grouped.ci[1] - grouped.ci[0] > 2 * (alone.ci[1] - alone.ci[0])


def test_no_spread_and_one_case():
    same = difference([1.0] * 8, [1.0] * 9)
    assert (same.delta, same.ci, same.p) == (0.0, (0.0, 0.0), 1.0)
    apart = difference([0.0] * 8, [1.0] * 9)
    assert apart.p < 0.01
    few = difference([0.5], [0.7, 0.9])
    assert (few.ci, few.p, few.min_detectable) == (None, None, None)
    assert few.delta == pytest.approx(0.3)
