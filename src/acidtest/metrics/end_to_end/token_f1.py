"""Token F1: how many words answer and reference share.

The measure of SQuAD (Rajpurkar et al. 2016): the harmonic mean of the share of the answer's tokens that
the reference has and the share of the reference's that the answer has. It knows no synonyms, and a long
correct answer to a short reference scores low.
"""

from collections import Counter

from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.text.citations import uncited
from acidtest.text.squad import tokens


@metric(stage="end_to_end", unanswerable=False)
def token_f1(text: str, reference: str) -> Outcome:
    """Return `2 * p * r / (p + r)` over SQuAD tokens, in 0..1.

    With `same` tokens in common (each as often as both have it), `p = same / answer tokens`,
    `r = same / reference tokens`. When one side has no token after normalisation (a lone article or
    punctuation), 1.0 if both have none, else 0.0, as the official script has it. Beyond that script,
    Chinese, Japanese and Thai are compared by character, and citation markers (`[1]`) are left out.

    Args:
        text: The answer; empty scores 0.0.
        reference: The expected answer; an empty one is skipped.
    """
    if not reference.strip():
        return Skip("the reference is empty")
    if not text.strip():
        return Score(0.0, "the answer is empty")
    answer, expected = Counter(tokens(uncited(text))), Counter(tokens(uncited(reference)))
    n, m = answer.total(), expected.total()
    same = (answer & expected).total()
    parts: dict[str, float] = {"same": same, "answer_tokens": n, "reference_tokens": m}
    if not n or not m:
        return Score(float(n == m), "no token is left after normalisation", parts=parts)
    # 2pr / (p + r) with p = same/n and r = same/m, in one exact division
    return Score(
        2 * same / (n + m),
        f"{same} tokens in common of {n} in the answer and {m} in the reference",
        parts=parts,
    )
