"""Keyword search over the handbook with BM25 (package `bm25s`, extra `demo`)."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from acidtest.demo.corpus import Passage, passages
from acidtest.extras import need

Tokens = Callable[[str], list[str]]


class Index:
    """A BM25 index of some passages.

    Args:
        found: The passages.
        field: What of a passage is indexed.
        tokens: How a text becomes words.
    """

    def __init__(
        self, found: Sequence[Passage], field: Callable[[Passage], str], tokens: Tokens
    ) -> None:
        bm25s = need("bm25s", extra="demo")
        self._passages = tuple(found)
        self._tokens = tokens
        self._bm25: Any = bm25s.BM25()
        self._bm25.index([tokens(field(p)) for p in self._passages], show_progress=False)

    def search(self, query: str, k: int) -> list[tuple[Passage, float]]:
        """Return the k best passages with their scores; ties in the order of the corpus."""
        known = self._bm25.vocab_dict
        tokens = [token for token in self._tokens(query) if token in known]
        if not tokens:
            return []
        scores = self._bm25.get_scores(tokens)
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
        return [(self._passages[i], float(scores[i])) for i in best if scores[i] > 0]


@functools.cache
def plain_index() -> Index:
    """The text alone, words as they stand."""
    from acidtest.demo.words import words

    return Index(passages(), lambda passage: passage.text, words)


@functools.cache
def rich_index() -> Index:
    """Title, heading and text, words cut to their stems and empty words left out."""
    from acidtest.demo.words import stems

    return Index(
        passages(), lambda passage: f"{passage.title} {passage.heading} {passage.text}", stems
    )
