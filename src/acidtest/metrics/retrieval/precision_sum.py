"""The sum of precision at each hit's rank, which average precision and context precision share."""

import math

from acidtest.columns import Ranked


def precision_sums(ranked: Ranked, k: int | None) -> list[float]:
    """Return for each query the sum over its hits of i / rank_i, in rank order, up to rank k."""
    limit = math.inf if k is None else k
    sums = [0.0] * len(ranked)
    seen = [0] * len(ranked)
    for query, rank in zip(ranked.hits.query, ranked.hits.rank, strict=True):
        if rank <= limit:
            seen[query] += 1
            sums[query] += seen[query] / rank
    return sums
