"""Which values a metric can have, as far as its name tells: a name of ours is an identity."""

import re

Range = tuple[float, float]
"""The lowest and the highest value."""

SHARE: Range = (0.0, 1.0)

OURS = frozenset(
    {
        *("abstention_accuracy", "abstention_precision", "abstention_recall"),
        *("answer_relevance", "answer_relevancy", "bpref"),
        *("citation_precision", "citation_recall", "citation_validity"),
        *("context_precision", "context_precision_judged", "context_recall", "context_relevance"),
        *("context_usefulness", "correctness", "exact_match"),
        *("f1", "factual_correctness", "faithfulness"),
        *("faithfulness_binary", "faithfulness_score", "grounding_leak"),
        *("hit", "map", "mrr"),
        *("ndcg", "noise_sensitivity", "precision"),
        *("r_precision", "recall", "semantic_recall"),
        *("semantic_similarity", "token_f1", "token_recall"),
    }
)
"""The metrics of this package, all of which lie from 0 to 1."""

SLACK = 1e-9
"""By so much a mean may leave its range: sums are rounded."""


def range_of(metric: str) -> Range | None:
    """Return the range of a metric of ours, with its settings or without; None for any other name."""
    head = re.split(r"[@(]", metric, maxsplit=1)[0]
    return SHARE if head in OURS else None


def within(metric: str, change: float | None) -> float | None:
    """Return a change that a metric can make; None for one that is wider than its whole range."""
    bounds = range_of(metric)
    if change is None or bounds is None or change <= bounds[1] - bounds[0]:
        return change
    return None


def inside(value: float, bounds: Range) -> bool:
    """Say whether a value lies in a range, but for rounding."""
    return bounds[0] - SLACK <= value <= bounds[1] + SLACK
