"""McNemar's test for yes/no metrics: of the cases that changed, how many changed to yes?

Q. McNemar, Psychometrika 12 (1947); exact form: the changed cases are a binomial with p = 1/2.
"""

import math


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided p-value.

    Args:
        gained: Cases that were no and are yes.
        lost: Cases that were yes and are no.

    Returns:
        min(1, 2 P(X <= min(gained, lost))) with X binomial over the changed cases; 1.0 without any.
    """
    n, low = gained + lost, min(gained, lost)
    if not n:
        return 1.0
    # Integers are exact; above this the sum of logs is, to the digits that matter.
    if n <= 1000:
        return min(1.0, math.ldexp(sum(math.comb(n, k) for k in range(low + 1)), 1 - n))
    logs = [
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        for k in range(low + 1)
    ]
    most = max(logs)
    return min(1.0, 2 * math.exp(most) * math.fsum(math.exp(x - most) for x in logs))
