"""The chunks of a corpus that may answer a question: those that share its rarest words.

Whether a question is really without an answer cannot be said from the chunk that it was written to.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.text.words import content_words

_MOST_TERMS = 20
_READ = 40
"""Chunks that are counted word by word, of those that hold the most of the words."""

_K1, _B = 1.2, 0.75


class Nearest:
    """Searches a corpus by words; the texts are folded when it is first asked.

    Args:
        corpus: All chunks.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._folded: list[str] = []

    def to(self, question: str, count: int) -> list[CorpusChunk]:
        """Return the chunks nearest to a question, the nearest first.

        A first look takes the chunks that hold the most of the question's words by their inverse
        document frequency, also as parts of longer words; BM25 (k1 1.2, b 0.75) orders them.

        Args:
            question: What is asked.
            count: How many chunks at most; those that share no word with it are left out.
        """
        if not self._folded:
            self._folded = [_fold(chunk.text) for chunk in self._corpus]
        terms = list(dict.fromkeys(content_words(question)))[:_MOST_TERMS]
        holding = [[n for n, text in enumerate(self._folded) if term in text] for term in terms]
        worth = [math.log(1 + len(self._folded) / (1 + len(some))) for some in holding]
        first: dict[int, float] = {}
        for some, weight in zip(holding, worth, strict=True):
            for n in some:
                first[n] = first.get(n, 0.0) + weight
        best = sorted(first, key=lambda n: (-first[n], n))[:_READ]
        scored = self._scored(best, dict(zip(terms, worth, strict=True)), first)
        return [self._corpus[n] for n in sorted(best, key=lambda n: (-scored[n], n))[:count]]

    def _scored(
        self, best: Sequence[int], worth: dict[str, float], first: dict[int, float]
    ) -> dict[int, float]:
        texts = {n: self._folded[n] for n in best}
        mean = sum(map(len, texts.values())) / len(texts) if texts else 1.0
        scored = {}
        for n, text in texts.items():
            counts = Counter({term: text.count(term) for term in worth})
            norm = _K1 * (1 - _B + _B * len(text) / (mean or 1.0))
            scored[n] = (
                sum(
                    weight * counts[term] * (_K1 + 1) / (counts[term] + norm)
                    for term, weight in worth.items()
                )
                or first[n]
            )
        return scored

    def holds(self, text: str) -> bool:
        """Say whether any chunk holds a text, whatever its case."""
        if not self._folded:
            self._folded = [_fold(chunk.text) for chunk in self._corpus]
        wanted = _fold(text)
        return any(wanted in each for each in self._folded)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
