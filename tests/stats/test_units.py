import numpy as np
import pytest

from acidtest.stats.units import places


@pytest.mark.parametrize("spread", [3, 40, 10**12])
def test_numbers_are_placed_in_their_order_whether_they_lie_close_or_not(spread):
    numbers = np.random.default_rng(5).integers(7, 7 + spread, 30)
    ordered = sorted(set(numbers.tolist()))
    assert places(numbers).tolist() == [ordered.index(n) for n in numbers.tolist()]


def test_keys_are_placed_by_first_appearance():
    assert places(["b", "a", "b", None]).tolist() == [0, 1, 0, 2]
    assert places(np.zeros(0, np.int64)).tolist() == []
