"""Bpref: how often a judged irrelevant chunk stands above a relevant one."""

from bisect import bisect_left

from acidtest.columns.table import Column, Ranked, ratio
from acidtest.metrics.declare import label_metric


@label_metric()
def bpref(ranked: Ranked) -> Column:
    """Binary preference, for labels that do not cover the whole corpus.

    sum over hits of 1 - min(above, R) / min(N, R), over R; R relevant and N judged not relevant,
    `above` the judged irrelevant chunks ranked above the hit. Chunks without a judgement do not
    count (Buckley and Voorhees, SIGIR 2004). trec_eval's `bpref`.
    """
    above = list(zip(ranked.rejected.query, ranked.rejected.rank, strict=True))
    starts = {query: at for at, (query, _) in reversed(list(enumerate(above)))}
    sums = [0.0] * len(ranked)
    for query, rank in zip(ranked.hits.query, ranked.hits.rank, strict=True):
        start = starts.get(query)
        worse = bisect_left(above, (query, rank)) - start if start is not None else 0
        relevant, nonrelevant = ranked.relevant[query], ranked.nonrelevant[query]
        if worse > 0:
            sums[query] += 1.0 - min(worse, relevant) / min(nonrelevant, relevant)
        else:
            sums[query] += 1.0
    return ratio(sums, ranked.relevant)
