"""Source: the passages of one question, indexed so that a claim finds its best window quickly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from acidtest.judges.local.passage import Passage, passage
from acidtest.text.numbers import Index, Number, index

WINDOW = 3
"""Sentences in a window: a statement seldom draws on more that stand side by side."""

_COMMON = 1_000
"""A stem in more sentences than this says nothing of the place: it counts as present everywhere."""


@dataclass(frozen=True)
class Window:
    """Neighbouring sentences of one passage.

    Attributes:
        passage: The passage's number, counted from 1.
        text: The window word for word, its runs of spaces as one.
        nearest: That sentence of it that holds most of the claim's stems.
        sequence: The stems of all its words, in order.
        holds: The claim's stems that it holds.
    """

    passage: int
    text: str
    nearest: str
    sequence: tuple[str, ...]
    holds: frozenset[str]


class Source:
    """An index over passages: stems to sentences, and the numbers of them all.

    Args:
        passages: The texts in ranked order.
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._passages = tuple(map(passage, passages))
        self._sentences = [  # passage, start, end
            (number, *span) for number, each in enumerate(self._passages) for span in each.spans
        ]
        self._stems = [stems for each in self._passages for stems in each.stems]
        self._where = _together(self._passages)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of the passages, as far as they can be told."""
        return frozenset(each.language for each in self._passages if each.language is not None)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number of every passage."""
        return tuple(number for each in self._passages for number in each.numbers)

    @cached_property
    def by_value(self) -> Index:
        """The same, by what a claim may call them."""
        return index(self.numbers)

    def __contains__(self, item: str) -> bool:
        return item in self._where

    def best(self, claimed: Iterable[str]) -> Window | None:
        """Return the window that holds most of a claim's stems; None when it shares none.

        Of equals the shortest wins, then the first.
        """
        asked = list(dict.fromkeys(claimed))
        found: dict[int, int] = {}
        everywhere = 0
        for bit, item in enumerate(asked):
            places = self._where.get(item, ())
            if len(places) > _COMMON:
                everywhere |= 1 << bit
                continue
            for place in places:
                found[place] = found.get(place, 0) | 1 << bit
        best = self._widest(found, everywhere)
        if best is None:
            return None
        first, last, mask = best
        number, start, _ = self._sentences[first]
        end = self._sentences[last][2]
        nearest = max(range(first, last + 1), key=lambda n: found.get(n, 0).bit_count())
        return Window(
            passage=number + 1,
            text=self._passages[number].text[start:end].strip(),
            nearest=self._text(nearest),
            sequence=tuple(s for stems in self._stems[first : last + 1] for s in stems),
            holds=frozenset(item for bit, item in enumerate(asked) if mask >> bit & 1),
        )

    def _text(self, sentence: int) -> str:
        number, start, end = self._sentences[sentence]
        return self._passages[number].text[start:end].strip()

    def _widest(self, found: dict[int, int], everywhere: int) -> tuple[int, int, int] | None:
        """Return first sentence, last sentence and stems of the best window."""
        best: tuple[int, int, int] | None = None
        most = least = 0
        starts = {max(0, place - back) for place in found for back in range(WINDOW)}
        for first in sorted(starts):
            number, mask = self._sentences[first][0], everywhere
            for last in range(first, min(first + WINDOW, len(self._sentences))):
                if self._sentences[last][0] != number:
                    break
                mask |= found.get(last, 0)
                count = mask.bit_count()
                if count > most or (count == most and last - first < least):
                    best, most, least = (first, last, mask), count, last - first
        if best is None and everywhere:
            return 0, 0, everywhere
        return best


def _together(passages: Sequence[Passage]) -> Mapping[str, Sequence[int]]:
    """Return by stem the sentences that it stands in, counted through all passages."""
    if len(passages) == 1:
        return passages[0].where
    found: dict[str, list[int]] = {}
    before = 0
    for each in passages:
        for item, places in each.where.items():
            found.setdefault(item, []).extend([before + place for place in places])
        before += len(each.spans)
    return found


@lru_cache(maxsize=8)
def source(passages: tuple[str, ...]) -> Source:
    """Return the index of some passages; the last few are kept, since metrics share a case's."""
    return Source(passages)
