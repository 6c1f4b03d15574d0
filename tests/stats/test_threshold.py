"""Fitted thresholds: by hand, and honest about noise."""

import random

import numpy as np
import pytest

from acidtest.data.outcomes import Skip
from acidtest.stats.balanced import agreement_of, verdicts_of
from acidtest.stats.threshold import best_threshold, cross_validated


def fit(scores, labels, **more):
    return best_threshold(np.array(scores), np.array(labels), np.ones(len(scores)), **more)


def test_half_way_between_the_scores_that_it_parts():
    assert fit([0.1, 0.2, 0.6, 0.9], [False, False, True, True]) == pytest.approx(0.4)


def test_of_equals_the_nearest():
    # 0.15 keeps both yes and refuses one of two no; 0.75 keeps one yes and refuses both.
    scores, labels = [0.1, 0.2, 0.7, 0.8], [False, True, False, True]
    assert fit(scores, labels, near=0.0) == pytest.approx(0.15)
    assert fit(scores, labels, near=1.0) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("scores", "labels"),
    [([], []), ([0.5, 0.5], [True, False]), ([0.1, 0.9], [True, True]), ([0.3], [True])],
)
def test_nothing_to_fit(scores, labels):
    assert isinstance(cross_validated(scores, labels), Skip)


def test_one_of_a_kind_cannot_be_checked():
    found = cross_validated([0.1, 0.8, 0.9, 0.7], [False, True, True, True])
    assert "of one kind" in found.why


def test_scores_of_noise_do_not_look_good_on_cases_they_were_not_fitted_on():
    r = random.Random(3)
    fitted, held_out = [], []
    for seed in range(20):
        scores = [r.random() for _ in range(40)]
        labels = [r.random() < 0.5 for _ in scores]
        found = cross_validated(scores, labels, seed=seed)
        held_out.append(
            agreement_of("balanced_accuracy", verdicts_of(labels, found.verdicts)).value
        )
        flattered = [x >= found.threshold for x in scores]
        fitted.append(agreement_of("balanced_accuracy", verdicts_of(labels, flattered)).value)
    assert np.mean(fitted) > 0.58
    assert np.mean(held_out) < 0.53


def test_a_group_stays_in_one_fold():
    # Copies of a case in other folds would tell its label.
    r = random.Random(5)
    labels = [r.random() < 0.5 for _ in range(30)]
    scores = [r.random() for _ in labels]
    once = cross_validated(scores, labels)
    often = cross_validated(scores * 3, labels * 3, groups=list(range(30)) * 3)
    assert (often.verdicts == np.tile(once.verdicts, 3)).all()
    assert often.threshold == once.threshold
    assert once.lowest <= once.threshold <= once.highest
    assert once.folds == 10


def test_weights_count_as_copies():
    scores, labels = [0.2, 0.4, 0.6, 0.8], [False, True, False, True]
    heavy = best_threshold(np.array(scores), np.array(labels), np.array([1.0, 5.0, 1.0, 1.0]))
    assert heavy == pytest.approx(0.3)
