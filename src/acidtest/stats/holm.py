"""Several tests at once: Holm's step-down correction (S. Holm, Scand. J. Statist. 6, 1979)."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p-values, in the order given.

    Sorted ascending, the i-th of m (from 0) becomes the largest (m - j) * p_j over j <= i, at most 1.
    Rejecting where it is at most alpha keeps the chance of any false rejection at alpha, however the
    tests depend on each other.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, (len(p_values) - rank) * p_values[i])
        adjusted[i] = min(1.0, highest)
    return adjusted
