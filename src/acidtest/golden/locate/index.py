"""Which places of a corpus may hold which text: an index of word pairs over blocks of the corpus.

Only the pairs that the wanted texts have are kept, so that memory goes with the golden set and the
corpus is read once. A pair that stands nearly everywhere says little: of it the first places are kept.
"""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from acidtest.golden.locate.fold import tokens
from acidtest.golden.locate.stretches import Stretch

BLOCK = 1_500
"""Characters of a stretch that are one place."""

MOST_PLACES = 2_000
"""Places that are kept of one pair."""

RAREST = 16
"""Pairs of a text that are asked for: its rarest."""

_EDGE = 40  # characters of the next block that are read with a block: a pair may cross

Pair = Hashable


class Block(Struct, frozen=True, eq=False):
    """One place: a range of a stretch."""

    stretch: Stretch
    start: int
    end: int


class Candidate(Struct, frozen=True, eq=False):
    """A place and the share of the text's asked pairs, weighted by rarity, that it has."""

    block: Block
    share: float


def pairs(words: Sequence[str]) -> Iterable[Pair]:
    """Return what a text is found by: pairs of neighbouring words; the word alone where there is one."""
    return pairwise(words) if len(words) > 1 else tuple(words)


class Index:
    """The places of every pair of the wanted texts.

    Args:
        stretches: The corpus.
        texts: What will be asked for; texts that were not given here are not found.
    """

    def __init__(self, stretches: Iterable[Stretch], texts: Iterable[str]) -> None:
        wanted: set[Pair] = set()
        for text in texts:
            wanted.update(pairs(tokens(text)))
        alone = {each for each in wanted if isinstance(each, str)}
        self._blocks: list[Block] = []
        self._places: dict[Pair, array[int]] = {}
        self._often: Counter[Pair] = Counter()
        self._ranges: dict[int, tuple[int, int]] = {}
        for stretch in stretches:
            first = len(self._blocks)
            for block in blocks_of(stretch):
                words = tokens(stretch.text[block.start : block.end + _EDGE])
                found = wanted.intersection(pairwise(words))
                if alone:
                    found |= alone.intersection(words)
                self._keep(block, found)
            self._ranges[stretch.number] = (first, len(self._blocks))

    def _keep(self, block: Block, found: set[Pair]) -> None:
        number = len(self._blocks)
        self._blocks.append(block)
        self._often.update(found)
        for pair in found:
            places = self._places.setdefault(pair, array("L"))
            if len(places) < MOST_PLACES:
                places.append(number)

    def candidates(self, text: str, *, most: int, least: float = 0.0) -> list[Candidate]:
        """Return the places that have the rarest pairs of a text, the likeliest first.

        Args:
            text: One of the wanted texts.
            most: So many at most.
            least: The least share of the best place's share that a place must have.
        """
        known = {pair for pair in pairs(tokens(text)) if pair in self._places}
        asked = sorted(known, key=lambda pair: (self._often[pair], str(pair)))[:RAREST]
        weights = {pair: math.log1p(len(self._blocks) / self._often[pair]) for pair in asked}
        votes: dict[int, float] = {}
        for pair, weight in weights.items():
            for number in self._places[pair]:
                votes[number] = votes.get(number, 0.0) + weight
        if not votes:
            return []
        floor = least * max(votes.values()) - 1e-9
        total = sum(weights.values())
        best = sorted(
            ((vote, number) for number, vote in votes.items() if vote >= floor), key=_likeliest
        )
        return [Candidate(self._blocks[number], vote / total) for vote, number in best[:most]]

    def within(self, stretch: Stretch, text: str, *, most: int) -> list[Candidate]:
        """Return the places of one stretch that have pairs of a text, the likeliest first."""
        first, last = self._ranges[stretch.number]
        asked = {pair for pair in pairs(tokens(text)) if pair in self._places}
        votes: dict[int, float] = {}
        for pair in asked:
            weight = math.log1p(len(self._blocks) / self._often[pair])
            places = self._places[pair]
            for at in range(bisect_left(places, first), bisect_left(places, last)):
                votes[places[at]] = votes.get(places[at], 0.0) + weight
        if not votes and self._common(asked) and last - first < len(self._blocks):
            return Index([stretch], [text]).candidates(text, most=most)
        best = sorted(((vote, number) for number, vote in votes.items()), key=_likeliest)
        return [Candidate(self._blocks[number], vote) for vote, number in best[:most]]

    def _common(self, asked: set[Pair]) -> bool:
        """Say whether places of a pair were left out."""
        return any(self._often[pair] > MOST_PLACES for pair in asked)


def _likeliest(vote: tuple[float, int]) -> tuple[float, int]:
    return -vote[0], vote[1]


def blocks_of(stretch: Stretch) -> Iterable[Block]:
    """Yield the places of a stretch in order."""
    for start in range(0, len(stretch.text), BLOCK):
        yield Block(stretch, start, min(start + BLOCK, len(stretch.text)))
