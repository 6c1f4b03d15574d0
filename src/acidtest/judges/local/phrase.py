"""Answers against a short reference - a name, a number, a phrase: is it there, or not?

What the question says already tells nothing: asked which battle ended the war, "battle" is in every answer.
So only the words of the reference that the question has not are looked for, wherever they stand.
"""

import re
from collections.abc import Sequence

from acidtest.judges.local.rules import Thresholds
from acidtest.judges.local.terms import stem, unmarked
from acidtest.text import negation
from acidtest.text.language import guess
from acidtest.text.numbers import Number, numbers, unmatched
from acidtest.text.sentences import sentences
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import words

_FEW = 3  # words from which on one may be missing: "Anna Smith" for "Anna Maria Smith"
_STUCK = re.compile(
    r"(?<=[a-z])(?=[A-Z0-9])"
)  # "byAnna Smith1": a word, a name and a citation mark


def short(reference: str, said: str, question: str, cut: Thresholds) -> tuple[str, str]:
    """Return the verdict on an answer, and why in one sentence.

    Args:
        reference: A few words.
        said: The answer.
        question: What was asked; empty when nobody knows.
        cut: Where the rules cut.
    """
    expected, given = _STUCK.sub(" ", unmarked(reference)), _STUCK.sub(" ", said)
    language = guess(expected)
    there, counted = {stem(word) for word in words(given)}, numbers(given)
    wanted = _telling(expected, question, language)
    missing = [word for word in wanted if not _held(word, there, counted, language)]
    if len(missing) == len(wanted):
        return "incorrect", f"it holds no word of the reference ({', '.join(missing[:6])})"
    if bool(negation.cues(expected, language=language)) != _negated(given, wanted, language):
        return "undecided", "one of answer and reference is negated"
    stray = unmatched(numbers(expected, language=language), counted)
    if stray:
        return "undecided", f'it has not "{stray[0].raw[:60]}" of the reference'
    if not missing:
        return "correct", "it holds every word of the reference"
    if len(wanted) >= _FEW and len(wanted) - len(missing) >= cut.most * len(wanted):
        return "correct", f"it holds the reference but for {', '.join(missing[:6])}"
    return "undecided", f"it holds a part of the reference; missing: {', '.join(missing[:6])}"


def _telling(reference: str, question: str, language: str) -> list[str]:
    """Return the content words of a reference that the question has not; all, if it has all."""
    stop = STOPWORDS.get(language, frozenset())
    content = [word for word in dict.fromkeys(words(reference)) if word not in stop]
    asked = {stem(word) for word in words(question)}
    return [word for word in content if stem(word) not in asked] or content


def _held(word: str, there: set[str], counted: Sequence[Number], language: str) -> bool:
    if stem(word) in there:
        return True
    value = numbers(word, language=language)  # "four" and 4
    return bool(value) and not unmatched(value, counted)


def _negated(said: str, wanted: Sequence[str], language: str) -> bool:
    """Say whether that sentence of an answer is negated which holds most of the reference."""
    sought = {stem(word) for word in wanted}
    nearest = max(
        sentences(said) or [said],
        key=lambda sentence: len(sought.intersection(map(stem, words(sentence)))),
    )
    return bool(negation.cues(nearest, language=language))
