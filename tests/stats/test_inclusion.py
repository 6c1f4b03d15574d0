"""Drawing by known chances: the right number, the right chances, and estimates that stay true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.stats.inclusion import chances, drawn


def test_chances_by_hand():
    assert chances([1, 1, 2], 1) == pytest.approx([0.25, 0.25, 0.5])
    # 10 of 13 would be more than surely drawn: it is, and the others share the one that is left.
    assert chances([10, 1, 2], 2) == pytest.approx([1, 1 / 3, 2 / 3])


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=40), st.data())
def test_as_many_as_asked_for(sizes, data):
    n = data.draw(st.integers(0, len(sizes)))
    by = chances(sizes, n)
    assert by.sum() == pytest.approx(n)
    assert ((by >= 0) & (by <= 1)).all()
    assert len(drawn(by, seed=n)) == n


def test_weighted_means_are_true_on_average():
    rng = np.random.default_rng(1)
    sizes = rng.random(50) ** 3 + 0.05
    values = sizes + rng.random(
        50
    )  # what is drawn more often is larger: a plain mean would be too high
    by = chances(sizes, 12)
    picks = [drawn(by, seed) for seed in range(4000)]
    weighted = np.mean([(values[p] / by[p]).sum() / 50 for p in picks])
    plain = np.mean([values[p].mean() for p in picks])
    assert weighted == pytest.approx(values.mean(), abs=0.01)
    assert plain > values.mean() + 0.1
    often = np.bincount(np.concatenate(picks), minlength=50) / 4000
    assert np.abs(often - by).max() < 0.04


def test_the_same_seed_draws_the_same():
    by = chances([1.0] * 100, 10)
    assert (drawn(by, 3) == drawn(by, 3)).all()
    assert set(drawn(by, 3)) != set(drawn(by, 4))
    assert len(drawn(chances([], 0))) == 0
