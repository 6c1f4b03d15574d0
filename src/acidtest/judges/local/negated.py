"""What a claim denies and its passage does not, or the other way round.

That both have a "not" somewhere says little: "returns are free; you are not charged" does not say that
returns are not free. So each negating word is taken with the content words beside it, and must meet one
beside which a word of these stands too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acidtest.judges.local.terms import terms
from acidtest.text import negation
from acidtest.text.kept import kept

_AFTER = 3
_BEFORE = 1
"""Content words that a negating word is taken with: mostly it turns what follows."""

_ANSWER = re.compile(r"\A\W*(?:no|nope|não|нет|لا)\s*[,.;:!–—-]\s*", re.IGNORECASE)
"""The "no" that answers a question denies nothing of the sentence behind it."""


@dataclass(frozen=True)
class Denied:
    """What one negating word turns: the stems of the content words behind it and before it."""

    after: tuple[str, ...]
    before: tuple[str, ...]

    @property
    def stems(self) -> frozenset[str]:
        """All of them."""
        return frozenset({*self.after, *self.before})


@kept(most=512, longest=2_000)
def denied(text: str, language: str) -> tuple[Denied, ...]:
    """Return what each negating word of a text turns, in order."""
    bare = _ANSWER.sub("", text)
    return tuple(
        Denied(_first(bare[end:], language), _last(bare[:start], language))
        for start, end in negation.places(bare, language=language)
    )


def _first(text: str, language: str) -> tuple[str, ...]:
    """Return `terms(text)[:_AFTER]`, and read no more of the text: no word reaches over a space."""
    found: list[str] = []
    for piece in text.split(" "):
        found += terms(piece, language)
        if len(found) >= _AFTER:
            break
    return tuple(found[:_AFTER])


def _last(text: str, language: str) -> tuple[str, ...]:
    """Return `terms(text)[-_BEFORE:]` likewise."""
    found: list[str] = []
    for piece in reversed(text.split(" ")):
        found = terms(piece, language) + found
        if len(found) >= _BEFORE:
            break
    return tuple(found[-_BEFORE:])


def unmet(said: Sequence[Denied], there: Sequence[Denied]) -> tuple[Denied, ...]:
    """Return those negating words that meet none of the others; each meets one at most."""
    left, alone = list(there), []
    for each in said:
        near = max(left, key=lambda other: _shared(each, other), default=None)
        if near is None or not _shared(each, near):
            alone.append(each)
        else:
            left.remove(near)
    return tuple(alone)


def _shared(one: Denied, other: Denied) -> int:
    """Return how many stems two have in common; a negating word without any may mean what the other does."""
    if not one.stems or not other.stems:
        return 1
    return len(one.stems & other.stems)
