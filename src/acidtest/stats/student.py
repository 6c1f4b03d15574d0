"""Quantiles of Student's t distribution, with the standard library alone."""

import math
from functools import lru_cache
from statistics import NormalDist


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: float) -> float:
    """Return the quantile of Student's t.

    The distribution function by the incomplete beta function (continued fraction of Lentz, "Numerical
    Recipes" sec. 6.4), inverted by Newton's method, or by bisection below three degrees.

    Args:
        p: The probability, 0 < p < 1.
        df: Degrees of freedom, above 0.
    """
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1 - p, df)
    if df > 1e7:
        return NormalDist().inv_cdf(p)
    return _bisected(p, df) if df < 3 else _polished(p, df)


def _polished(p: float, df: float) -> float:
    """Begin with the expansion in 1 / df (Abramowitz and Stegun 26.7.5), and go on by Newton's method."""
    z = NormalDist().inv_cdf(p)
    t = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df * df)
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    for _ in range(50):
        step = (t_cdf(t, df) - p) / (scale * math.exp(-(df + 1) / 2 * math.log1p(t * t / df)))
        t -= step
        if abs(step) <= 1e-13 * abs(t):
            return t
    return _bisected(p, df)


def _bisected(p: float, df: float) -> float:
    low, high = 0.0, 1.0
    while t_cdf(high, df) < p:
        low, high = high, high * 2
        if high > 1e300:
            return high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_cdf(middle, df) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_cdf(t: float, df: float) -> float:
    """Return the distribution function of Student's t."""
    tail = 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))
    return 1 - tail if t >= 0 else tail


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b); y is 1 - x, without cancellation."""
    if x <= 0.0 or y <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, y) / b


def _fraction(a: float, b: float, x: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    h = d
    for m in range(1, 10_000):
        step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _apart(1 + step * d, tiny)
        c = _apart(1 + step / c, tiny)
        h *= d * c
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _apart(1 + step * d, tiny)
        c = _apart(1 + step / c, tiny)
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return h


def _apart(x: float, tiny: float) -> float:
    return x if abs(x) > tiny else tiny
