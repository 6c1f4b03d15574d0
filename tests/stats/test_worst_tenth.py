"""p10, the border of the worst tenth, and the interval of its change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.stats.quantile import worst_tenth
from acidtest.stats.tenth_change import worst_tenth_changes


def worst_tenth_change(base, candidate, groups=None, *, lower_is_better=False, **options):
    one, other = np.asarray(base)[:, None], np.asarray(candidate)[:, None]
    return worst_tenth_changes(one, other, groups, [lower_is_better], **options)[0]


def test_worst_tenth_is_element_n_over_10():
    values = np.array([0.9, 0.1, 0.5, 0.7, 0.3] * 4)
    assert worst_tenth(values) == sorted(values)[2]
    assert worst_tenth(values, lower_is_better=True) == sorted(values, reverse=True)[2]
    assert worst_tenth(np.array([0.4])) == 0.4


def test_worst_tenth_change_finds_a_worse_tail():
    rng = np.random.default_rng(4)
    base = rng.uniform(0.5, 1.0, 300)
    worse = np.where(np.arange(300) % 8 == 0, base - 0.4, base)
    low, high = worst_tenth_change(base, worse)
    assert high < 0
    assert low < worst_tenth(worse) - worst_tenth(base) + 1e-9
    low, high = worst_tenth_change(base, base)
    assert (low, high) == (0.0, 0.0)
    assert worst_tenth_change(base[:9], worse[:9]) is None
    groups = list(np.arange(300) // 3)
    grouped = worst_tenth_change(base, worse, groups, resamples=500)
    assert grouped[1] < 0
    assert worst_tenth_change(base, base, [0] * 300) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_worst_tenth_mirrors(values):
    data = np.array(values)
    assert worst_tenth(data) == -worst_tenth(-data, lower_is_better=True)


def naive(base, new, units, lower, resamples, seed=9):
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(units == u) for u in np.unique(units)]
    found = []
    for _ in range(resamples):
        drawn = np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])
        one, other = (worst_tenth(x[drawn], lower_is_better=lower) for x in (base, new))
        found.append(other - one)
    return np.quantile(found, [0.025, 0.975])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("size", [1, 4])
def test_worst_tenth_change_is_the_bootstrap_that_sorts_each_draw(size, lower):
    rng = np.random.default_rng(6)
    base = rng.beta(5, 2, 400)
    new = np.clip(base + rng.normal(0.03, 0.1, 400), 0, 1)
    units = np.arange(400) // size
    found = worst_tenth_change(base, new, units, lower_is_better=lower, resamples=8_000)
    assert found == pytest.approx(naive(base, new, units, lower, 4_000), abs=0.012)


def test_many_metrics_are_drawn_together_and_each_has_its_own_cases():
    rng = np.random.default_rng(3)
    base, new = rng.uniform(size=(60, 3)), rng.uniform(size=(60, 3))
    base[:52, 2] = new[:52, 2] = np.nan
    alone = worst_tenth_change(base[:, 0], new[:, 0])
    first, mirrored, few = worst_tenth_changes(
        np.stack([base[:, 0], -base[:, 0], base[:, 2]], axis=1),
        np.stack([new[:, 0], -new[:, 0], new[:, 2]], axis=1),
        None,
        [False, True, False],
    )
    assert first == alone
    assert mirrored == (-alone[1], -alone[0])
    assert few is None
