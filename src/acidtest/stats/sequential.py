"""Has a judge changed? A test that may be looked at every day, for ever.

Each day gives counts of verdicts above and below their references. Under the null hypothesis the mean
rates u and v of both are at most the bounds U and V that the judge's own noise has (`sequential_noise`).
Against an alternative (u1 >= U, v1 >= V) the day's likelihood ratio

    L = (u1 / U)^up  (v1 / V)^down  ((1 - u1 - v1) / (1 - U - V))^(n - up - down)

has an expectation of at most 1 under the null, also where every case has rates of its own: the factor of
one case is linear in its rates, and the geometric mean of the cases is at most their arithmetic mean. So
the product over days is a test supermartingale (A. Wald, 1945; J. Ville, 1939), and so is any average of
such products. Averaged here are

- alternatives, since nobody knows how large a shift will be (H. Robbins' method of mixtures, Ann. Math.
  Stat. 41, 1970): more by a share of what is left, from 1/64 to 7/8, upwards, downwards or half each;
- first days of the shift, day k with weight 1 / (k (k + 1)), since quiet months would otherwise hide it
  (J. Shin, A. Ramdas and A. Rinaldo, "E-detectors", 2024; the weights sum to 1, so this stays a test).

The chance that the average ever reaches 1 / a is at most a (Ville's inequality), however often and for
however long one looks; see A. Ramdas et al., Statistical Science 38, 2023. With the risk of the bounds
that is 5 % for both.
"""

import math
from collections.abc import Sequence

from acidtest.stats.sequential_noise import NOISE_RISK, Bounds, Moves

RISK = 0.05
"""The chance of ever raising a false alarm, at most: half for the noise bounds, half for the watch."""

LIMIT = 1 / (RISK - NOISE_RISK)
"""The e-value at which a shift is told."""

_SHARES = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 7 / 8)
_SPLITS = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
_LARGEST_LOG = 228.0  # just over 1e99


def evidence(bounds: Bounds, days: Sequence[Moves]) -> list[float]:
    """Return the natural logarithm of the e-value after each day.

    Args:
        bounds: What the judge's noise explains. Where it explains everything (they sum to 1 or more)
            nothing can be seen, and the e-value stays 1.
        days: The counts of each day, oldest first.
    """
    left = 1 - bounds.up - bounds.down
    if left <= 0:
        return [0.0] * len(days)
    steps = [
        (
            math.log1p(share * up * left / bounds.up),
            math.log1p(share * down * left / bounds.down),
            math.log1p(-share),
        )
        for share in _SHARES
        for up, down in _SPLITS
    ]
    wealth = [-math.inf] * len(steps)  # of the bets that were begun, each with its weight
    found = []
    for day, moves in enumerate(days, start=1):
        begun = -math.log(day) - math.log(day + 1)
        same = moves.n - moves.up - moves.down
        wealth = [
            log_sum((have, begun)) + moves.up * up + moves.down * down + same * stay
            for have, (up, down, stay) in zip(wealth, steps, strict=True)
        ]
        not_begun = -math.log(day + 1)
        found.append(log_sum((log_sum(wealth) - math.log(len(wealth)), not_begun)))
    return found


def together(series: Sequence[Sequence[float]]) -> list[float]:
    """Return the logarithm of the mean e-value of several watches, day by day.

    A mean of e-values is one again, however they depend on each other (V. Vovk and R. Wang, Ann. Stat.
    49, 2021). All have the same days.
    """
    return [log_sum(logs) - math.log(len(logs)) for logs in zip(*series, strict=True)]


def first_alarm(logs: Sequence[float], *, limit: float = LIMIT) -> int | None:
    """Return the index of the first day whose e-value reaches the limit; None when there is none."""
    return next((n for n, log in enumerate(logs) if log >= math.log(limit)), None)


def e_value(log: float) -> float:
    """Return the e-value of a logarithm, 1e99 at most."""
    return min(math.exp(min(log, _LARGEST_LOG)), 1e99)


def log_sum(logs: Sequence[float]) -> float:
    """Return log(sum(exp(x))) without leaving the range of numbers."""
    most = max(logs)
    if most == -math.inf:
        return most
    return most + math.log(math.fsum(math.exp(x - most) for x in logs))
