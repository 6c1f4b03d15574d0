"""Is a mean, or a quantile, worse by more than is tolerated: by hand, by scipy, by simulation."""

import numpy as np
import pytest
from scipy import stats

from acidtest.stats.beyond import drop_beyond
from acidtest.stats.permutation import sign_flip
from acidtest.stats.quantile_drop import interpolated, quantile_drop, worst_tenths


def yes_no(losses, gains, n):
    return [1.0] * losses + [-1.0] * gains + [0.0] * (n - losses - gains)


def chance(n, up, down, losses, gains):
    """The mid-p-value of a net loss of `losses - gains` among n cases, lost and gained so often."""
    both = stats.multinomial(n, [up, down, 1 - up - down])
    net = losses - gains
    return sum(
        both.pmf([x, y, n - x - y]) * (1.0 if x - y > net else 0.5)
        for x in range(n + 1)
        for y in range(n + 1 - x)
        if x - y >= net
    )


@pytest.mark.parametrize(("losses", "gains"), [(3, 0), (5, 0), (6, 1), (9, 4), (2, 2)])
def test_without_a_tolerance_changes_are_drawn_both_ways(losses, gains):
    rate = (losses + gains) / 2 / 40
    exact = chance(40, rate, rate, losses, gains)
    assert drop_beyond(yes_no(losses, gains, 40)) == pytest.approx(exact, rel=0.1)


def test_many_changes_agree_with_student_and_with_flipped_signs():
    rng = np.random.default_rng(2)
    worse = rng.choice([-0.5, -1 / 3, 0.0, 1 / 3, 0.5, 1.0], 200)
    flipped = sign_flip(worse, side="greater", mid=True)
    assert drop_beyond(worse) == pytest.approx(flipped, abs=0.003)
    theirs = stats.ttest_1samp(worse, 0.0, alternative="greater").pvalue
    assert drop_beyond(worse) == pytest.approx(theirs, abs=0.003)


def test_no_change_and_change_for_the_better_are_no_drop():
    assert drop_beyond([0.0] * 40) == 1.0
    assert drop_beyond(yes_no(0, 5, 40)) > 0.95
    assert drop_beyond([-0.5] * 40) == 1.0
    assert drop_beyond([0.5] * 40) == 2.0**-41


def test_mid_p_of_two_sides():
    assert sign_flip([1.0] * 5, mid=True) == pytest.approx(1 / 32)
    assert sign_flip([1.0, -1.0], mid=True) == pytest.approx(0.75)


def test_with_a_tolerance_it_is_near_the_binomial_where_only_losses_can_be():
    # 12 of 100 lost, 3 allowed. Two cases more than were seen stand in for doubt, so p is larger.
    exact = stats.binom.sf(12, 100, 0.03) + stats.binom.pmf(12, 100, 0.03) / 2
    p = drop_beyond(yes_no(12, 0, 100), 0.03)
    assert exact < p < 0.01


def test_with_a_tolerance_it_agrees_with_student_on_normal_differences():
    rng = np.random.default_rng(3)
    worse = rng.normal(0.05, 0.2, 400)
    theirs = stats.ttest_1samp(worse, 0.03, alternative="greater").pvalue
    assert drop_beyond(worse, 0.03) == pytest.approx(theirs, abs=0.01)


def test_a_larger_tolerance_is_never_easier_to_exceed():
    rng = np.random.default_rng(4)
    worse = rng.choice([-0.5, 0.0, 0.0, 0.5, 1.0], 60)
    p = [drop_beyond(worse, t) for t in (0.0, 1e-6, 0.01, 0.05, 0.1, 0.3, 0.9, 2.0)]
    assert p == sorted(p)
    assert p[-1] >= 0.5


def test_scale_does_not_matter():
    rng = np.random.default_rng(5)
    worse = rng.normal(0.1, 0.3, 50)
    for factor in (1e-6, 1e6):
        assert drop_beyond(worse * factor, 0.02 * factor) == pytest.approx(
            drop_beyond(worse, 0.02), rel=1e-6
        )


def test_extremes_stay_probabilities():
    assert drop_beyond([0.5], 0.1) is None
    assert drop_beyond([]) is None
    assert drop_beyond([1.0] * 50, 0.03) < 1e-4
    assert drop_beyond([0.03] * 50, 0.03) >= 0.5
    assert 0.0 <= drop_beyond([0.04] * 50, 0.03) <= 0.05
    assert 0.0 <= drop_beyond([1e300, -1e300, 0.0], 1.0) <= 1.0
    assert drop_beyond(np.array([0.2] * 9 + [5.0]), np.full(10, 0.1)) < 0.5


def test_a_group_is_one_unit():
    worse, groups = [1.0] * 4 + [0.0] * 36, ["a"] * 4 + list(range(36))
    assert drop_beyond(worse, groups=groups) > 0.1
    assert drop_beyond(worse) < 0.05
    assert drop_beyond(worse, 0.03, groups) > drop_beyond(worse, 0.03)


@pytest.mark.parametrize("tolerance", [0.0, 0.03])
def test_false_alarms_stay_near_five_percent(tolerance):
    rng = np.random.default_rng(6)
    alarms = 0
    for _ in range(600):
        noise = rng.choice([-0.5, 0.5], 80) * (rng.random(80) < 0.2)
        worse = noise + 0.5 * (rng.random(80) < 2 * tolerance)
        alarms += drop_beyond(worse, tolerance) <= 0.05
    assert 0.015 < alarms / 600 < 0.07


def test_quantiles_of_a_clear_drop_and_of_none():
    rng = np.random.default_rng(7)
    base = rng.uniform(0.5, 1.0, 60)
    fell = quantile_drop(base, base - 0.2, worst_tenths)
    assert fell is not None
    assert fell.ci == pytest.approx((-0.2, -0.2))
    assert fell.p < 0.05
    assert fell.p_two < 0.05
    same = quantile_drop(base, base, worst_tenths)
    assert same is not None
    assert (same.p, same.p_two, same.ci) == (0.5, 1.0, (0.0, 0.0))
    assert quantile_drop(base[:9], base[:9], worst_tenths) is None


def test_quantiles_with_tolerances():
    rng = np.random.default_rng(8)
    base = rng.gamma(4.0, 100.0, 200)
    slower = base * 1.3 + rng.normal(0, 5, 200)
    p95 = interpolated(0.95)
    assert quantile_drop(base, slower, p95, share=0.2, lower_is_better=True).p < 0.05
    assert quantile_drop(base, slower, p95, share=0.4, lower_is_better=True).p > 0.9
    assert quantile_drop(base, slower, p95, tolerance=1e5, lower_is_better=True).p > 0.9
    assert quantile_drop(base, slower, p95).p > 0.9  # slower is no drop


def test_quantiles_of_groups_are_drawn_together():
    rng = np.random.default_rng(9)
    base = rng.uniform(0, 1, 120)
    other = base + np.repeat(rng.normal(0, 0.1, 12), 10)
    alone = quantile_drop(base, other, worst_tenths, draws=400)
    together = quantile_drop(base, other, worst_tenths, [n // 10 for n in range(120)], draws=400)
    assert together.error > alone.error


def test_false_alarms_of_quantiles():
    rng = np.random.default_rng(10)
    alarms = 0
    for _ in range(300):
        size = rng.integers(1, 6, 60)
        one, other = (rng.binomial(size, 0.8) / size for _ in range(2))
        alarms += quantile_drop(one, other, worst_tenths, draws=300).p <= 0.05
    assert alarms / 300 <= 0.075
