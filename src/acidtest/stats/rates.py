"""The interval of a share: of yes among cases."""

from statistics import NormalDist

Interval = tuple[float, float]


def wilson(successes: float, n: float, *, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a share; right at 0 and at n, where others have no width.

    E. B. Wilson, JASA 22 (1927).
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    # At the ends the algebra is exact; rounding is not.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high
