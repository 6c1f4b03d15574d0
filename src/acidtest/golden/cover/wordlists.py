"""Texts as rows of word weights: TF-IDF over the words that can tell chunks apart.

`weight = (1 + ln tf) * ln(n / df)`, rows scaled to length 1 (Salton and Buckley 1988).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from acidtest.text.words import content_words

MOST_WORDS = 2_000
_MOST_SHARE = 0.5  # of the chunks: a word in more of them tells nothing apart
_LOOK = 2_000  # characters of a chunk that are read

_DIGIT = re.compile(r"\d")

Rows = NDArray[np.float32]


class Vocabulary:
    """The words that are weighed, and how rare each is.

    Args:
        texts: The words of each text; they decide what is rare.
    """

    def __init__(self, texts: Sequence[Counter[str]]) -> None:
        n = len(texts)
        often = Counter(word for counts in texts for word in counts)
        rare = {
            word: math.log(n / df)
            for word, df in often.items()
            if df >= 2 and df <= max(2, _MOST_SHARE * n)
        }
        ranked = sorted(rare, key=lambda word: (-often[word] * rare[word], word))
        self.words = tuple(ranked[:MOST_WORDS])
        self._place = {word: at for at, word in enumerate(self.words)}
        self._rare = [rare[word] for word in self.words]

    def rows(self, texts: Iterable[Counter[str]]) -> Rows:
        """Return one row a text; a text without any of the words is a row of zeros."""
        found = list(texts)
        rows = np.zeros((len(found), len(self.words)), dtype=np.float32)
        for number, counts in enumerate(found):
            for word, often in counts.items():
                at = self._place.get(word)
                if at is not None:
                    rows[number, at] = (1 + math.log(often)) * self._rare[at]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows


def counted(text: str) -> Counter[str]:
    """Return how often each word of a text that can name a topic occurs in it."""
    found = Counter(content_words(text[:_LOOK]))
    for word in [word for word in found if len(word) < 2 or _DIGIT.search(word)]:
        del found[word]
    return found
