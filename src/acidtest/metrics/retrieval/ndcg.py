"""nDCG: graded relevance, discounted by rank, against the best possible order."""

import math
from collections.abc import Sequence
from typing import Literal

from acidtest.columns.table import Column, Ranked, ratio
from acidtest.errors import UsageError
from acidtest.metrics.declare import label_metric

Gain = Literal["linear", "exp"]


@label_metric()
def ndcg(ranked: Ranked, *, k: int | None = None, gain: Gain = "linear") -> Column:
    """Normalised discounted cumulative gain, within the first k where k is given.

    sum of gain / log2(rank + 1) over the chunks that came back, over the same sum of the ideal
    order of all labels. The gain is the grade (`linear`; Järvelin and Kekäläinen, TOIS 2002) or
    2^grade - 1 (`exp`; Burges et al., ICML 2005). Every positive grade counts, whatever the level.
    trec_eval's `ndcg` and `ndcg_cut_k`.
    """
    places, distinct = ranked.graded, ranked.patterns.distinct
    deepest = max(max(places.rank, default=0), max(map(len, distinct), default=0))
    last = deepest if k is None else min(k, deepest)
    discounts = [math.log2(rank + 1) for rank in range(last + 1)]
    sums = [0.0] * len(ranked)
    for query, rank, value in zip(
        places.query, places.rank, _gains(places.grade, gain), strict=True
    ):
        if rank <= last:
            sums[query] += value / discounts[rank]
    by_rank = discounts[1:]
    best = [_ideal(_gains(grades, gain), by_rank) for grades in distinct]
    return ratio(sums, ranked.patterns.spread(best))


def _ideal(gains: Sequence[float], discounts: Sequence[float]) -> float:
    total = 0.0
    for value, discount in zip(gains, discounts, strict=False):
        if value <= 0:
            break
        total += value / discount
    return total


def _gains(grades: Sequence[int], gain: Gain) -> Sequence[float]:
    if gain == "linear":
        return grades
    if gain != "exp":
        raise UsageError(f"the gain is {gain!r}", where="ndcg", fix="It is linear or exp.")
    try:
        return [2.0**grade - 1.0 for grade in grades]
    except OverflowError:
        raise UsageError(
            f"a grade of {max(grades)} has no exponential gain",
            where="ndcg",
            fix="Use grades up to 1023, or gain=linear.",
        ) from None
