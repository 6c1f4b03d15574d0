"""Means corrected by labels: worked examples, another implementation's values, and how often they hold."""

import numpy as np
import pytest

from acidtest.stats.ppi import corrected_mean
from acidtest.stats.ppi_fit import Side, at, influences, tuned
from acidtest.stats.rates import wilson

LABELS = [1, 0, 1, 1, 0.5, 0, 1, 0.75, 1, 0]
JUDGED = [0.9, 0.2, 0.8, 1, 0.5, 0.4, 0.7, 0.75, 1, 0.3]
OTHERS = [0.6, 0.8, 1, 0.1, 0.4, 0.9, 0.7, 0.3, 0.95, 0.85, 0.2, 1, 0.5, 0.65]


def _side(weights=None):
    return Side.of(JUDGED + OTHERS, LABELS + [None] * len(OTHERS), weights)


def test_worked_by_hand():
    # Labels of the first two of four: mean 0.5; the judge says 0.75 of these and 0.5 of all: 0.5 + 0.5 - 0.75.
    some = influences(Side.of([1, 0.5, 0.5, 0], [1, 0, None, None], None), None)
    assert at(some, np.array([1.0])).point == pytest.approx(0.25)
    assert at(some, np.array([0.0])).point == pytest.approx(0.5)
    # base: +-0.5 / 2; control: (+-0.25) / 2 less (0.5, 0, 0, -0.5) / 4
    assert some.base == pytest.approx([0.25, -0.25, 0, 0])
    assert some.controls[:, 0] == pytest.approx([0, -0.125, 0, 0.125])
    assert some.units == pytest.approx(2)


@pytest.mark.parametrize(("theirs", "point"), [(1, 0.60928571), (0.5, 0.61714286), (0, 0.625)])
def test_points_are_those_of_ppi_py(theirs, point):
    # ppi_py keeps labelled and judged cases apart: its lambda is ours times (N - n) / N.
    ours = theirs * 24 / 14
    assert at(influences(_side(), None), np.array([ours])).point == pytest.approx(point, abs=1e-8)


def test_weighted_point_is_that_of_ppi_py():
    weights = [1, 2, 1, 3, 1, 1, 2, 1, 1, 2]
    some = influences(_side([w / np.mean(weights) for w in weights] + [1] * 14), None)
    # ppi_py with w and lambda 1 gives the mean of the others plus the weighted mean of the errors.
    error = np.average(np.array(LABELS) - JUDGED, weights=weights)
    assert np.mean(OTHERS) + error == pytest.approx(0.60595238, abs=1e-8)
    all_judged = np.mean(JUDGED + OTHERS)
    assert at(some, np.array([1.0])).point == pytest.approx(all_judged + error)


def test_lambda_makes_the_variance_least():
    some = influences(_side(), None)
    best = tuned(some)

    def plain(x):
        left = some.base - some.controls @ np.array([x])
        return float(left @ left + some.doubt @ np.array([x]) ** 2)

    (weight,) = best.lambdas
    assert 0 < weight <= 1
    assert plain(weight) <= min(plain(x) for x in np.linspace(0, 1, 101)) + 1e-12


def test_a_bias_of_the_judge_goes_away():
    rng = np.random.default_rng(3)
    right = rng.random(2000) < 0.6
    judged = np.where(right, 1.0, (rng.random(2000) < 0.5).astype(float))
    found = corrected_mean(judged.tolist(), [*right[:100].astype(float), *[None] * 1900])
    assert found.judged == pytest.approx(0.8, abs=0.03)
    assert found.ci[0] < 0.6 < found.ci[1]
    assert found.ci[1] < found.judged
    assert found.labels == 100
    assert found.note == ""


def test_few_labels_correct_nothing():
    found = corrected_mean([1.0] * 100, [0.0] * 19 + [None] * 81)
    assert not found.is_corrected
    assert (found.mean, found.ci, found.labels) == (1.0, None, 19)
    assert found.note == "19 labels are too few to correct anything: it takes 20"
    assert corrected_mean([1.0] * 100, [0.0] * 20 + [None] * 80).is_corrected


def test_labels_in_few_groups_correct_nothing():
    groups = [n // 10 for n in range(100)]
    found = corrected_mean([1.0] * 100, [0.0, 1.0] * 25 + [None] * 50, groups=groups)
    assert found.note == (
        "50 labels in 5 groups are too few to correct anything: it takes 20 groups"
    )


def test_equal_labels_stand_alone():
    found = corrected_mean([0.0, 1.0] * 100, [1.0] * 40 + [None] * 160)
    assert (found.mean, found.weight) == (1.0, 0.0)
    assert found.note.startswith("all labels are equal")
    # as many successes in a row, with Student's quantile in place of the normal one
    assert found.ci[1] == 1.0
    assert wilson(40, 40)[0] - 0.01 < found.ci[0] < wilson(40, 40)[0]


def test_equal_labels_without_a_range_correct_nothing():
    found = corrected_mean([3.0, 7.0] * 50, [7.0] * 40 + [None] * 60, bounds=None)
    assert not found.is_corrected
    assert "without a range" in found.note


def test_a_contrary_judge_is_not_used():
    right = [1.0, 0.0] * 100
    found = corrected_mean([1 - x for x in right], right[:60] + [None] * 140)
    assert found.weight == 0.0
    assert found.mean == 0.5
    assert "do not narrow" in found.note


def test_labels_of_all_cases_stand_alone():
    right = [1.0, 0.0, 1.0] * 20
    found = corrected_mean([1.0, 0.2, 0.8] * 20, right)
    assert found.mean == pytest.approx(2 / 3)
    assert found.note == "every case has a label: the labels stand alone"


def test_scale_does_not_matter():
    rng = np.random.default_rng(0)
    right = rng.integers(0, 5, 200) / 4
    judged = np.clip(right + rng.normal(0.1, 0.1, 200), 0, 1)
    labels = [*right[:50].tolist(), *[None] * 150]
    small = corrected_mean(judged.tolist(), labels)
    large = corrected_mean(
        (judged * 10 - 5).tolist(),
        [None if y is None else y * 10 - 5 for y in labels],
        bounds=(-5, 5),
    )
    assert [(x + 5) / 10 for x in (large.mean, *large.ci)] == pytest.approx([small.mean, *small.ci])


def test_weights_undo_a_choice_on_purpose():
    rng = np.random.default_rng(5)
    means = {"weighted": [], "not": []}
    for _ in range(200):
        hard = rng.random(400) < 0.5
        right = (rng.random(400) < np.where(hard, 0.5, 0.9)).astype(float)
        judged = np.where(rng.random(400) < 0.8, right, 1 - right)
        chance = np.where(hard, 0.4, 0.1)  # people look at hard cases more often
        chosen = rng.random(400) < chance
        labels = [y if c else None for y, c in zip(right.tolist(), chosen, strict=True)]
        weighted = corrected_mean(judged.tolist(), labels, weights=(1 / chance).tolist())
        means["weighted"].append(weighted.mean)
        means["not"].append(corrected_mean(judged.tolist(), labels).mean)
    assert np.mean(means["weighted"]) == pytest.approx(0.7, abs=0.01)
    assert np.mean(means["not"]) < 0.66


def test_groups_count_once():
    rng = np.random.default_rng(2)
    right = np.repeat((rng.random(200) < 0.7).astype(float), 3)
    judged = np.repeat(np.where(rng.random(200) < 0.9, right[::3], 1 - right[::3]), 3)
    labels = [*right[:150].tolist(), *[None] * 450]
    groups = [n // 3 for n in range(600)]
    together = corrected_mean(judged.tolist(), labels, groups=groups)
    single = corrected_mean(judged[::3].tolist(), labels[::3], groups=None)
    # three copies of a case are no more than the case
    assert (together.mean, *together.ci) == pytest.approx((single.mean, *single.ci))


@pytest.mark.parametrize(("hit", "slip"), [(0.92, 0.15), (0.98, 0.6), (0.7, 0.7), (0.5, 0.02)])
def test_intervals_hold_what_they_say_and_are_no_wider_than_the_labels_own(hit, slip):
    rng = np.random.default_rng(11)
    held, wider = 0, 0.0
    for _ in range(300):
        right = (rng.random(300) < 0.8).astype(float)
        judged = (rng.random(300) < np.where(right == 1, hit, slip)).astype(float).tolist()
        labels = [*right[:40].tolist(), *[None] * 260]
        found = corrected_mean(judged, labels)
        alone = corrected_mean([0.0] * 300, labels)
        held += found.ci[0] <= 0.8 <= found.ci[1]
        wider = max(wider, (found.ci[1] - found.ci[0]) / (alone.ci[1] - alone.ci[0]))
    # 95 % of 300 is 285; fewer than 276 would happen once in 140 times
    assert 276 <= held <= 298
    assert wider <= 1 + 1e-9


def test_columns_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="2 judged values, 1 labels"):
        corrected_mean([1.0, 0.0], [1.0])
    with pytest.raises(ValueError, match="1 groups for 2 cases"):
        corrected_mean([1.0, 0.0], [1.0, None], groups=["a"])
