"""Questions that were asked already: word for word, or nearly so."""

from collections.abc import Iterable

from acidtest.data.golden import Case, Turn
from acidtest.text.quotations import comparable
from acidtest.text.words import content_words, words

ALIKE = 0.8
"""Shared content words over all content words of two questions, from which they are the same."""


class Asked:
    """The questions that are known; a new one is held against all of them at once.

    Args:
        cases: What is asked already.
    """

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        self._exact: dict[str, str] = {}
        self._bags: list[tuple[frozenset[str], str]] = []
        self._having: dict[str, list[int]] = {}
        for case in cases:
            self.add(case)

    def add(self, case: Case) -> None:
        """Take a case in."""
        self._exact.setdefault(asked_by(case.question, case.history), case.id)
        bag = _bag(case.question, case.history)
        for word in bag:
            self._having.setdefault(word, []).append(len(self._bags))
        self._bags.append((bag, case.id))

    def exactly(self, question: str, history: tuple[Turn, ...] = ()) -> str | None:
        """Return the id of the case that asks just this; None when none does."""
        return self._exact.get(asked_by(question, history))

    def nearly(self, question: str, history: tuple[Turn, ...] = ()) -> str | None:
        """Return the id of a case that asks this or nearly this; None when none does.

        Numbers and names are words: two questions about two error codes are not the same.
        """
        exact = self.exactly(question, history)
        if exact is not None:
            return exact
        bag = _bag(question, history)
        # So alike, they share at least one of the rarest fifth of the words (and one more).
        rarest = sorted(bag, key=lambda word: (len(self._having.get(word, ())), word))
        few = rarest[: int(len(bag) * (1 - ALIKE)) + 1]
        near = sorted({n for word in few for n in self._having.get(word, ())})
        return next((self._bags[n][1] for n in near if _alike(bag, self._bags[n][0])), None)


def asked_by(question: str, history: tuple[Turn, ...]) -> str:
    """Return what is asked, as it is compared: folded, without punctuation at its ends."""
    told = [turn.text for turn in history]
    return "\n".join(comparable(text).strip(" .?!¿¡？！。") for text in (*told, question))


def _bag(question: str, history: tuple[Turn, ...]) -> frozenset[str]:
    text = " ".join([*(turn.text for turn in history), question])
    return frozenset(content_words(text) or words(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if any(word[0].isdigit() or word[-1].isdigit() for word in one ^ other):
        return False
    both = len(one & other)
    return both > 0 and both >= ALIKE * len(one | other)
