"""Scoring one case with one metric: whether it applies, and what it gives.

The order matters. First whether the metric applies to the case at all (`Skip`), then whether the
pipeline did its part (`Failure`), then whether what the metric needs is there, then the metric.
"""

import inspect
import traceback
from collections.abc import Sequence
from typing import Any

import msgspec

from acidtest.columns.place import from_rankings
from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import LARGEST, Failure, Outcome, Score, Skip
from acidtest.data.ranges import inside, range_of
from acidtest.data.terms import Mode
from acidtest.errors import OutsideError
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import LabelMetric
from acidtest.ports import Embedder, Judge
from acidtest.run.plan import Unanswerable

_KEPT = 8_000
"""Characters of a traceback that are kept."""

COUNTED_AS = {"recall": 1.0, "precision": 0.0}
"""With `unanswerable = "one"`: nothing was to be found, so nothing was missed, and nothing was right."""


async def score(
    bound: Bound,
    case: Case,
    answer: Answer,
    *,
    mode: Mode,
    judge: Judge | None,
    embedder: Embedder | None,
    unanswerable: Unanswerable,
    fed: bool = False,
) -> Outcome:
    """Return the outcome of a metric on a case; never raises `OutsideError`, never gives NaN.

    `fed` says that the contexts of golden-context mode are not the known-relevant chunks.
    """
    why = _not_applicable(bound, case, mode, unanswerable, fed)
    if why is not None:
        return Skip(why)
    if answer.failure is not None and not _retrieved_before_it_failed(bound, case, answer):
        return Failure(f"the pipeline failed: {answer.failure.why}")
    if isinstance(bound.metric, LabelMetric):
        return _label_score(bound, case, answer)
    try:
        arguments = _needs(bound, case, answer, judge, embedder)
        if isinstance(arguments, Skip):
            return arguments
        return await _called(bound, arguments)
    except OutsideError as error:
        if error.ends_run:
            raise
        return Failure(str(error), detail=error.detail)


async def _called(bound: Bound, arguments: list[Any]) -> Outcome:
    ours = bound.metric.fn.__module__.partition(".")[0] == "acidtest"
    try:
        outcome = bound.metric.fn(*arguments, **bound.values)
        if inspect.isawaitable(outcome):
            outcome = await outcome
        if not ours:
            msgspec.json.encode(outcome)  # what cannot be stored is no outcome
    except OutsideError:
        raise
    except Exception as error:
        if ours:
            raise  # a bug of ours stops the run; what is stored lets it go on
        trace = "".join(traceback.format_exception(error))[-_KEPT:]
        return Failure(f"metric {bound.name!r} raised {type(error).__name__}: {error}", trace)
    return _checked(bound, outcome)


def _not_applicable(
    bound: Bound,
    case: Case,
    mode: Mode,
    unanswerable: Unanswerable,
    fed: bool,  # noqa: FBT001 - handed on
) -> str | None:
    metric = bound.metric
    label = isinstance(metric, LabelMetric)
    given = mode == "golden-context"
    counted = unanswerable == "one" and metric.name in COUNTED_AS
    must_abstain = not case.answerable and not metric.unanswerable and not counted
    reasons = (
        (given and metric.stage == "retrieval", "golden-context: the contexts were given"),
        (
            given and not fed and case.answerable and not case.evidence,
            "golden-context needs evidence text, and the case has none",
        ),
        (
            mode == "retrieval-only" and metric.stage != "retrieval",
            "retrieval-only: no answer was asked for",
        ),
        (label and case.labels is None, "the case has no labels"),
        (must_abstain, "the case must abstain: nothing is relevant to it"),
        ("reference" in metric.needs and case.reference is None, "the case has no reference"),
        ("evidence" in metric.needs and not case.evidence, "the case has no evidence text"),
    )
    return next((why for applies, why in reasons if applies), None)


def _retrieved_before_it_failed(bound: Bound, case: Case, answer: Answer) -> bool:
    metric = bound.metric
    by_reference = metric.answer_optional and case.reference is not None
    needs_answer = not {"text", "answer"}.isdisjoint(metric.needs) and not by_reference
    return answer.retrieved is not None and metric.stage == "retrieval" and not needs_answer


def _label_score(bound: Bound, case: Case, answer: Answer) -> Outcome:
    metric = bound.metric
    if not isinstance(metric, LabelMetric):
        raise TypeError(metric)
    chunks = answer.retrieved if bound.of == "retrieved" else answer.candidates
    if chunks is None:
        what = "what it retrieved" if bound.of == "retrieved" else "its first-stage candidates"
        return Skip(f"the pipeline does not say {what}")
    if not case.answerable:
        return Score(COUNTED_AS[metric.name], "the case must abstain: counted so by setting")
    ids = ranking(case, chunks)
    if ids is None:
        return Skip(f"the {bound.of} chunks have no ids")
    value = metric.fn(from_rankings([ids], [case.labels]), **bound.values)[0]
    if value is None:
        return Skip("no label has a grade above 0")
    return Score(value)


def ranking(case: Case, chunks: Sequence[Chunk]) -> list[str] | None:
    """Return the ids that the case's labels speak of, best first.

    With document labels several chunks of one document count once, at the best rank. None when the
    chunks have no such ids.
    """
    by_document = case.relevant is None
    ids = [chunk.doc_id if by_document else chunk.id for chunk in chunks]
    if ids and all(i is None for i in ids):
        return None
    # A chunk without an id among others that have one keeps its rank and can match nothing.
    named = [i if i is not None else f"\0unnamed:{n}" for n, i in enumerate(ids)]
    return list(dict.fromkeys(named))


def _needs(
    bound: Bound, case: Case, answer: Answer, judge: Judge | None, embedder: Embedder | None
) -> list[Any] | Skip:
    given: dict[str, Any] = {
        "case": case,
        "answer": answer,
        "question": case.question,
        "text": answer.text,
        "chunks": answer.retrieved,
        "reference": case.reference,
        "evidence": case.evidence,
        "judge": judge,
        "embedder": embedder,
    }
    missing = {
        "text": "the pipeline gave no answer",
        "chunks": "the pipeline does not say what it retrieved",
    }
    arguments = []
    for need in bound.metric.needs:
        if given[need] is None:
            return Skip(missing[need])
        arguments.append(given[need])
    return arguments


def _checked(bound: Bound, outcome: object) -> Outcome:
    if isinstance(outcome, Skip | Failure):
        return outcome
    if isinstance(outcome, bool | int | float):
        # An own metric may return a plain number.
        outcome = Score(float(outcome))
    if not isinstance(outcome, Score):
        return Failure(
            f"metric {bound.name!r} returned {type(outcome).__name__}, not a Score, Skip or Failure"
        )
    if not all(-LARGEST <= x <= LARGEST for x in (outcome.value, *outcome.parts.values())):
        return Failure(
            f"metric {bound.name!r} returned {outcome.value}, or parts, that are no number or too large"
        )
    known = range_of(bound.name)
    if known is not None and not inside(outcome.value, known):
        # Only another's metric under a name of ours can: its runs could not be read again.
        return Failure(
            f"metric {bound.name!r} returned {outcome.value:g}; one of this name is from {known[0]:g} to "
            f"{known[1]:g}: give it another name"
        )
    return outcome
