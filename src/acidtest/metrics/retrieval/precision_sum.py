"""The sum of precision at each hit's rank, which average precision and context precision share."""

import sys

from acidtest.columns.table import Ranked


def precision_sums(ranked: Ranked, k: int | None) -> list[float]:
    """Return for each query the sum over its hits of i / rank_i, in rank order, up to rank k."""
    limit = sys.maxsize if k is None else k
    sums = [0.0] * len(ranked)
    previous = found = -1
    for query, rank in zip(ranked.hits.query, ranked.hits.rank, strict=True):
        if rank <= limit:
            found = found + 1 if query == previous else 1
            previous = query
            sums[query] += found / rank
    return sums
