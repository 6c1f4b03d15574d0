"""Token recall: how much of the evidence's wording is somewhere in what was retrieved.

It needs no ids, so it survives re-chunking and works with retrievers that return bare text; it costs
no judge. A floor of 0.80 is usual in continuous integration. It says that the words are there, not that
they stand together.
"""

import re
from collections import Counter
from collections.abc import Iterator

from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.text.words import characters, unspaced

_TOKEN = re.compile(r"\w+")
_MISSING = 10  # words shown of what a piece of evidence lacks


@metric(stage="retrieval", unanswerable=False)
def token_recall(chunks: tuple[Chunk, ...], evidence: tuple[Evidence, ...]) -> Outcome:
    r"""Return found tokens / evidence tokens, in 0..1.

    For each evidence chunk apart, every token counts as often as it occurs there, but at most as often
    as it occurs in all retrieved text together:
    `sum over evidence e, tokens t of min(count(t, e), count(t, retrieved))` over
    `sum over e, t of count(t, e)`. Tokens are lower-cased `\w+`; in scripts that write no spaces they
    are cut into letters. A retrieved chunk whose id comes twice counts once. Nothing retrieved: 0.0.

    Args:
        chunks: What was retrieved, in order.
        evidence: The text of the relevant chunks.
    """
    wanted = [Counter(_tokens(piece.text)) for piece in evidence]
    total = sum(count.total() for count in wanted)
    if not total:
        return Skip("the case has no evidence text")
    if chunks and all(chunk.text is None for chunk in chunks):
        return Skip("the retrieved chunks came without text")
    have: Counter[str] = Counter()
    for chunk in _distinct(chunks):
        have.update(_tokens(chunk.text or ""))
    found = [sum(min(n, have[token]) for token, n in count.items()) for count in wanted]
    share = sum(found) / total
    return Score(
        share,
        f"{sum(found)} of {total} evidence tokens are in the {len(chunks)} retrieved chunks"
        if chunks
        else "nothing was retrieved",
        evidence=tuple(
            {
                "chunk_id": piece.chunk_id,
                "found": n,
                "tokens": count.total(),
                "missing": [token for token in count if token not in have][:_MISSING],
            }
            for piece, count, n in zip(evidence, wanted, found, strict=True)
        ),
        parts={"found": sum(found), "tokens": total},
    )


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text.lower()):
        if unspaced(token):
            yield from characters(token)
        else:
            yield token


def _distinct(chunks: tuple[Chunk, ...]) -> Iterator[Chunk]:
    seen: set[str] = set()
    for chunk in chunks:
        if chunk.id is None or chunk.id not in seen:
            yield chunk
        if chunk.id is not None:
            seen.add(chunk.id)
