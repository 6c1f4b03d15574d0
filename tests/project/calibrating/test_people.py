"""The difference of two kappas: its interval holds the truth, with few groups and with large ones."""

import numpy as np
import pytest

from acidtest.data.outcomes import Skip
from acidtest.project.calibrating.people import difference
from acidtest.stats.balanced import measured

WRONG = np.array([0.1, 0.3])
"""How often the first and the second err, on the average of groups."""


def drawn(rng, groups, size):
    """Return groups x 2 x labels x verdicts: groups differ in what is true and in how hard they are."""
    yes = rng.random((groups, size)) < rng.beta(2, 2, groups)[:, None]
    found = np.zeros((groups, 2, 2, 2))
    for which, wrong in enumerate(WRONG):
        hard = rng.beta(4 * wrong, 4 * (1 - wrong), groups)[:, None]
        said = yes ^ (rng.random((groups, size)) < hard)
        for label in (0, 1):
            for verdict in (0, 1):
                found[:, which, label, verdict] = ((yes == label) & (said == verdict)).sum(axis=1)
    return found


# With a whole group more on both sides it would be 1.7 and 0.7 wide.
@pytest.mark.parametrize(("groups", "size", "widest"), [(5, 40, 1.2), (20, 8, 0.6)])
def test_its_interval_holds_the_truth_and_is_no_wider_than_need_be(groups, size, widest):
    rng = np.random.default_rng(1)
    every = measured("kappa", drawn(rng, 20_000, size).sum(axis=0))
    truth = float(every[0] - every[1])
    found = [difference(drawn(rng, groups, size), groups * size) for _ in range(40)]
    found = [each for each in found if not isinstance(each, Skip)]
    held = np.mean([each.ci[0] <= truth <= each.ci[1] for each in found])
    assert held >= 0.9
    assert np.median([each.ci[1] - each.ci[0] for each in found]) < widest


def test_two_that_say_the_same_differ_by_a_case_and_not_by_a_group():
    same = np.tile(np.array([[20.0, 5.0], [5.0, 20.0]]), (6, 2, 1, 1))
    found = difference(same, 300)
    assert found.value == 0
    assert -0.1 < found.ci[0] < 0 < found.ci[1] < 0.1


def test_a_case_a_group_is_one_group_more_on_both_sides():
    both = np.zeros((40, 2, 2, 2))
    for n in range(40):
        both[n, :, n % 2, n % 2] = 1
    both[0, 1] = [[0, 1], [0, 0]]  # the second errs once
    found = difference(both, 40)
    assert found.value == pytest.approx(0.05)
    assert found.ci[0] < 0
    assert found.ci[1] > 0.1
