"""p10, the border of the worst tenth; for the interval of its change see `tenth_change`."""

import numpy as np
from numpy.typing import NDArray


def worst_tenth(values: NDArray[np.float64], *, lower_is_better: bool = False) -> float:
    """Return element n // 10 of the values from worst to best; at least one value."""
    n = len(values)
    place = n - 1 - n // 10 if lower_is_better else n // 10
    return float(np.partition(values, place)[place])
