"""Accuracy, balanced accuracy, kappa and AUC of verdicts against labels: another implementation, hand, properties."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.outcomes import Skip
from acidtest.stats.auc import auc
from acidtest.stats.balanced import agreement_of, verdicts_of
from acidtest.stats.rates import wilson
from acidtest.stats.shares import share_interval, worth

MEASURES = ("accuracy", "balanced_accuracy", "kappa")

# Computed once by scikit-learn 1.9.1 on `made`: accuracy_score, balanced_accuracy_score, cohen_kappa_score,
# roc_auc_score; then the same with sample_weight.
BY_SCIKIT_LEARN = [
    (
        (1, 12),
        (0.9166666666666666, 0.875, 0.8, 0.9375),
        (0.9148936170212766, 0.8947368421052632, 0.8171206225680934, 0.9699248120300752),
    ),
    (
        (2, 60),
        (0.7666666666666667, 0.7361111111111112, 0.4927536231884059, 0.7621527777777778),
        (0.7611940298507462, 0.731273904089438, 0.47825028898217437, 0.7524860253015593),
    ),
    (
        (3, 300),
        (0.72, 0.7183868762816131, 0.3973310374515713, 0.7610021557389979),
        (0.7293354943273906, 0.7379743888242143, 0.4265942853644895, 0.7809173457508732),
    ),
]


def made(seed, n):
    r = random.Random(seed)
    labels = [r.random() < 0.7 for _ in range(n)]
    scores = [round(min(1, max(0, (0.6 if t else 0.35) + r.gauss(0, 0.25))), 1) for t in labels]
    return labels, scores, [r.choice((1.0, 2.0, 3.5)) for _ in labels]


@pytest.mark.parametrize(("size", "plain", "weighted"), BY_SCIKIT_LEARN)
def test_equal_to_scikit_learn(size, plain, weighted):
    labels, scores, weights = made(*size)
    for expected, w in ((plain, None), (weighted, weights)):
        given = verdicts_of(labels, [x >= 0.5 for x in scores], w)
        found = [agreement_of(of, given) for of in MEASURES] + [auc(scores, labels, weights=w)]
        for each, value in zip(found, expected, strict=True):
            assert math.isclose(each.value, value, abs_tol=1e-9)
            assert each.ci[0] < each.value < each.ci[1]
            assert each.n == size[1]


def test_balanced_accuracy_of_always_yes_is_half():
    given = verdicts_of([True] * 9 + [False], [True] * 10)
    assert agreement_of("accuracy", given).value == 0.9
    assert agreement_of("balanced_accuracy", given).value == 0.5
    assert agreement_of("kappa", given).value == 0.0


def test_a_perfect_judge_of_few_cases_is_not_certain():
    given = verdicts_of([True, False] * 10, [True, False] * 10)
    for of in ("accuracy", "balanced_accuracy"):
        found = agreement_of(of, given)
        assert found.value == found.ci[1] == 1.0
        assert 0.7 < found.ci[0] < 0.9
    kappa = agreement_of("kappa", given)
    assert (kappa.value, kappa.ci) == (1.0, None)
    assert "any draw of cases gives the same" in kappa.why_no_ci
    area = auc([1.0, 0.0] * 10, [True, False] * 10)
    assert (area.value, area.ci) == (1.0, None)


@pytest.mark.parametrize(
    ("labels", "verdicts", "skipped"),
    [
        ([], [], set(MEASURES)),
        ([True], [True], {"balanced_accuracy", "kappa"}),
        ([True, True], [True, False], {"balanced_accuracy"}),
        ([False, False], [False, False], {"balanced_accuracy", "kappa"}),
    ],
)
def test_what_cannot_be_measured_is_missing_with_a_reason(labels, verdicts, skipped):
    given = verdicts_of(labels, verdicts)
    missing = {of for of in MEASURES if isinstance(agreement_of(of, given), Skip)}
    assert missing == skipped
    assert isinstance(auc([0.5] * len(labels), labels), Skip)


def test_a_group_counts_once_however_often_it_is_repeated():
    labels, scores, _ = made(2, 60)
    verdicts = [x >= 0.5 for x in scores]
    groups = list(range(60)) * 4
    for of in MEASURES:
        once = agreement_of(of, verdicts_of(labels, verdicts))
        often = agreement_of(of, verdicts_of(labels * 4, verdicts * 4, groups=groups))
        assert math.isclose(once.value, often.value)
        assert np.allclose(once.ci, often.ci, atol=0.02)
    assert np.allclose(auc(scores, labels).ci, auc(scores * 4, labels * 4, groups=groups).ci)


def test_what_a_share_of_weighted_cases_is_worth():
    yes = [True, False, True, True] * 5
    assert worth(yes, [2.0] * 20) == 20
    assert share_interval(yes, [2.0] * 20) == wilson(15, 20)
    assert worth([True] * 20, [1.0] * 19 + [1000.0]) == pytest.approx(1.04, abs=0.01)
    assert worth(yes, [1.0] * 20, [n // 2 for n in range(20)]) <= 20
    low, high = share_interval([True] * 3, [1.0, 2.0, 3.0])
    assert low < 0.5 < high == 1.0


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 4), st.sampled_from((0.5, 1.0, 7.0))), max_size=25
    )
)
def test_auc_is_the_share_of_pairs_in_the_right_order(some):
    labels = [yes for yes, _, _ in some]
    scores = [x / 4 for _, x, _ in some]
    found = auc(scores, labels, weights=[w for *_, w in some])
    pairs = [
        (w * v, 1.0 if x > y else 0.5 if x == y else 0.0)
        for up, x, w in some
        if up
        for down, y, v in some
        if not down
    ]
    if not pairs:
        assert isinstance(found, Skip)
        return
    assert found.value == pytest.approx(sum(w * x for w, x in pairs) / sum(w for w, _ in pairs))
    if found.ci:
        assert 0 <= found.ci[0] <= found.ci[1] <= 1


@pytest.mark.parametrize(
    ("n", "yes", "kept", "passed"), [(80, 0.6, 0.9, 0.3), (30, 0.85, 0.95, 0.5)]
)
def test_intervals_of_a_known_judge_cover_its_quality(n, yes, kept, passed):
    r = random.Random(7)
    inside = {"accuracy": 0, "balanced_accuracy": 0}
    measured = 0
    accuracy, balanced = yes * kept + (1 - yes) * (1 - passed), (kept + 1 - passed) / 2
    for _ in range(200):
        labels = [r.random() < yes for _ in range(n)]
        if all(labels):
            continue
        verdicts = [r.random() < (kept if each else passed) for each in labels]
        given = verdicts_of(labels, verdicts)
        measured += 1
        for of, true in (("accuracy", accuracy), ("balanced_accuracy", balanced)):
            low, high = agreement_of(of, given).ci
            inside[of] += low <= true <= high
    assert all(0.9 <= hits / measured <= 0.99 for hits in inside.values())


def test_a_perfect_order_is_one_whatever_the_weights():
    found = auc([0, 1, 2], [False, True, True], weights=[0.5, 7.0, 0.5])
    assert found.value == 1
    assert found.ci is None
    assert "any draw of cases gives the same" in found.why_no_ci
