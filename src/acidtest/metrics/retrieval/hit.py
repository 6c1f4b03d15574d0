"""Hit: whether anything relevant came back at all."""

from acidtest.columns.table import Column, Ranked
from acidtest.metrics.declare import label_metric


@label_metric()
def hit(ranked: Ranked, *, k: int | None = None) -> Column:
    """1 if at least one relevant chunk came back (within the first k where k is given), else 0.

    Also called hit rate or success. trec_eval's `success_k`.
    """
    return ranked.labelled([1.0 if found else 0.0 for found in ranked.found(k)])
