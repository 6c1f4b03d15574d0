"""Many exact tests at once, some of which cannot show anything: Tarone's correction.

R. E. Tarone, Biometrics 46 (1990). A test of counts has a smallest p-value that it could have given, known
before its result: three changed cases cannot give less than 0.25. Tests that could not have been
significant anyway need no correction, and leave more for the others.
"""

from collections.abc import Sequence


def tarone(
    p_values: Sequence[float], least: Sequence[float], *, alpha: float = 0.05
) -> list[float]:
    """Return adjusted p-values, in the order given.

    K is the smallest number for which at most K tests could reach alpha / K; p-values of these tests are
    multiplied by K (at most 1), the others become 1. Rejecting where it is at most alpha keeps the chance
    of any false rejection at alpha, however the tests depend on each other.

    Args:
        p_values: One a test.
        least: The smallest p-value that each test could have given, not looking at its result.
        alpha: The chance of any false rejection that is accepted; the result depends on it.
    """
    k = next(
        k for k in range(1, len(p_values) + 2) if sum(k * each <= alpha for each in least) <= k
    )
    return [
        min(1.0, k * p) if k * each <= alpha else 1.0
        for p, each in zip(p_values, least, strict=True)
    ]
