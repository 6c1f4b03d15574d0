"""Semantic recall: how near what was retrieved comes to each piece of evidence, by embeddings.

The embedding form of `token_recall`: it needs no ids and forgives other wording, for the price of one
embedding call. Its scale is the embedder's own, so set floors by what your sets give. The best match of each piece,
averaged, is the recall of BERTScore (Zhang et al. 2020, arXiv:1904.09675), with passages in the place of tokens.
"""

from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.asking import without_text
from acidtest.metrics.declare import metric
from acidtest.metrics.vectors import embedded, nearness
from acidtest.ports import Embedder


@metric(stage="retrieval", unanswerable=False)
async def semantic_recall(
    chunks: tuple[Chunk, ...], evidence: tuple[Evidence, ...], embedder: Embedder
) -> Outcome:
    """Return the mean, over the pieces of evidence, of the nearest chunk's cosine, in 0..1.

    `1/|E| * sum over e in E of max over chunks c of max(0, cos(e, c))`. Blank pieces and blank chunks
    are left out. A text that comes twice is embedded once. Nothing retrieved: 0.0.

    Args:
        chunks: What was retrieved, in order.
        evidence: The text of the relevant chunks.
        embedder: Who turns texts into vectors.

    Raises:
        OutsideError: The embedder failed, or gave vectors that cannot be compared.
    """
    pieces = [piece for piece in evidence if piece.text.strip()]
    if not pieces:
        return Skip("the case has no evidence text")
    if without_text(chunks):
        return Skip("the retrieved chunks came without text")
    ranked = [(n, c.text) for n, c in enumerate(chunks, start=1) if c.text and c.text.strip()]
    if not ranked:
        return Score(0.0, "the contexts are empty" if chunks else "nothing was retrieved")
    vectors = await embedded(embedder, [*(p.text for p in pieces), *(text for _, text in ranked)])
    wanted, have = vectors[: len(pieces)], vectors[len(pieces) :]
    near = [[nearness(piece, chunk) for chunk in have] for piece in wanted]
    best = [max(row) for row in near]
    worst = min(range(len(best)), key=best.__getitem__)
    return Score(
        sum(best) / len(best),
        f"the nearest chunk to the least covered of {len(best)} pieces of evidence has {best[worst]:.2f}",
        evidence=tuple(
            {"chunk_id": piece.chunk_id, "similarity": x, "rank": ranked[row.index(x)][0]}
            for piece, x, row in zip(pieces, best, near, strict=True)
        ),
    )
