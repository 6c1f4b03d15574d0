"""The sign-flip test, McNemar's test and Holm's correction, against scipy and by hand."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from acidtest.stats.holm import holm
from acidtest.stats.mcnemar import mcnemar
from acidtest.stats.permutation import sign_flip, sign_flips

deltas = st.lists(
    st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 1 / 3, 0.5, 1.0]), min_size=1, max_size=14
)


def test_by_hand():
    # Three cases up by 1: of 8 patterns two are as far from 0 as +3.
    assert sign_flip([1.0, 1.0, 1.0]) == 0.25
    assert sign_flip([1.0, 1.0, 1.0], side="greater") == 0.125
    assert sign_flip([1.0, 1.0, 1.0], side="less") == 1.0
    # 2, 1: sums 3, 1, -1, -3.
    assert sign_flip([2.0, -1.0]) == 1.0
    assert sign_flip([]) is None
    assert sign_flip([0.0, 0.0]) == 1.0


def test_a_group_flips_together():
    assert sign_flip([1.0, 1.0, 1.0, 1.0], ["a", "a", "b", "b"]) == 0.5
    assert sign_flip([1.0, -1.0], ["a", "a"]) == 1.0


@settings(max_examples=60, deadline=None)
@given(deltas)
def test_exact_agrees_with_scipy(some):
    assume(len(some) > 1)  # scipy's wants two
    for side, theirs in (("two", "two-sided"), ("less", "less"), ("greater", "greater")):
        expected = stats.permutation_test(
            (np.array(some),),
            lambda x, axis: np.round(x.sum(axis=axis), 9),
            permutation_type="samples",
            alternative=theirs,
            n_resamples=np.inf,
        ).pvalue
        # scipy's two-sided p is twice the smaller one; the distribution here is symmetric.
        assert sign_flip(some, side=side) == pytest.approx(expected, abs=1e-9)


def test_drawn_agrees_with_the_exact_distribution():
    # 60 cases that differ by one step each: the sum is a binomial.
    some = [1.0] * 38 + [-1.0] * 22
    assert sign_flip(some) == pytest.approx(mcnemar(38, 22), abs=0.006)
    assert sign_flip(some) == sign_flip(some)
    assert sign_flip(some, seed=1) != sign_flip(some)


def test_many_agree_with_the_normal_distribution():
    rng = random.Random(5)
    some = [rng.gauss(0.02, 1.0) for _ in range(20_000)]
    assert sign_flip(some) == pytest.approx(stats.ttest_1samp(some, 0).pvalue, abs=0.002)
    less = sign_flip(some, side="less")
    assert less == pytest.approx(stats.ttest_1samp(some, 0, alternative="less").pvalue, abs=0.002)


@given(deltas, st.sampled_from([1e-6, 3.0, 1e6]))
def test_the_scale_does_not_matter_and_sides_mirror(some, scale):
    p = sign_flip(some)
    assert 0 < p <= 1
    assert sign_flip([scale * x for x in some]) == pytest.approx(p)
    assert sign_flip([-x for x in some]) == pytest.approx(p)
    assert sign_flip([-x for x in some], side="less") == pytest.approx(
        sign_flip(some, side="greater")
    )
    assert sign_flip([*some, 0.0]) == pytest.approx(p)


@pytest.mark.parametrize(
    ("gained", "lost"), [(0, 0), (1, 0), (5, 1), (3, 3), (40, 22), (900, 1020)]
)
def test_mcnemar_agrees_with_scipy(gained, lost):
    n = gained + lost
    expected = stats.binomtest(gained, n, 0.5).pvalue if n else 1.0
    assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


@given(st.integers(0, 9), st.integers(0, 9))
def test_mcnemar_is_the_sign_flip_of_yes_and_no(gained, lost):
    some = [1.0] * gained + [-1.0] * lost + [0.0]
    assert mcnemar(gained, lost) == pytest.approx(sign_flip(some))


def test_holm_by_hand():
    # 4 x .005, 3 x .011 = .033, 2 x .02 = .04, .04; the published example is stepwise the same.
    assert holm([0.02, 0.005, 0.04, 0.011]) == pytest.approx([0.04, 0.02, 0.04, 0.033])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_never_below_p_nor_above_bonferroni_and_keeps_the_order(some):
    adjusted = holm(some)
    for p, q in zip(some, adjusted, strict=True):
        assert p <= q <= min(1.0, len(some) * p) or q == pytest.approx(p)
    ordered = sorted(zip(some, adjusted, strict=True))
    assert all(a[1] <= b[1] + 1e-12 for a, b in itertools.pairwise(ordered))


def test_many_means_are_flipped_together_as_each_alone():
    rng = np.random.default_rng(5)
    table = rng.normal(0.1, 1.0, (300, 4))
    table[15:, 3] = 0.0  # exact
    together = sign_flips(table)
    for column, p in zip(table.T, together, strict=True):
        assert p == pytest.approx(sign_flip(column), abs=0.012)
    assert together[3] == sign_flip(table[:, 3])
    assert sign_flips(np.zeros((5, 1))) == [1.0]
