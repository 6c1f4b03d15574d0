"""Pairs of questions that are nearly the same, among very many.

Questions that are near share a key: all their words but one, where one word may differ; else one of 2e + 1
parts of their words, where e may (words are dealt out by their hash: 2e different words spoil 2e parts at
most; that the last part is empty happens to one such pair in a thousand). Whoever shares a key is compared
by the definition. So nothing else is missed, but in parts, and of words spelt alike, that more than
`CROWD` questions share: there each is compared with its next neighbours only.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import combinations

import numpy as np

from acidtest.golden.lint.alike.counted import Counted
from acidtest.golden.lint.alike.near import LONG_ENOUGH, allowed, near, spellings

CROWD = 48
"""Questions with one key that are all compared with each other."""

_NEIGHBOURS = 4
_MASK = (1 << 64) - 1
_WHOLE, _PART = -1, -2


def near_pairs(questions: Sequence[Counted]) -> Iterator[tuple[int, int]]:
    """Yield the places of questions that are nearly the same, the smaller place first, each pair once.

    Args:
        questions: No two of them with the same `key`.
    """
    seen: set[tuple[int, int]] = set()
    for one, other in _candidates(questions):
        pair = (one, other) if one < other else (other, one)
        if pair not in seen and one != other:
            seen.add(pair)
            if near(questions[one], questions[other]):
                yield pair


def _candidates(questions: Sequence[Counted]) -> Iterator[tuple[int, int]]:
    keys, owners, lacks = array("Q"), array("L"), array("l")
    ranks: list[int] = []
    vocabulary = _Vocabulary()
    for place, question in enumerate(questions):
        for key, lacking in _keys(question, vocabulary):
            keys.append(key)
            owners.append(place)
            lacks.append(lacking)
    if not keys:
        return
    numbers = np.frombuffer(keys, dtype=np.uint64)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    edges = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1], True])
    for first in np.flatnonzero(np.diff(edges) > 1):
        shared = order[edges[first] : edges[first + 1]].tolist()
        if lacks[shared[0]] == _PART:
            if not ranks:
                ranks = _ranks(questions)
            yield from _parted([owners[at] for at in shared], ranks)
        else:
            yield from _spelt(questions, [(owners[at], lacks[at]) for at in shared], vocabulary)


class _Vocabulary:
    """Words by number, and their hashes."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._known: dict[str, tuple[int, int]] = {}

    def number(self, word: str) -> tuple[int, int]:
        """Return the number and the hash of a word."""
        found = self._known.get(word)
        if found is None:
            digest = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            found = self._known[word] = len(self.words), int.from_bytes(digest, "little") | 1
            self.words.append(word)
        return found


def _keys(question: Counted, vocabulary: _Vocabulary) -> Iterable[tuple[int, int]]:
    """Return the keys of a question, each with the word that it lacks: its number, or `_WHOLE` or `_PART`."""
    count = len(question.words)
    # The other question may be longer by all the words that may differ.
    budgets = {allowed(count), allowed(count + allowed(count) + 1)}
    _, seed = vocabulary.number(f"{question.directed}\n{question.before}")
    known = [vocabulary.number(word) for word in question.words]
    found: list[tuple[int, int]] = []
    if 1 in budgets:
        whole = (seed + sum(value for _, value in known)) & _MASK
        found += [(whole, _WHOLE)]
        found += [((whole - value) & _MASK, number) for number, value in set(known)]
    for budget in budgets - {1}:
        parts = [0] * (2 * budget + 1)
        for _, value in known:
            parts[value % len(parts)] += value
        found += [
            (hash((seed, budget, number, part)) & _MASK, _PART)
            for number, part in enumerate(parts)
            if part
        ]
    return found


def _ranks(questions: Sequence[Counted]) -> list[int]:
    """Return where each question stands by the alphabet."""
    ranks = [0] * len(questions)
    ordered = sorted(range(len(questions)), key=lambda place: questions[place].words)
    for rank, place in enumerate(ordered):
        ranks[place] = rank
    return ranks


def _spelt(
    questions: Sequence[Counted], crowd: Sequence[tuple[int, int]], vocabulary: _Vocabulary
) -> Iterator[tuple[int, int]]:
    """Yield pairs of questions that are the same less one word each, or less one word of one of them."""
    whole = [place for place, lacking in crowd if lacking == _WHOLE]
    having: dict[str, list[tuple[int, int]]] = {}
    for place, lacking in crowd:
        if lacking == _WHOLE:
            continue
        if len(questions[place].words) >= LONG_ENOUGH:
            yield from ((one, place) for one in whole[:CROWD])
        for key in spellings(vocabulary.words[lacking]):
            having.setdefault(key, []).append((place, lacking))
    for places in having.values():
        for at, (place, lacking) in enumerate(places):
            for other, another in places[at + 1 : at + 1 + CROWD]:
                if lacking != another:
                    yield place, other


def _parted(crowd: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of long questions that share a part of their words."""
    if len(crowd) <= CROWD:
        yield from combinations(crowd, 2)
        return
    ordered = sorted(crowd, key=ranks.__getitem__)
    for at, place in enumerate(ordered):
        for other in ordered[at + 1 : at + 1 + _NEIGHBOURS]:
            yield place, other
