"""Recall: the share of the relevant chunks that the ranking found."""

from acidtest.columns.table import Column, Ranked, ratio
from acidtest.metrics.declare import label_metric


@label_metric()
def recall(ranked: Ranked, *, k: int | None = None) -> Column:
    """Share of the relevant chunks that came back, within the first k where k is given.

    found / relevant. trec_eval's `set_recall` and `recall_k`.
    """
    return ratio(ranked.found(k), ranked.relevant)
