"""The best of many: found where it is clear, and not claimed among equals."""

import numpy as np
import pytest

from acidtest.stats.best import compare_all


def test_by_hand_two_columns_that_never_differ():
    pairs = compare_all([[0.5, 0.5], [1.0, 1.0], [0.0, 0.0]])
    assert pairs.means == (0.5, 0.5)
    assert pairs.p[0][1] == 1.0
    assert pairs.best() == (0, 1)
    assert pairs.ranks(0) == (1, 2)
    assert compare_all([[0.5, 0.5]]) is None


def test_a_clear_winner_is_found():
    rng = np.random.default_rng(1)
    case = rng.normal(0.5, 0.2, 80)[:, None]
    table = case + rng.normal(0, 0.05, (80, 5)) + np.array([0.0, 0.0, 0.1, 0.0, -0.1])
    pairs = compare_all(table, resamples=2000)
    assert pairs.best() == (2,)
    assert pairs.ranks(2) == (1, 1)
    assert pairs.ranks(4) == (5, 5)
    assert pairs.ranks(0) == (2, 4)
    assert pairs.best(sign=-1) == (4,)
    assert pairs.p[2][0] == pairs.p[0][2]


def test_a_constant_lead_is_clear():
    pairs = compare_all([[0.1, 0.2]] * 10, resamples=500)
    assert pairs.p[0][1] == pytest.approx(1 / 501)


def test_two_columns_agree_with_a_paired_test():
    from scipy import stats

    rng = np.random.default_rng(4)
    table = rng.normal(0, 1, (60, 2)) + np.array([0.0, 0.35])
    pairs = compare_all(table)
    assert pairs.p[0][1] == pytest.approx(stats.ttest_rel(*table.T).pvalue, abs=0.02)


@pytest.mark.parametrize("shape", ["normal", "yes or no"])
def test_no_winner_among_equals(shape):
    rng = np.random.default_rng(7)
    claimed = 0
    for _ in range(300):
        chance = rng.beta(2, 2, 60)[:, None]
        if shape == "normal":
            table = chance + rng.normal(0, 0.2, (60, 8))
        else:
            table = (rng.random((60, 8)) < chance).astype(float)
        pairs = compare_all(table, resamples=400)
        claimed += min(min(row) for row in pairs.p) <= 0.05
    assert claimed / 300 <= 0.08


def test_groups_are_drawn_together():
    rng = np.random.default_rng(3)
    lead = np.repeat(rng.normal(0.1, 0.3, 12), 10)
    table = np.column_stack([np.zeros(120), lead])
    alone = compare_all(table, resamples=1000)
    grouped = compare_all(table, list(np.repeat(np.arange(12), 10)), resamples=1000)
    assert grouped.p[0][1] > alone.p[0][1]
