"""MRR: how far down the first relevant chunk stands."""

from acidtest.columns.table import Column, Ranked
from acidtest.metrics.declare import label_metric


@label_metric()
def mrr(ranked: Ranked, *, k: int | None = None) -> Column:
    """Reciprocal rank: 1 / rank of the first relevant chunk, 0 without one (within the first k).

    Its mean over queries is the mean reciprocal rank (Voorhees, TREC-8, 1999). trec_eval's
    `recip_rank`.
    """
    values = [0.0] * len(ranked)
    for query, rank in zip(reversed(ranked.hits.query), reversed(ranked.hits.rank), strict=True):
        if k is None or rank <= k:
            values[query] = 1.0 / rank
    return ranked.labelled(values)
