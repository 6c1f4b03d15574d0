"""Which metrics say something of an answer that nobody labelled: those that live traffic can be scored with."""

from acidtest.metrics.declare import LabelMetric, Metric

_LABELS = frozenset({"reference", "evidence"})


def reference_free(metric: Metric) -> bool:
    """Say whether a metric needs no labels, reference or evidence: question, contexts and answer will do."""
    if isinstance(metric, LabelMetric) or metric.labelled:
        return False
    return _LABELS.isdisjoint(metric.needs)
