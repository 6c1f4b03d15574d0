"""Context precision: whether the relevant chunks stand above the irrelevant ones."""

from acidtest.columns.table import Column, Ranked
from acidtest.metrics.declare import label_metric
from acidtest.metrics.retrieval.precision_sum import precision_sums


@label_metric()
def context_precision(ranked: Ranked, *, k: int | None = None) -> Column:
    """Mean of precision at each hit's rank, over the hits found (within the first k).

    sum_i (i / rank_i) / found; 0 when nothing relevant came back. What Ragas calls context
    precision, from labels: unlike `map` it divides by the hits found, not by all that are relevant.
    """
    pairs = zip(precision_sums(ranked, k), ranked.found(k), strict=True)
    return ranked.labelled([total / found if found else 0.0 for total, found in pairs])
