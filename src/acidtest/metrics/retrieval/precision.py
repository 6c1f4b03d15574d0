"""Precision: the share of what was retrieved that is relevant."""

from acidtest.columns.table import Column, Ranked
from acidtest.metrics.declare import label_metric


@label_metric()
def precision(ranked: Ranked, *, k: int | None = None) -> Column:
    """Share of the retrieved chunks that are relevant; with k, over k even if fewer came back.

    found / retrieved (0 when nothing came back), or found within the first k / k. trec_eval's
    `set_P` and `P_k`.
    """
    if k is not None:
        return ranked.labelled([found / k for found in ranked.found(k)])
    pairs = zip(ranked.found(), ranked.retrieved, strict=True)
    return ranked.labelled([found / n if n else 0.0 for found, n in pairs])
