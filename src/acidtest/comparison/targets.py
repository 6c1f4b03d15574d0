"""Targets: what a run is held against, in which order, and how high its labels let it reach.

The order is that of a diagnosis: coverage first, since nothing below counts for much while the right
chunk is not retrieved; then noise, grounding, and the answer itself.
"""

from collections.abc import Mapping
from statistics import fmean

from acidtest.comparison.scores import base_name
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run

DEFAULT_TARGETS: Mapping[str, float] = {
    "recall@5": 0.90,
    "precision@5": 0.70,
    "faithfulness": 0.85,
    "answer_relevance": 0.80,
    "context_usefulness": 0.60,
}
"""Held against every run that has these metrics; at least this much meets the target."""

COVERAGE = ("recall", "hit", "token_recall", "semantic_recall", "context_recall")
"""Metrics of coverage: below their target the lines under them are not to be trusted yet."""

TOLERANCE = 1e-9

_ORDER = (
    *COVERAGE,
    *("precision", "context_precision", "context_precision_judged", "f1"),
    *("mrr", "map", "ndcg", "r_precision", "bpref"),
    *("faithfulness", "faithfulness_binary", "faithfulness_score", "grounding_leak"),
    *("citation_validity", "citation_precision", "citation_recall"),
    *("answer_relevance", "answer_relevancy"),
    *("context_usefulness", "context_relevance"),
    *("correctness", "factual_correctness", "exact_match", "token_f1", "semantic_similarity"),
    *("abstention_accuracy", "abstention_precision", "abstention_recall"),
)


def targets_of(run: Run, given: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the targets that apply to a run, in reading order.

    Args:
        run: The run; default targets apply to the metrics that it has.
        given: The user's own: they override and extend the defaults, and stay even when the run
            lacks the metric, so that it is seen to be missing.
    """
    chosen = {name: x for name, x in DEFAULT_TARGETS.items() if name in run.metrics}
    chosen |= given or {}
    return dict(sorted(chosen.items(), key=lambda item: _place(item[0])))


def _place(metric: str) -> tuple[int, str]:
    base = base_name(metric)
    return (_ORDER.index(base) if base in _ORDER else len(_ORDER)), metric


def ceiling_of(run: Run, metric: str) -> float | None:
    """Return the best mean that the labels allow, or None where they allow 1.

    With R relevant chunks a case can reach at most min(R, k) / k in `precision@k`, min(R, k) / R in
    `recall@k`, and min(R, n) / n in `precision` over n retrieved chunks. The mean is over the cases
    that the metric scored.
    """
    bounds = [
        best
        for case in run.cases
        if isinstance(case.scores.get(metric), Score)
        and (best := _bound(metric, _relevant(case), _retrieved(case))) is not None
    ]
    if not bounds:
        return None
    best = fmean(bounds)
    return best if best < 1.0 - TOLERANCE else None


def _bound(metric: str, relevant: int, retrieved: int) -> float | None:
    """Return the best value of one case; None where labels set no bound."""
    base, _, cut = metric.partition("@")
    k = int(cut) if cut.isdecimal() and int(cut) > 0 else None
    if not relevant:
        return None
    if base == "precision" and (k or retrieved):
        n = k or retrieved
        return min(relevant, n) / n
    if base == "recall" and k:
        return min(relevant, k) / relevant
    return None


def _relevant(case: CaseResult) -> int:
    labels = case.relevant if case.relevant is not None else case.relevant_docs
    return sum(grade > 0 for grade in (labels or {}).values())


def _retrieved(case: CaseResult) -> int:
    """Count as the metrics do: an id (or document, for document labels) that comes twice is one."""
    by_document = case.relevant is None
    chunks = case.retrieved or ()
    named = [chunk.doc_id if by_document else chunk.id for chunk in chunks]
    return len({name for name in named if name is not None}) + named.count(None)
