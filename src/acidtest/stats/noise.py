"""Judge noise apart from the spread of cases, where judgements were repeated."""

import math
from collections.abc import Sequence

from msgspec import Struct


class Noise(Struct, frozen=True, kw_only=True):
    """How much of a difference's uncertainty is the judge's own.

    Attributes:
        within: The standard deviation of one judgement of the same text.
        share: The part of the variance of the mean difference that more repeats would take away,
            0..1; the rest is how cases differ, and takes more cases.
        cases: On how many cases it rests.
    """

    within: float
    share: float
    cases: int


def judge_noise(
    base: Sequence[Sequence[float]], candidate: Sequence[Sequence[float]]
) -> Noise | None:
    """Return the judge's noise in a paired comparison.

    One-way random effects (R. A. Fisher, 1925): the variance within a case is pooled over all
    trials; a mean over r trials carries 1 / r of it. The share is that of the variance of the
    differences, at most 1.

    Args:
        base: The trials of every case in the baseline.
        candidate: Those of the same cases in the candidate.

    Returns:
        None when no case was judged twice, or there are fewer than two cases.
    """
    squares, freedom = 0.0, 0
    for trials in (*base, *candidate):
        mean = math.fsum(trials) / len(trials)
        squares += math.fsum((x - mean) ** 2 for x in trials)
        freedom += len(trials) - 1
    if not freedom or len(base) < 2:
        return None
    variance = squares / freedom
    carried = math.fsum(
        variance / len(one) + variance / len(other)
        for one, other in zip(base, candidate, strict=True)
    ) / len(base)
    deltas = [
        math.fsum(other) / len(other) - math.fsum(one) / len(one)
        for one, other in zip(base, candidate, strict=True)
    ]
    mean = math.fsum(deltas) / len(deltas)
    spread = math.fsum((d - mean) ** 2 for d in deltas) / (len(deltas) - 1)
    share = min(1.0, carried / spread) if spread > 0 else 0.0
    return Noise(within=math.sqrt(variance), share=share, cases=len(base))
