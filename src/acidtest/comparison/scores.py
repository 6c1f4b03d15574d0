"""Looking scores up in a case by the metric's plain name, whatever its settings."""

from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult


def base_name(metric: str) -> str:
    """Return the name without settings and cut-off: `recall` for `recall@5`."""
    return metric.partition("@")[0].partition("(")[0]


def score_of(case: CaseResult, name: str) -> Score | None:
    """Return the score of a metric: the exact name first, else the first with its base name."""
    outcome = case.scores.get(name)
    if isinstance(outcome, Score):
        return outcome
    for metric, other in case.scores.items():
        if isinstance(other, Score) and base_name(metric) == name:
            return other
    return None


def value_of(case: CaseResult, name: str) -> float | None:
    """Return the value of a metric, or None when it was not scored."""
    score = score_of(case, name)
    return None if score is None else score.value
