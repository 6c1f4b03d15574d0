"""Questions that hold their answer: they are answered without the corpus."""

import re
from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.text.question_kind import question_kinds
from acidtest.text.quotations import comparable
from acidtest.text.words import content_words, unspaced

_EDGE = " .,;:!?\"'()。、！？"
_LEAST = 4  # characters
_LOOK = 500  # characters of a reference
_CHOICE = re.compile(r"\b(?:or|oder|ou|o|of|vs\.?|versus)\b|还是|還是", re.IGNORECASE)


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        if not case.answerable or not case.reference or len(case.reference) > _LOOK:
            continue
        answer = comparable(case.reference).strip(_EDGE)
        if len(answer) >= _LEAST and _holds(case.question, answer) and not _choice(case.question):
            yield Hit(message=f"the question holds its answer: {answer[:200]}", cases=(case.id,))


def _holds(question: str, answer: str) -> bool:
    asked = comparable(question)
    if answer not in asked:
        return False
    at_words = (
        unspaced(answer) or re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", asked) is not None
    )
    return at_words and bool(content_words(answer))


def _choice(question: str) -> bool:
    """Say whether one of the things that a question names may be its answer."""
    kinds = question_kinds(question)
    return "comparison" in kinds or "yes-no" in kinds or _CHOICE.search(question) is not None


RULE = Rule(
    name="answer-in-question",
    severity="warning",
    about="a question that holds its whole answer word for word",
    fix="Ask without saying it.",
    check=_check,
)
