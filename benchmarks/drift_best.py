"""The best that any drift test can do that has to learn the level from a reference of some days.

    python benchmarks/drift_best.py

It knows the shapes before and after (`claims` of `drift.py`, exactly), how much days differ, and when the fall came;
it looks once, at 300 traces, and may raise a false alarm in 0.72 % of looks, as the watch may for falls. Its statistic is the mean
log likelihood ratio of the traces (Neyman and Pearson, 1933) less that of the reference.
"""

from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

SIMS = 4000
WITHIN = 300
NOISE = 0.005
FALL = 0.05
FALSE = 0.0072


def chances(mean: float) -> Column:
    """Return the chance of each share of claims, from none to all: bad answers have four in ten wrong."""
    bad = (1 - mean) / 0.4
    found = {Fraction(1): 1 - bad}
    for n in range(2, 9):
        for k in range(n + 1):
            here = bad / 7 * comb(n, k) * 0.6**k * 0.4 ** (n - k)
            found[Fraction(k, n)] = found.get(Fraction(k, n), 0.0) + here
    return np.array([found[share] for share in sorted(found)])


def power(mean: float, per: int, days: int) -> float:
    """Return in what share of simulations the fall is seen."""
    draw = np.random.default_rng(1)
    usual = chances(mean)
    by_point = (chances(mean - 0.01) - usual) / 0.01  # the chances are linear in the mean
    ratio = np.log(chances(mean - FALL) / usual)

    def day(fall: float) -> Column:
        worse = fall + NOISE * draw.standard_normal(SIMS)
        p = np.maximum(usual + worse[:, None] * by_point, 1e-15)
        found: Column = draw.multinomial(per, p / p.sum(axis=1, keepdims=True)) @ ratio
        return found

    def level(count: int, fall: float) -> Column:
        return np.sum([day(fall) for _ in range(count)], axis=0) / (count * per)

    reference = level(days, 0.0)
    quiet, fallen = (level(WITHIN // per, fall) - reference for fall in (0.0, FALL))
    return float((fallen > np.quantile(quiet, 1 - FALSE)).mean())


def main() -> None:
    print("| score | a day | 28 days | 56 days |\n|---|---|---|---|")
    for mean in (0.9, 0.95):
        for per in (20, 100, 300):
            cells = [f"{power(mean, per, days):.0%}" for days in (28, 56)]
            print(f"| claims, mean {mean:.2f} | {per} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
