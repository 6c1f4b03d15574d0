"""Faithfulness as a yes or no: is every claim of the answer supported?

It asks the judge exactly what `faithfulness` asks, so that one call serves both. All or nothing is how attribution
is rated by people (AIS: Rashkin et al. 2023, "Measuring Attribution in Natural Language Generation Models").
"""

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.claims import Ruling, parts
from acidtest.metrics.declare import metric
from acidtest.metrics.generation.faithfulness import FAITHFULNESS, Calls, faithfulness
from acidtest.ports import Judge


@metric(stage="generation", prompt=FAITHFULNESS)
async def faithfulness_binary(
    question: str, text: str, chunks: tuple[Chunk, ...], judge: Judge, *, calls: Calls = "one"
) -> Outcome:
    """Return 1.0 when every claim of the answer is supported, else 0.0.

    One unsupported or contradicted claim decides for 0.0. Where no claim is against it but the judge
    left one open, the answer is undecided and skipped. In `parts` the whole answer is the one claim.

    Args:
        question: What was asked.
        text: The answer.
        chunks: What was retrieved, in order.
        judge: Who rules on the claims.
        calls: As for `faithfulness`.

    Raises:
        JudgeError: No usable reply could be had.
    """
    graded = await faithfulness(question, text, chunks, judge, calls=calls)
    if isinstance(graded, Skip) and graded.parts:
        return Skip(graded.why, parts(["undecided"]))
    if not isinstance(graded, Score):
        return graded
    counts = graded.parts
    if graded.value == 1.0 and counts["undecided"]:
        why = f"undecided: the judge left {counts['undecided']:.0f} of {counts['claims']:.0f} claims open"
        return Skip(why, parts(["undecided"]))
    against: tuple[Ruling, ...] = ("contradicted", "unsupported")
    verdict: Ruling = next((ruling for ruling in against if counts[ruling]), "supported")
    return Score(
        float(verdict == "supported"),
        reason=graded.reason,
        evidence=graded.evidence,
        parts=parts([verdict]),
    )
