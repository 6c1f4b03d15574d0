"""The tail of a binomial: how likely so many successes or more are."""

import math


def at_least(successes: int, n: int, share: float) -> float:
    """Return P(X >= successes) for X binomial(n, share): the exact one-sided p-value.

    Args:
        successes: From 0 to n.
        n: Trials; 1.0 without any.
        share: The chance of a success, inside 0 to 1.
    """
    if successes <= 0:
        return 1.0
    terms = [
        math.lgamma(n + 1)
        - math.lgamma(k + 1)
        - math.lgamma(n - k + 1)
        + k * math.log(share)
        + (n - k) * math.log1p(-share)
        for k in range(successes, n + 1)
    ]
    return min(1.0, math.fsum(map(math.exp, terms)))
