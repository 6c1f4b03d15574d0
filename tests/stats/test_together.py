"""One test of several measures of the same cases."""

import itertools

import numpy as np
import pytest

from acidtest.stats.permutation import MANY, sign_flip
from acidtest.stats.together import sign_flip_together


def test_agrees_with_all_patterns_counted():
    rng = np.random.default_rng(1)
    table = rng.normal(0.3, 1.0, (8, 3))
    scaled = table / np.sqrt((table**2).sum(axis=0))
    found = [
        ((np.array(signs) @ scaled) ** 2).sum() for signs in itertools.product((-1, 1), repeat=8)
    ]
    expected = np.mean(np.array(found) >= (scaled.sum(axis=0) ** 2).sum() - 1e-9)
    assert sign_flip_together(table) == pytest.approx(expected, abs=0.015)


def test_one_measure_alone_is_the_sign_flip_test_whatever_its_scale():
    some = np.random.default_rng(2).normal(0.5, 1.0, (16, 1))
    assert sign_flip_together(some) == pytest.approx(sign_flip(some[:, 0]), abs=0.01)
    assert sign_flip_together(some * 1e6) == sign_flip_together(some)
    twice = np.concatenate([some, 3 * some], axis=1)
    assert sign_flip_together(twice) == sign_flip_together(some)


def test_little_in_each_is_much_in_all():
    rng = np.random.default_rng(3)
    table = rng.normal(0.45, 1.0, (20, 5))
    assert sign_flip_together(table) < min(sign_flip(column) for column in table.T)


def test_nothing_to_test():
    assert sign_flip_together(np.zeros((5, 2))) == 1.0
    assert sign_flip_together(np.zeros((0, 2))) is None
    assert sign_flip_together(np.zeros((5, 0))) is None


def test_alarms_are_as_rare_as_said_also_of_related_measures():
    rng = np.random.default_rng(4)
    found = []
    for _ in range(300):
        one = rng.choice([-1.0, 0.0, 0.5, 1.0, -0.5], 25)
        found.append(sign_flip_together(np.stack([one, one + rng.normal(0, 0.5, 25)], axis=1)))
    assert np.mean(np.array(found) <= 0.05) <= 0.085
    assert np.mean(found) == pytest.approx(0.5, abs=0.06)


def test_large_runs_are_as_the_normal_distribution_says():
    rng = np.random.default_rng(5)
    table = rng.normal(0.02, 1.0, (MANY + 1000, 1))
    assert sign_flip_together(table) == pytest.approx(sign_flip(table[:, 0]), abs=0.01)
