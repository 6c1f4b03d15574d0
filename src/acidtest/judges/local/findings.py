"""Findings: what the wording says of one claim, before anybody rules on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from acidtest.judges.local.claim import Claim, claim
from acidtest.judges.local.negated import denied, unmet
from acidtest.judges.local.opposites import opposed
from acidtest.judges.local.source import Source, Window
from acidtest.judges.local.terms import squeezed
from acidtest.text import negation
from acidtest.text.numbers import lacking, numbers, unmatched
from acidtest.text.words import unspaced

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


def findings(sentence: str, source: Source, language: str) -> Findings:
    """Look a claim up in its source.

    Args:
        sentence: The claim: one sentence.
        source: The passages.
        language: The language of the text that the claim is from.
    """
    said = claim(sentence, language)
    window = source.best(said.unique)
    share = len(window.holds) / len(said.unique) if window else 0.0
    absent = stray = list(said.numbers)
    if said.numbers:
        absent = [n for n in lacking(said.numbers, [source.by_value]) if _digits(n.raw)]
    if said.numbers and window:
        stray = unmatched(said.numbers, numbers(squeezed(window.text)))
    missing = tuple(word for word, stemmed in said.written if stemmed not in source)
    negation, denial = _turned(said, window) if window else (False, False)
    return Findings(
        size=len(said.unique),
        window=window,
        share=share,
        close=(share + _neighbours(said, window.sequence)) / 2 if window else 0.0,
        missing=missing,
        gap=_longest([item not in source for item in said.sequence], said.sequence),
        order=_order(said.sequence, window.sequence) if window else 0.0,
        absent_numbers=tuple(n.raw for n in absent),
        stray_numbers=tuple(n.raw for n in stray),
        absent_names=() if said.capitals else _absent_names(said, source),
        unknown=missing if said.capitals else (),
        negation=negation,
        denial=denial,
        opposite=opposed(said.text, window.text) if window else None,
        foreign=bool(source.languages) and language not in source.languages,
    )


def _turned(said: Claim, window: Window) -> tuple[bool, bool]:
    """Say whether the claim denies what its source does not, and the other way round."""
    mine = denied(said.text, said.language)
    if not mine:
        return False, bool(negation.places(squeezed(window.text), language=said.language))
    nearest = denied(squeezed(window.nearest), said.language)
    turned = any(each.after and each.after[0] in said.unique for each in unmet(nearest, mine))
    return bool(unmet(mine, nearest)), turned


def _neighbours(said: Claim, window: Sequence[str]) -> float:
    """Return the share of a claim's neighbouring words that are neighbours in the window, in this order."""
    pairs = said.neighbours
    return len(pairs.intersection(pairwise(window))) / len(pairs) if pairs else 1.0


def _absent_names(said: Claim, source: Source) -> tuple[str, ...]:
    return tuple(
        name.text
        for name in said.names
        if any(whole not in source and singular not in source for whole, singular in name.stems)
    )


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
    wanted = set(sequence)
    places: dict[str, list[int]] = {}
    for place, item in enumerate(window):
        if item in wanted:
            places.setdefault(item, []).append(place)
    kept = pairs = 0
    for first, second in pairwise(sequence):
        if first in places and second in places:
            pairs += 1
            kept += any(0 < b - a <= _NEAR for a in places[first][:20] for b in places[second][:20])
    return kept / pairs if pairs else 1.0
