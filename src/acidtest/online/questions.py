"""Kinds of questions without a model: groups that share words, and words that were not asked about before.

Groups and vocabulary are made from one part of the reference window, and then fixed: the other part is what
later questions are held against, since a part looks too well in groups made from itself.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from acidtest.golden.cover.clusters import centres_of, nearest
from acidtest.golden.cover.wordlists import Rows, Vocabulary, counted

MOST_KINDS = 8
OTHER = "other words"
UNKNOWN = "new words"

_A_KIND = 30  # questions that make one
_ALIKE = 0.1  # cosine from which on a question is of a kind
_WORDS = 3


class Kinds:
    """The kinds of questions of a reference window.

    Args:
        questions: What was asked.

    Attributes:
        names: The words that tell each kind from the rest.
    """

    def __init__(self, questions: Sequence[str]) -> None:
        texts = [counted(question) for question in questions]
        self._known = frozenset(word for text in texts for word in text)
        self._vocabulary = Vocabulary(texts)
        rows = self._vocabulary.rows(texts)
        k = min(MOST_KINDS, max(2, len(texts) // _A_KIND))
        # Questions that share no word that tells anything are of no kind.
        self._centres: Rows = centres_of(rows, k) if rows.size else rows[:0]
        names = [self._name(centre) for centre in self._centres]
        # Two kinds may share their best words.
        self.names = tuple(
            name if names.index(name) == n else f"{name} ({n + 1})" for n, name in enumerate(names)
        )

    def shares(self, questions: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """Return for each kind one value a question: 1 if it is of it, 0 if not.

        `other words` is the kind of those that resemble none; `new words` the share of a question's words
        that no question had when the kinds were made.
        """
        texts = [counted(question) for question in questions]
        label = np.full(len(texts), -1)
        if len(self._centres):
            near, cosine = nearest(self._vocabulary.rows(texts), self._centres)
            label = np.where(cosine >= _ALIKE, near, -1)
        found: dict[str, Sequence[float]] = {
            name: (label == n).astype(float).tolist() for n, name in enumerate(self.names)
        }
        found[OTHER] = (label == -1).astype(float).tolist()
        found[UNKNOWN] = [self._new(text) for text in texts]
        return found

    def _new(self, words: Iterable[str]) -> float:
        listed = list(words)
        return sum(word not in self._known for word in listed) / max(len(listed), 1)

    def _name(self, centre: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> str:
        order = np.argsort(-centre, kind="stable")[:_WORDS]
        return ", ".join(self._vocabulary.words[at] for at in order if centre[at] > 0)
