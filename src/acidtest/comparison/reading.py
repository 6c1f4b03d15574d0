"""What the scores of one case say of its answer: declined, right, faithful, on topic; or not known.

Each reading is True, False or None, with its ground in words. None is never read as good: a score
that is missing, or that an abstaining judge left undecided, decides nothing.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from acidtest.comparison.scores import score_of, value_of
from acidtest.data.answers import Answer
from acidtest.data.outcomes import Score, Skip
from acidtest.data.runs import CaseResult
from acidtest.metrics.declining import declining

FAITHFUL = 0.85
"""From this share of claims that are not unsupported or contradicted an answer counts as faithful."""

UNDECIDED = 0.5
"""Above this share of undecided claims an answer is not called faithful."""

OFF_TOPIC = 0.3
"""Answer relevance at or below this is off topic (the rubric: 0.3 tangential, 0.0 off topic)."""


class Rule(Struct, frozen=True, kw_only=True):
    """When a metric says that an answer is right (from `right`) or wrong (below `wrong`)."""

    metric: str
    right: float
    wrong: float


RIGHT = (
    # An exact match proves an answer right; anything else proves nothing: it may be worded freely.
    Rule(metric="exact_match", right=1.0, wrong=0.0),
    Rule(metric="correctness", right=0.7, wrong=0.7),
    # Claim F1 punishes long right answers: between the two it says "partly" and decides nothing.
    Rule(metric="factual_correctness", right=0.7, wrong=0.4),
    # The same of words: only the ends are clear.
    Rule(metric="token_f1", right=0.6, wrong=0.1),
)
"""In this order; the first that decides holds."""


class Said(Struct, frozen=True):
    """A reading and its ground in words."""

    value: bool | None = None
    why: str = ""


class Reading(Struct, frozen=True, kw_only=True):
    """The answer of one case as its scores show it.

    `support` holds the passages (ranks from 1) that the supported claims rest on; `supported` is how
    many claims are supported, None when claims were not counted.
    """

    answered: bool
    declined: Said
    right: Said
    faithful: Said
    on_topic: Said
    support: frozenset[int] = frozenset()
    supported: float | None = None
    contradicted: float = 0.0


def read_answer(case: CaseResult) -> Reading:
    """Read the scores of a case."""
    score = score_of(case, "faithfulness")
    return Reading(
        answered=case.answer is not None,
        declined=_declined(case),
        right=_right(case),
        faithful=_faithful(case),
        on_topic=_on_topic(case),
        support=_support(score),
        supported=score.parts.get("supported") if score else None,
        contradicted=score.parts.get("contradicted", 0.0) if score else 0.0,
    )


def _declined(case: CaseResult) -> Said:
    score = score_of(case, "abstention_accuracy")
    if score is not None:
        # 1 is "did the right thing": declined exactly when it had to.
        declined = (score.value >= 0.5) != case.answerable
        return Said(declined, score.reason or ("it declined" if declined else "it answered"))
    seen = declining(Answer(case_id=case.id, text=case.answer, abstained=case.abstained))
    return Said() if seen is None else Said(seen.declined, seen.why)


def _right(case: CaseResult) -> Said:
    for rule in RIGHT:
        value = value_of(case, rule.metric)
        if value is not None and (value >= rule.right or value < rule.wrong):
            return Said(value >= rule.right, f"{rule.metric} {value:.2f}")
    return Said(None, _absent(case, *(rule.metric for rule in RIGHT)))


def _faithful(case: CaseResult) -> Said:
    score = score_of(case, "faithfulness")
    if score is not None and score.parts.get("claims"):
        return _faithful_by_claims(score, score.parts["claims"])
    if score is not None:
        return Said(score.value >= FAITHFUL, f"faithfulness {score.value:.2f}")
    for name, cut in (("faithfulness_binary", 1.0), ("faithfulness_score", FAITHFUL)):
        value = value_of(case, name)
        if value is not None:
            return Said(value >= cut, f"{name} {value:.2f}")
    return Said(None, _absent(case, "faithfulness", "faithfulness_binary", "faithfulness_score"))


def _faithful_by_claims(score: Score, claims: float) -> Said:
    counts: Mapping[str, float] = score.parts
    against = counts.get("unsupported", 0.0) + counts.get("contradicted", 0.0)
    undecided = counts.get("undecided", 0.0)
    told = [f"{counts[kind]:.0f} {kind}" for kind in _KINDS if counts.get(kind)]
    noun = "claim" if claims == 1 else "claims"
    if len(score.trials) > 1:  # the counts are those of all trials
        noun += " in all trials"
    why = f"{claims:.0f} {noun}: {', '.join(told)}"
    if 1 - against / claims < FAITHFUL:
        return Said(False, why)
    if undecided / claims > UNDECIDED:
        return Said(None, f"faithfulness is undecided ({why})")
    return Said(True, why)


_KINDS = ("supported", "unsupported", "contradicted", "undecided")


def _on_topic(case: CaseResult) -> Said:
    value = value_of(case, "answer_relevance")
    if value is None:
        return Said(None, _absent(case, "answer_relevance"))
    return Said(value > OFF_TOPIC, f"answer_relevance {value:.2f}")


def _absent(case: CaseResult, *names: str) -> str:
    """Say why none of these metrics tells anything: the first reason given, or that none was run."""
    for name in names:
        outcome = case.scores.get(name)
        if outcome is not None and not isinstance(outcome, Score):
            kind = "does not apply" if isinstance(outcome, Skip) else "failed"
            return f"{name} {kind}: {outcome.why}"
        if isinstance(outcome, Score):
            return f"{name} {outcome.value:.2f} decides nothing"
    return f"{names[-1] if len(names) == 1 else ', '.join(names)} not scored"


def _support(score: Score | None) -> frozenset[int]:
    records: tuple[Any, ...] = score.evidence if score else ()
    return frozenset(
        record["passage"]
        for record in records
        if isinstance(record, dict)
        and record.get("verdict") == "supported"
        and isinstance(record.get("passage"), int)
    )
