"""The scores of one of promptfoo's results, and whether its provider failed."""

from collections.abc import Iterator

from acidtest.codec.rows.row import Row
from acidtest.data.outcomes import Failure, MetricSpec, Outcome
from acidtest.formats.scores import named, number_of, outcome, spec

_ERROR = 2
"""promptfoo's reason of failure where the provider, not an assertion, is at fault."""

_JUDGED = (
    "rubric",
    "factuality",
    "relevance",
    "faithfulness",
    "context-",
    "g-eval",
    "model-graded",
)


def failed(row: Row) -> Failure | None:
    """Return the provider's error, where it, and no assertion, is at fault."""
    values = row.values
    response = values.get("response")
    error = values.get("error")
    inner = response.get("error") if isinstance(response, dict) else None
    silent = not isinstance(response, dict) or response.get("output") is None
    if values.get("failureReason") == _ERROR or inner or (silent and error):
        lines = str(inner or error or "an error without a message").strip().splitlines()
        return Failure(lines[0][:1000], "\n".join(lines)[:20_000] if len(lines) > 1 else None)
    return None


def scores_of(row: Row, specs: dict[str, MetricSpec]) -> Iterator[tuple[str, Outcome]]:
    """Give each score of a result, and note its metric."""
    values = row.values
    failure = failed(row)
    grading = values.get("gradingResult")
    reason = str(grading.get("reason") or "") if isinstance(grading, dict) else ""
    given: dict[str, Outcome] = {
        "score": failure or outcome(values.get("score"), reason=reason),
        "pass": failure or outcome(values.get("success"), reason=reason),
    }
    if failure is None:
        inner = values.get("namedScores")
        for name, value in (inner if isinstance(inner, dict) else {}).items():
            given[str(name)] = outcome(value)
        for name, found in _components(grading).items():
            given.setdefault(name, found)
    for name, found in given.items():
        told = specs.setdefault(named("promptfoo", name), _spec(name))
        yield told.name, found


def _spec(name: str) -> MetricSpec:
    return spec("promptfoo", name, judged=any(mark in name for mark in _JUDGED))


def _components(grading: object) -> dict[str, Outcome]:
    parts: dict[str, list[float]] = {}
    broken: dict[str, Outcome] = {}
    reasons: dict[str, str] = {}
    listed = grading.get("componentResults") if isinstance(grading, dict) else None
    for part in listed if isinstance(listed, list) else ():
        if not isinstance(part, dict):
            continue
        inner = part.get("namedScores") or part.get("named_scores")
        scores = dict(inner) if isinstance(inner, dict) else {}
        told = part.get("assertion")
        if not scores and isinstance(told, dict):
            scores = {str(told.get("metric") or told.get("type")): part.get("score")}
        metadata = part.get("metadata")
        unjudged = isinstance(metadata, dict) and metadata.get("graderError") is True
        for name, value in scores.items():
            number = number_of(value)
            if unjudged:  # promptfoo writes 0 there
                broken[str(name)] = Failure("the grader failed", str(part.get("reason"))[:4000])
            elif number is not None:
                parts.setdefault(str(name), []).append(number)
                reasons.setdefault(str(name), str(part.get("reason") or ""))
    return broken | {
        name: outcome(sum(numbers) / len(numbers), reason=reasons[name])
        for name, numbers in parts.items()
        if name not in broken
    }
