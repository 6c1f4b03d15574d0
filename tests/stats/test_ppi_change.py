"""Differences of two runs, corrected by labels of both."""

import numpy as np
import pytest

from acidtest.stats.ppi import corrected_mean
from acidtest.stats.ppi_change import corrected_change


def _runs(rng, cases=400, slip=0.3):
    old = (rng.random(cases) < 0.7).astype(float)
    new = np.where(rng.random(cases) < np.where(old == 1, 0.05, 0.4), 1 - old, old)
    # The second system pleases the judge: more of its wrong answers pass.
    before = np.where(old == 1, 1.0, (rng.random(cases) < 0.1).astype(float))
    after = np.where(new == 1, 1.0, (rng.random(cases) < slip).astype(float))
    return old, new, before, after


TRUTH = 0.7 * 0.95 + 0.3 * 0.4 - 0.7


@pytest.mark.parametrize("start", [0, 60])
def test_a_flattered_run_is_seen_through(start):
    rng = np.random.default_rng(8)
    held, flattered, own = 0, [], []
    for _ in range(200):
        old, new, before, after = _runs(rng, slip=0.8)
        labels = [y if start <= n < start + 60 else None for n, y in enumerate(new.tolist())]
        found = corrected_change(
            before.tolist(), after.tolist(), [*old[:60].tolist(), *[None] * 340], labels
        )
        held += found.ci[0] <= TRUTH <= found.ci[1]
        flattered.append(found.judged)
        own.append(found.mean)
    assert np.mean(flattered) > TRUTH + 0.1
    assert np.mean(own) == pytest.approx(TRUTH, abs=0.02)
    assert 182 <= held <= 199


def test_labels_of_one_run_correct_nothing():
    old, new, before, after = _runs(np.random.default_rng(1))
    found = corrected_change(before.tolist(), after.tolist(), [None] * 400, new.tolist())
    assert not found.is_corrected
    assert found.mean == pytest.approx(float((after - before).mean()))
    assert found.note == "the baseline: there are no labels"
    other = corrected_change(before.tolist(), after.tolist(), old.tolist(), [None] * 400)
    assert other.note.startswith("the candidate: there are no labels")


def test_no_change_in_the_labels_is_no_proof_of_none():
    same = [1.0, 0.0] * 100
    labels = same[:40] + [None] * 160
    found = corrected_change(same, same, labels, labels)
    assert found.mean == 0.0
    assert found.ci[0] < -0.02
    assert found.ci[1] > 0.02


def test_same_cases_tell_more_than_others():
    old, new, before, after = _runs(np.random.default_rng(4))
    first = [*old[:80].tolist(), *[None] * 320]
    same = corrected_change(
        before.tolist(), after.tolist(), first, [*new[:80].tolist(), *[None] * 320]
    )
    other = corrected_change(
        before.tolist(), after.tolist(), first, [*[None] * 320, *new[320:].tolist()]
    )
    assert same.ci[1] - same.ci[0] < other.ci[1] - other.ci[0]


def test_runs_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="1 cases before, 2 after"):
        corrected_change([1.0], [1.0, 0.0], [1.0], [1.0, 0.0])


def test_equal_labels_without_a_range_correct_nothing():
    old = [1.0, 5.0] * 50
    found = corrected_change(
        old, old, old[:40] + [None] * 60, [5.0] * 40 + [None] * 60, bounds=None
    )
    assert not found.is_corrected
    assert (found.before, found.after) == (None, None)
    assert "without a range" in found.note


def test_both_sides_differ_by_the_change():
    old, new, before, after = _runs(np.random.default_rng(6))
    found = corrected_change(
        before.tolist(), after.tolist(), [*old[:50], *[None] * 350], [*new[:50], *[None] * 350]
    )
    assert found.after - found.before == pytest.approx(found.mean)
    assert found.after == corrected_mean(after.tolist(), [*new[:50], *[None] * 350]).mean
