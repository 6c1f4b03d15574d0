"""A passage: one text, cut into sentences and their stems, read once for all the questions that it comes up in."""

import re
from functools import cached_property

from acidtest.judges.local.terms import stem
from acidtest.text.kept import kept
from acidtest.text.language import guess
from acidtest.text.numbers import Number, numbers
from acidtest.text.sentences import spans
from acidtest.text.words import words

_SPACES = re.compile(r"[^\S\n]+")


class Passage:
    """A text without tabs and runs of spaces, its lines as they are: some begin with a list number.

    Attributes:
        text: The text.
        spans: Where its sentences begin and end.
        stems: The stems of each sentence's words, in order.
        where: By stem, the sentences that it stands in.
    """

    def __init__(self, text: str) -> None:
        self.text = _SPACES.sub(" ", text)
        self.spans = spans(self.text)
        self.stems = [tuple(map(stem, words(self.text[start:end]))) for start, end in self.spans]
        self.where: dict[str, list[int]] = {}
        for place, stems in enumerate(self.stems):
            for each in set(stems):
                self.where.setdefault(each, []).append(place)

    @cached_property
    def language(self) -> str | None:
        """Its language, as far as it can be told; None for a blank text."""
        return guess(self.text) if self.text.strip() else None

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers."""
        return tuple(numbers(self.text))


@kept(most=64, longest=8_000)
def passage(text: str) -> Passage:
    """Return a text as a passage; the last ones are kept, since several metrics ask for each."""
    return Passage(text)
