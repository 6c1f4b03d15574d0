"""Exact match: is the answer the reference, but for case, punctuation and articles?

The measure of SQuAD (Rajpurkar et al. 2016) for short answers; a full sentence hardly ever matches.
"""

from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.text.citations import uncited
from acidtest.text.squad import normalise


@metric(stage="end_to_end", unanswerable=False)
def exact_match(text: str, reference: str) -> Outcome:
    """Return 1.0 when answer and reference are equal after SQuAD's normalisation, else 0.0.

    Citation markers (`[1]`) are left out on both sides: they cite, they do not answer. An empty answer
    matches nothing: 0.0. An empty reference is no reference: skipped.

    Args:
        text: The answer.
        reference: The expected answer.
    """
    if not reference.strip():
        return Skip("the reference is empty")
    if not text.strip():
        return Score(0.0, "the answer is empty")
    equal = normalise(uncited(text)) == normalise(uncited(reference))
    return Score(float(equal), "equal" if equal else "differs from the reference")
