"""Average precision: precision at every relevant chunk's rank, over all relevant chunks."""

from acidtest.columns.table import Column, Ranked, ratio
from acidtest.metrics.declare import label_metric
from acidtest.metrics.retrieval.precision_sum import precision_sums


@label_metric()
def map(ranked: Ranked, *, k: int | None = None) -> Column:  # noqa: A001 - the measure's name
    """Sum of precision at the rank of every relevant chunk found, over the number relevant.

    sum_i (i / rank_i) / relevant, with the i-th hit at rank_i; hits beyond k are left out where k is
    given. Its mean over queries is MAP (Buckley and Voorhees, SIGIR 2000). trec_eval's `map` and
    `map_cut_k`.
    """
    return ratio(precision_sums(ranked, k), ranked.relevant)
