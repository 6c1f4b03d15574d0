"""Chunks that belong together: they stand in different places and share terms that few chunks have."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from acidtest.data.corpus import CorpusChunk
from acidtest.golden.grow.survey import place
from acidtest.text.words import content_words

POOL = 2_000
"""Chunks among which partners are looked for; the best spread ones of a larger corpus."""

_MOST_SHARED = 20
"""A term in more chunks of the pool than this, and than a fiftieth of them, says nothing of kinship."""

_SHOWN = 6
_LOOK = 4_000


class Pair(Struct, frozen=True, kw_only=True):
    """Two chunks of different places.

    `shared` are the rarest terms that both hold, the rarest first; `kinship` is the sum of the inverse
    document frequencies of all of them over that of the terms of the poorer chunk, in 0..1.
    """

    first: CorpusChunk
    second: CorpusChunk
    shared: tuple[str, ...]
    kinship: float


def pairs(chunks: Sequence[CorpusChunk]) -> list[Pair]:
    """Return for chunks their best partner, each chunk as the first of at most one pair.

    Partners stand in another document or another section. No two pairs are of the same two chunks.

    Args:
        chunks: In the order in which they are to be asked about; `POOL` of them are looked at.
    """
    pool = chunks[:POOL]
    terms = [frozenset(_terms(chunk)) for chunk in pool]
    spread = Counter(term for some in terms for term in some)
    most = max(_MOST_SHARED, len(pool) // 50)
    worth = {
        term: math.log(1 + len(pool) / count)
        for term, count in spread.items()
        if 2 <= count <= most
    }
    having: dict[str, list[int]] = {}
    for n, some in enumerate(terms):
        for term in some & worth.keys():
            having.setdefault(term, []).append(n)
    weights = [sum(worth[term] for term in sorted(some & worth.keys())) for some in terms]
    return list(_paired(pool, terms, worth, having, weights))


def _paired(
    pool: Sequence[CorpusChunk],
    terms: Sequence[frozenset[str]],
    worth: dict[str, float],
    having: dict[str, list[int]],
    weights: Sequence[float],
) -> Iterator[Pair]:
    taken: set[frozenset[int]] = set()
    for n, chunk in enumerate(pool):
        near: dict[int, float] = {}
        for term in sorted(terms[n] & worth.keys()):
            for other in having[term]:
                near[other] = near.get(other, 0.0) + worth[term]
        apart = [
            other
            for other in near
            if place(pool[other]) != place(chunk) and frozenset((n, other)) not in taken
        ]
        if not apart:
            continue
        best = max(apart, key=lambda other: (near[other], -other))
        taken.add(frozenset((n, best)))
        shared = sorted(terms[n] & terms[best] & worth.keys(), key=lambda t: (-worth[t], t))
        yield Pair(
            first=chunk,
            second=pool[best],
            shared=tuple(shared[:_SHOWN]),
            kinship=min(1.0, near[best] / min(weights[n], weights[best])),
        )


def _terms(chunk: CorpusChunk) -> Iterator[str]:
    for word in content_words(chunk.text[:_LOOK]):
        if len(word) > 2 or not word.isascii():
            yield word
