"""Findings: what the wording says of one claim, before anybody rules on it."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from acidtest.judges.local.negated import denied, unmet
from acidtest.judges.local.opposites import opposed
from acidtest.judges.local.source import Source, Window
from acidtest.judges.local.terms import squeezed, stem, terms, unmarked
from acidtest.text import negation
from acidtest.text.names import names
from acidtest.text.numbers import Number, numbers, unmatched
from acidtest.text.placeholders import without_placeholders
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import unspaced, words

_MOST_WORDS = 400
_CAPITALS = 3  # words; fewer in capitals may be a name
_NEAR = 6  # stems between two that still count as standing in this order


@dataclass(frozen=True)
class Findings:
    """What was found of a claim in its source.

    Attributes:
        size: Content words, each counted once.
        window: The best window; None when no word is shared.
        share: Share of the content words that the window holds, 0..1.
        close: Mean of `share` and of the share of neighbouring words, function words included, that
            are neighbours in the window too, 0..1.
        missing: Content words that stand in no passage, as written.
        gap: Longest run of neighbouring content words that stand in no passage.
        order: Share of neighbouring content words, both in the window, that keep their order there.
        absent_numbers: Numbers, written in digits, that no passage holds.
        stray_numbers: Numbers that the window does not hold.
        absent_names: Names with a word that stands in no passage.
        unknown: In a claim all in capitals, where names cannot be told: the words of no passage.
        negation: The claim denies something that its nearest sentence does not.
        denial: Its nearest sentence denies something that the claim does not, or the window does and
            the claim denies nothing.
        opposite: A word of the claim, and its opposite that stands in the window instead.
        foreign: No passage is in the claim's language.
    """

    size: int
    window: Window | None
    share: float
    close: float
    missing: tuple[str, ...]
    gap: int
    order: float
    absent_numbers: tuple[str, ...]
    stray_numbers: tuple[str, ...]
    absent_names: tuple[str, ...]
    unknown: tuple[str, ...]
    negation: bool
    denial: bool
    opposite: tuple[str, str] | None
    foreign: bool


def findings(claim: str, source: Source, language: str) -> Findings:
    """Look a claim up in its source.

    Args:
        claim: One sentence.
        source: The passages.
        language: The language of the text that the claim is from.
    """
    text = unmarked(claim)
    sequence = terms(text, language)[:_MOST_WORDS]
    unique = dict.fromkeys(sequence)
    window = source.best(unique)
    share = len(window.holds) / len(unique) if window else 0.0
    in_claim = numbers(without_placeholders(text), language=language)
    absent = [n for n in unmatched(in_claim, source.numbers) if _digits(n.raw)] if in_claim else []
    stray = unmatched(in_claim, numbers(squeezed(window.text))) if window and in_claim else in_claim
    missing = _written(text, language, source)
    capitals = _capitals(text)
    negation, denial = _turned(text, language, window, unique) if window else (False, False)
    return Findings(
        size=len(unique),
        window=window,
        share=share,
        close=(share + _neighbours(text, window.sequence)) / 2 if window else 0.0,
        missing=missing,
        gap=_longest([item not in source for item in sequence], sequence),
        order=_order(sequence, window.sequence) if window else 0.0,
        absent_numbers=tuple(n.raw for n in absent),
        stray_numbers=tuple(n.raw for n in stray),
        absent_names=() if capitals else _absent_names(text, language, source, in_claim),
        unknown=missing if capitals else (),
        negation=negation,
        denial=denial,
        opposite=opposed(text, window.text) if window else None,
        foreign=bool(source.languages) and language not in source.languages,
    )


def _turned(text: str, language: str, window: Window, claimed: Container[str]) -> tuple[bool, bool]:
    """Say whether the claim denies what its source does not, and the other way round."""
    said = denied(text, language)
    nearest = denied(squeezed(window.nearest), language)
    if not said:
        return False, bool(negation.places(squeezed(window.text), language=language))
    turned = any(each.after and each.after[0] in claimed for each in unmet(nearest, said))
    return bool(unmet(said, nearest)), turned


def _neighbours(text: str, window: Sequence[str]) -> float:
    """Return the share of a claim's neighbouring words that are neighbours in the window, in this order."""
    said = set(pairwise([stem(word) for word in words(text)[:_MOST_WORDS]]))
    return len(said.intersection(pairwise(window))) / len(said) if said else 1.0


def _written(text: str, language: str, source: Source) -> tuple[str, ...]:
    stop = STOPWORDS.get(language, frozenset())
    fresh = (w for w in words(text)[:_MOST_WORDS] if w not in stop and stem(w) not in source)
    return tuple(dict.fromkeys(fresh))


def _absent_names(
    text: str, language: str, source: Source, in_claim: Sequence[Number]
) -> tuple[str, ...]:
    units = [(n.start, n.end) for n in in_claim]  # "49 EUR": a unit, not a name
    return tuple(
        name.text
        for name in names(text, language=language)
        if _absent(name.text, source) and not any(a < name.end and name.start < b for a, b in units)
    )


def _absent(name: str, source: Source) -> bool:
    if unspaced(name):  # no capitals there: what looks like a name is a run of words
        return False
    return any(stem(w) not in source and stem(w.rstrip("s")) not in source for w in words(name))


def _capitals(text: str) -> bool:
    """Say whether a text is in capitals from end to end: then they mark no names."""
    return text.isupper() and len(text.split()) >= _CAPITALS


def _digits(raw: str) -> bool:
    return any(character.isdigit() for character in raw)


def _longest(missing: Sequence[bool], sequence: Sequence[str]) -> int:
    """Return the longest run of missing words.

    Where words are pairs of letters, one unknown word of two letters makes three unknown pairs.
    """
    longest = run = 0
    pairs = False
    for lacks, item in zip(missing, sequence, strict=True):
        run = run + 1 if lacks else 0
        pairs = lacks and unspaced(item)
        longest = max(longest, run // 2 if pairs else run)
    return longest


def _order(sequence: Sequence[str], window: Sequence[str]) -> float:
    places: dict[str, list[int]] = {}
    for place, item in enumerate(window):
        places.setdefault(item, []).append(place)
    kept = pairs = 0
    for first, second in pairwise(sequence):
        if first in places and second in places:
            pairs += 1
            kept += any(0 < b - a <= _NEAR for a in places[first][:20] for b in places[second][:20])
    return kept / pairs if pairs else 1.0
