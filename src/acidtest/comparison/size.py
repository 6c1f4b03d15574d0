"""By how much a case may be thought to change, where none did."""

import numpy as np

from acidtest.comparison.paired import Measure, Values
from acidtest.data.ranges import range_of


def size_of(measure: Measure, before: Values, after: Values) -> float:
    """Return how large a change of one case would be, for what is said of cases that all tie.

    Args:
        measure: What was measured.
        before: The scores before, of the cases that have one on both sides.
        after: Those after.

    Returns:
        The whole range of a metric of ours, which is 1. What may be of any size (time, tokens, money)
        is thought to change by as much as it is: the root mean square of the values, 0 where all are 0.
        Of own metrics the larger of the two.
    """
    if range_of(measure.name) is not None:
        return 1.0
    values = np.concatenate([before, after])
    own = float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
    return own if measure.stage == "operations" else max(1.0, own)
