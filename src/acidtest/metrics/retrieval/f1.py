"""F1: the harmonic mean of precision and recall."""

from acidtest.columns.table import Column, Ranked
from acidtest.metrics.declare import label_metric
from acidtest.metrics.retrieval.precision import precision
from acidtest.metrics.retrieval.recall import recall


@label_metric()
def f1(ranked: Ranked, *, k: int | None = None) -> Column:
    """Harmonic mean of precision and recall, of precision@k and recall@k where k is given.

    2 P R / (P + R); 0 when nothing relevant came back. trec_eval's `set_F` (beta 1).
    """
    pairs = zip(precision.column(ranked, k=k), recall.column(ranked, k=k), strict=True)
    return [
        None if p is None or r is None else 2.0 * p * r / (r + p) if p else 0.0 for p, r in pairs
    ]
