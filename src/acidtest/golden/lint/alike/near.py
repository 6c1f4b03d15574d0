"""Are two questions nearly the same? The definition that every reported pair meets.

Their counted words are held against each other. Equal ones go; then words that are spelt almost alike.
What is left may stand on one side only. At most one word in ten (and one in any question) may be
misspelt or left, none of those left in a question of fewer than ten words, and no word that is a number,
an identifier, a name, a negation or another small word that says much.
"""

from collections import Counter

from acidtest.golden.lint.alike.counted import Counted
from acidtest.golden.lint.alike.harmless import WEIGHTY

MOST = 20
"""Words that may differ, however long the questions are."""

LONG_ENOUGH = 10
"""Counted words of a question that may have one more than another."""

_SPELT = 5  # letters of a word that may be misspelt
_BENT = 4  # letters of a word that may have an ending more
_LONGEST = 60
_ENDINGS = ("ing", "ed", "d", "es", "s", "e", "en", "n", "er", "ly")


def allowed(count: int) -> int:
    """Return how many words may differ between questions, the longer of which has so many."""
    return min(MOST, max(1, count // 10))


def near(one: Counted, other: Counted) -> bool:
    """Say whether two questions are nearly the same; those that are equal in all counted words are."""
    count = max(len(one.words), len(other.words))
    most = allowed(count)
    if (
        one.before != other.before
        or one.directed != other.directed
        or not _may_be_near({*one.words}, {*other.words}, most)
    ):
        return False
    a, b = Counter(one.words), Counter(other.words)
    left, right = list((a - b).elements()), list((b - a).elements())
    fixed = one.fixed | other.fixed
    if max(len(left), len(right)) > most or not fixed.isdisjoint([*left, *right]):
        return False
    if one.directed and _order(one, left) != _order(other, right):
        return False
    more = _unmatched(left, right) if len(left) <= len(right) else _unmatched(right, left)
    return more is not None and (not more or (count >= LONG_ENOUGH and WEIGHTY.isdisjoint(more)))


def _may_be_near(one: set[str], other: set[str], most: int) -> bool:
    """Say whether the words that only one question has forbid it; counting all words takes its time."""
    left, right = one - other, other - one
    if max(len(left), len(right)) > most:
        return False
    few, many = (left, right) if len(left) <= len(right) else (right, left)
    return all(any(variants(word, each) for each in many) for word in few)


def _unmatched(few: list[str], many: list[str]) -> list[str] | None:
    """Return the words that are left when each of the few has met its variant; None when one meets none."""
    left = list(many)
    for word in few:
        match = next((each for each in left if variants(word, each)), None)
        if match is None:
            return None
        left.remove(match)
    return left


def _order(question: Counted, different: list[str]) -> list[str]:
    return [word for word in question.words if word not in different]


def variants(one: str, other: str) -> bool:
    """Say whether two words are one word, misspelt or with another ending.

    One letter is more, less, or another (not the last: form, fork), or two neighbours changed places; or one
    is the other with an ending.
    """
    if len(one) > len(other):
        one, other = other, one
    if not (_may_vary(one) and _may_vary(other)) or one[0] != other[0]:
        return False
    if other.removeprefix(one) in _ENDINGS or (one[-1] == "e" and other == f"{one[:-1]}ing"):
        return True
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    # A letter more or another one at the end is an ending or another word, and no slip.
    slips = {
        0: len(one) >= _SPELT
        and at < len(one) - 1
        and (
            one[at + 1 :] == other[at + 1 :]
            or (one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :])
        ),
        1: len(one) >= _SPELT and at < len(one) and one[at:] == other[at + 1 :],
    }
    return slips.get(len(other) - len(one), False)


def spellings(word: str) -> set[str]:
    """Return keys of which variants share one: the word less one letter, and less its ending.

    A word that has no variants has none.
    """
    if not _may_vary(word):
        return set()
    stems = {word, *(word.removesuffix(ending) for ending in _ENDINGS)}
    return {
        *stems,
        f"{word.removesuffix('ing')}e",
        *(word[:at] + word[at + 1 :] for at in range(len(word))),
    }


def _may_vary(word: str) -> bool:
    return _BENT <= len(word) <= _LONGEST and word.isalpha()
