"""Pairs of questions that are nearly the same, among very many.

Questions that are near share a key: all their words but one, where one word may differ; else one of 2e + 1
parts of their words, where e may (words are dealt out by their hash: 2e different words spoil 2e parts at
most; that the last part is empty happens to one such pair in a thousand). Whoever shares a key is compared
by the definition. So nothing else is missed, but in keys that more than `CROWD` questions share: there only
words of like spelling and neighbours by the alphabet are compared.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import combinations

import numpy as np

from acidtest.golden.lint.alike.counted import Counted
from acidtest.golden.lint.alike.near import allowed, near, spellings

CROWD = 48
"""Questions with one key that are all compared with each other."""

_NEIGHBOURS = 12
_MASK = (1 << 64) - 1


def near_pairs(questions: Sequence[Counted]) -> Iterator[tuple[int, int]]:
    """Yield the places of questions that are nearly the same, the smaller place first, each pair once.

    Args:
        questions: No two of them with the same `key`.
    """
    seen: set[tuple[int, int]] = set()
    for crowd, spelt in _crowds(questions):
        for one, other in _candidates(questions, crowd, spelt=spelt):
            pair = (one, other) if one < other else (other, one)
            if pair not in seen:
                seen.add(pair)
                if near(questions[one], questions[other]):
                    yield pair


def _crowds(questions: Sequence[Counted]) -> Iterator[tuple[list[int], bool]]:
    """Yield the places of questions that share a key, and whether they differ in one word each."""
    keys, owners, parted = array("Q"), array("L"), array("B")
    hashes: dict[str, int] = {}
    for place, question in enumerate(questions):
        if not question.words:
            continue
        for key, part in _keys(question, hashes):
            keys.append(key)
            owners.append(place)
            parted.append(part)
    if not keys:
        return
    numbers = np.frombuffer(keys, dtype=np.uint64)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    edges = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1], True])
    whose = np.frombuffer(owners, dtype=np.dtype("L"))
    for first in np.flatnonzero(np.diff(edges) > 1):
        places = order[edges[first] : edges[first + 1]]
        crowd = list(dict.fromkeys(whose[places].tolist()))
        if len(crowd) > 1:
            yield crowd, not parted[int(places[0])]


def _keys(question: Counted, hashes: dict[str, int]) -> Iterable[tuple[int, int]]:
    values = [_hash(word, hashes) for word in question.words]
    seed = _hash(f"{question.directed}\n{question.before}", hashes)
    count = len(values)
    # The other question may be longer by all the words that may differ.
    budgets = {allowed(count), allowed(count + allowed(count) + 1)}
    whole = (seed + sum(values)) & _MASK
    found: list[tuple[int, int]] = []
    if 1 in budgets:
        found += [(whole, 0), *(((whole - value) & _MASK, 0) for value in set(values))]
    for budget in budgets - {1}:
        parts = [0] * (2 * budget + 1)
        for value in values:
            parts[value % len(parts)] = (parts[value % len(parts)] + value) & _MASK
        found += [
            (hash((seed, budget, number, part)) & _MASK, 1)
            for number, part in enumerate(parts)
            if part
        ]
    return found


def _hash(word: str, known: dict[str, int]) -> int:
    value = known.get(word)
    if value is None:
        digest = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
        value = known[word] = int.from_bytes(digest, "little") | 1
    return value


def _candidates(
    questions: Sequence[Counted], crowd: list[int], *, spelt: bool
) -> Iterator[tuple[int, int]]:
    if len(crowd) <= CROWD:
        yield from combinations(crowd, 2)
        return
    if spelt:
        yield from _by_spelling(questions, crowd)
    ordered = sorted(crowd, key=lambda place: questions[place].words)
    for at, place in enumerate(ordered):
        for other in ordered[at + 1 : at + 1 + _NEIGHBOURS]:
            yield place, other


def _by_spelling(questions: Sequence[Counted], crowd: list[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs whose one different word is spelt alike."""
    common = frozenset(questions[crowd[0]].words).intersection(*(questions[n].words for n in crowd))
    having: dict[str, list[int]] = {}
    for place in crowd:
        for word in set(questions[place].words) - common:
            for key in spellings(word):
                having.setdefault(key, []).append(place)
    for places in having.values():
        if 1 < len(places):
            few = sorted(set(places))
            for at, place in enumerate(few):
                for other in few[at + 1 : at + 1 + CROWD]:
                    yield place, other
