"""The binomial tail, against scipy and at its ends."""

import pytest
from scipy.stats import binom

from acidtest.stats.tail import at_least


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize(("k", "n"), [(1, 1), (3, 10), (10, 10), (40, 400), (900, 1000)])
def test_against_scipy(k, n, share):
    assert at_least(k, n, share) == pytest.approx(binom.sf(k - 1, n, share), rel=1e-9)


def test_no_success_is_certain():
    assert at_least(0, 7, 0.5) == at_least(0, 0, 0.5) == 1.0


def test_by_hand():
    assert at_least(4, 5, 0.5) == pytest.approx(6 / 32)
