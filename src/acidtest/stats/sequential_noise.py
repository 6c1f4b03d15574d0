"""How often a judge moves by itself, at most: the noise that a watch over it must allow for.

The first verdict on each case is its reference; the repeats of the same hour say how often another
verdict lands above or below it. Given the references the repeats are independent, and each case has its
own rates; a sum of such trials is below its mean no more often than a binomial one with the same mean
(W. Hoeffding, Ann. Math. Stat. 27, 1956), so the exact binomial bound (C. J. Clopper and
E. S. Pearson, Biometrika 26, 1934) holds for the mean rate.
"""

import math

from msgspec import Struct

NOISE_RISK = 0.025
"""Half of the 5 %: how often the bounds may be below the true rates."""

_HALVINGS = 60


class Moves(Struct, frozen=True, kw_only=True):
    """Of `n` verdicts, how many are above (`up`) and below (`down`) their references.

    A verdict that is missing counts among `n`, as one that did not move: a watch stays valid by that.
    """

    up: int
    down: int
    n: int


class Bounds(Struct, frozen=True, kw_only=True):
    """The mean rates of moving up and down by noise alone, at most; each from 0 (excluded) to 1."""

    up: float
    down: float


def noise_bounds(repeats: Moves, *, risk: float = NOISE_RISK) -> Bounds:
    """Return upper bounds that both hold with probability 1 - `risk` at least."""
    return Bounds(
        up=rate_bound(repeats.up, repeats.n, risk=risk / 2),
        down=rate_bound(repeats.down, repeats.n, risk=risk / 2),
    )


def rate_bound(k: int, n: int, *, risk: float) -> float:
    """Return the exact upper bound of a rate that showed `k` times in `n` trials.

    It is the p at which `k` or fewer have probability `risk`; 1.0 where all did, or nothing was tried.
    """
    if k >= n:
        return 1.0
    low, high = k / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(k, n, middle) > risk else (low, middle)
    return high


def _at_most(k: int, n: int, p: float) -> float:
    """Return the probability of `k` or fewer of `n`, 0 < p < 1."""
    yes, no = math.log(p), math.log1p(-p) if p < 1 else -math.inf
    of = math.lgamma(n + 1)
    return math.fsum(
        math.exp(of - math.lgamma(j + 1) - math.lgamma(n - j + 1) + j * yes + (n - j) * no)
        for j in range(k + 1)
    )
