"""Answers against a short reference - a name, a number, a phrase: is it there, or not?

What the question says already tells nothing: asked which battle ended the war, "battle" is in every answer.
So only the words of the reference that the question has not are looked for, wherever they stand.
"""

import re
from collections.abc import Sequence

from acidtest.judges.local.opposites import opposed
from acidtest.judges.local.terms import squeezed, stem, unmarked
from acidtest.text import negation
from acidtest.text.language import guess
from acidtest.text.numbers import Number, holds, numbers, unmatched
from acidtest.text.sentences import sentences
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import words

_WRONG = re.compile(
    r"\b(?:wrong|incorrect(?:ly)?|false|untrue|myth|falsch|faux|falso|falsa|incorrecto|onjuist)\b",
    re.IGNORECASE,
)
"""Words that deny what stands beside them, though they negate no verb."""
_STUCK = re.compile(
    r"(?<=[a-z])(?=[A-Z0-9])"
)  # "byAnna Smith1": a word, a name and a citation mark


def short(reference: str, said: str, question: str) -> tuple[str, str]:
    """Return the verdict on an answer, and why in one sentence.

    Args:
        reference: A few words.
        said: The answer.
        question: What was asked; empty when nobody knows.
    """
    expected, given = _STUCK.sub(" ", unmarked(reference)), _STUCK.sub(" ", squeezed(said))
    language = guess(expected)
    there, counted = {stem(word) for word in words(given)}, numbers(given)
    wanted = _telling(expected, question, language)
    there |= _units(numbers(expected, language=language), counted)
    missing = [word for word in wanted if not _held(word, there, counted, language)]
    turned = opposed(expected, given)
    if len(missing) == len(wanted):
        return "incorrect", f"it holds no word of the reference ({', '.join(missing[:6])})"
    if _denies(expected, language) != _denies(_nearest(given, wanted), language):
        return "undecided", "one of answer and reference is negated"
    stray = unmatched(numbers(expected, language=language), counted)
    if stray:
        return "undecided", f'it has not "{stray[0].raw[:60]}" of the reference'
    if turned:
        return "undecided", f'it has "{turned[1][:60]}" for "{turned[0][:60]}" of the reference'
    if missing:
        return "undecided", f"it holds a part of the reference; missing: {', '.join(missing[:6])}"
    return "correct", "it holds every word of the reference"


def _telling(reference: str, question: str, language: str) -> list[str]:
    """Return the content words of a reference that the question has not; all, if it has all."""
    stop = STOPWORDS.get(language, frozenset())
    content = [word for word in dict.fromkeys(words(reference)) if word not in stop]
    asked = {stem(word) for word in words(question)}
    return [word for word in content if stem(word) not in asked] or content


def _units(expected: Sequence[Number], counted: Sequence[Number]) -> set[str]:
    """Return the stems of the units that the answer may write otherwise: "49 euros" and "€49"."""
    same = (n for n in expected if any(n.unit == c.unit and holds(c, n) for c in counted))
    return {stem(word) for n in same if n.unit for word in words(n.raw)}


def _held(word: str, there: set[str], counted: Sequence[Number], language: str) -> bool:
    if stem(word) in there:
        return True
    value = numbers(word, language=language)  # "four" and 4
    return bool(value) and not unmatched(value, counted)


def _nearest(said: str, wanted: Sequence[str]) -> str:
    """Return the sentence of an answer that holds most of the reference."""
    sought = {stem(word) for word in wanted}
    return max(
        sentences(said) or [said],
        key=lambda sentence: len(sought.intersection(map(stem, words(sentence)))),
    )


def _denies(text: str, language: str) -> bool:
    return bool(negation.cues(text, language=language)) or _WRONG.search(text) is not None
