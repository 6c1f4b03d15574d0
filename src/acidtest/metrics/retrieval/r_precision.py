"""R-precision: precision at the rank where a perfect ranking would end."""

from acidtest.columns.table import Column, Ranked, ratio
from acidtest.metrics.declare import label_metric


@label_metric()
def r_precision(ranked: Ranked) -> Column:
    """Share of the first R chunks that are relevant, R being the number of relevant chunks.

    trec_eval's `Rprec`.
    """
    found = [0] * len(ranked)
    for query, rank in zip(ranked.hits.query, ranked.hits.rank, strict=True):
        if rank <= ranked.relevant[query]:
            found[query] += 1
    return ratio(found, ranked.relevant)
