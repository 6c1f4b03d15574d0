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

_LONG_ENOUGH = 10  # counted words, from which one more or less may be
_SPELT = 5  # letters of a word that may be misspelt
_ENDINGS = ("ing", "ed", "d", "es", "s", "e", "en", "n", "er", "ly")


def allowed(count: int) -> int:
    """Return how many words may differ between questions, the longer of which has so many."""
    return min(MOST, max(1, count // 10))


def near(one: Counted, other: Counted) -> bool:
    """Say whether two questions are nearly the same; those that are equal in all counted words are."""
    if one.before != other.before or one.directed != other.directed:
        return False
    a, b = Counter(one.words), Counter(other.words)
    count = max(len(one.words), len(other.words))
    most = allowed(count)
    left, right = list((a - b).elements()), list((b - a).elements())
    if max(len(left), len(right)) > most:
        return False
    fixed = one.fixed | other.fixed
    if not fixed.isdisjoint(left) or not fixed.isdisjoint(right):
        return False
    if one.directed and _order(one, left) != _order(other, right):
        return False
    if len(left) > len(right):
        left, right = right, left
    for word in left:
        match = next((each for each in right if variants(word, each)), None)
        if match is None:
            return False
        right.remove(match)
    return not right or (count >= _LONG_ENOUGH and WEIGHTY.isdisjoint(right))


def _order(question: Counted, different: list[str]) -> list[str]:
    return [word for word in question.words if word not in different]


def variants(one: str, other: str) -> bool:
    """Say whether two words are one word, misspelt or with another ending.

    One letter is more, less, or another (not the last: form, fork), or two neighbours changed places; or one
    is the other with an ending.
    """
    if len(one) > len(other):
        one, other = other, one
    if len(one) < _SPELT or one[0] != other[0] or not (one.isalpha() and other.isalpha()):
        return False
    if other.startswith(one[:-1]) and other.removeprefix(one) in _ENDINGS:
        return True
    if one.endswith("e") and other == f"{one[:-1]}ing":
        return True
    if len(other) - len(one) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        # A letter more at the end is an ending, and no slip.
        return at < len(one) and one[at:] == other[at + 1 :]
    if one[at + 1 :] == other[at + 1 :]:
        return at < len(one) - 1
    return one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]


def spellings(word: str) -> set[str]:
    """Return keys of which variants share one: the word less one letter, and less its ending."""
    keys = {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
    keys |= {word.removesuffix(ending) for ending in _ENDINGS}
    return keys
