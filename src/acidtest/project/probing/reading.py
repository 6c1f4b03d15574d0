"""From a judge's reply to the worth of the units that a case has of itself, 1 the best and 0 the worst.

A sentence is worth what its worst claim is, so that splitting it otherwise changes nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

from acidtest.metrics.claims import Claims
from acidtest.metrics.contexts.context_relevance import GRADES, TOP, Grades
from acidtest.metrics.contexts.context_usefulness import Usefulnesses
from acidtest.metrics.contexts.reference_in_contexts import ReferenceInContexts
from acidtest.metrics.end_to_end.correctness import ANCHORS as CORRECT
from acidtest.metrics.end_to_end.correctness import Correctness
from acidtest.metrics.end_to_end.factual_correctness import BothWays
from acidtest.metrics.generation.answer_relevance import ANCHORS as RELEVANT
from acidtest.metrics.generation.answer_relevance import Relevance

OPEN = 0.5
"""The worth of what is left open, or of a sentence that is said to claim nothing: it drops out of the
score, which is better than a bad verdict and worse than a good one."""

Worths = tuple[float, ...]
Read = Callable[[Any], Worths]


def of_claims(reply: Claims) -> Worths:
    """Return the worth of the first sentence."""
    return (_sentence(reply.sentences),)


def of_both_ways(reply: BothWays) -> Worths:
    """Return the worth of the first sentence of either text."""
    return _sentence(reply.points), _sentence(reply.sentences)


def of_reference(passage: int) -> Read:
    """Read the first sentence and one passage."""

    def read(reply: ReferenceInContexts) -> Worths:
        said = next(p.verdict for p in reply.passages if p.passage_id == passage)
        return _sentence(reply.sentences), {"relevant": 1.0, "irrelevant": 0.0}.get(said, OPEN)

    return read


def of_usefulness(reply: Usefulnesses) -> Worths:
    """Return the worth of the only passage."""
    return ({"useful": 1.0, "useless": 0.0}.get(reply.passages[0].verdict, OPEN),)


def of_relevance(passage: int) -> Read:
    """Read the grade of one passage."""

    def read(reply: Grades) -> Worths:
        said = next(p.verdict for p in reply.passages if p.passage_id == passage)
        return (GRADES[said] / TOP if said in GRADES else OPEN,)

    return read


def of_correctness(reply: Correctness) -> Worths:
    """Return the anchor of the verdict."""
    return (CORRECT.get(reply.verdict, OPEN),)


def of_answer(reply: Relevance) -> Worths:
    """Return the anchor of the verdict."""
    return (RELEVANT.get(reply.verdict, OPEN),)


def _sentence(sentences: Sequence[Any]) -> float:
    claims = next(s.claims for s in sentences if s.sentence == 1)
    rulings = {claim.verdict for claim in claims}
    if rulings & {"unsupported", "contradicted"}:
        return 0.0
    return 1.0 if rulings == {"supported"} else OPEN
