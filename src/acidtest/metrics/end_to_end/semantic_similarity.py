"""Semantic similarity: how near the answer's meaning is to the reference's, by their embeddings.

No judge, one embedding call. It knows paraphrase and no truth: "open on Sundays" and "closed on Sundays"
are near. Compare it between pipelines with one embedder; its scale is the embedder's own. (Ragas has it as
answer similarity; it is the bi-encoder form of SAS, Risch et al. 2021, arXiv:2108.06130.)
"""

from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.metrics.vectors import embedded, nearness
from acidtest.ports import Embedder
from acidtest.text.refusal import declined


@metric(stage="end_to_end", unanswerable=False)
async def semantic_similarity(text: str, reference: str, embedder: Embedder) -> Outcome:
    """Return the cosine of the vectors of answer and reference, in 0..1.

    `max(0, cos(answer, reference))`. An answer that is empty or declines says nothing of what the
    reference says: 0.0, and nothing is embedded. An empty or declining reference is skipped.

    Args:
        text: The answer.
        reference: The expected answer.
        embedder: Who turns texts into vectors.

    Raises:
        OutsideError: The embedder failed, or gave vectors that cannot be compared.
    """
    if not reference.strip():
        return Skip("the reference is empty")
    if declined(reference).declined:
        return Skip("the reference declines: it states nothing")
    if not text.strip():
        return Score(0.0, "the answer is empty")
    if declined(text).declined:
        return Score(0.0, "the answer declines where there is an answer")
    answer, expected = await embedded(embedder, [text, reference])
    return Score(nearness(answer, expected), "cosine of answer and reference")
