"""What is wrong with a draft: the closed list of reasons for which one is asked again, and dropped."""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.golden.abstain import is_marker
from acidtest.text.quotations import comparable
from acidtest.text.refusal import declined
from acidtest.text.reuse import reuse
from acidtest.text.scripts import main_script, scripts
from acidtest.text.words import content_words, words

MOST_COPIED = 0.6
"""Share of a question's words that may be copied from its chunks in runs of four."""

MOST_TOLD = 0.8
"""Share of a reference's content words that its question may hold already."""

REASONS = (
    "empty",
    "wrong quote",
    "too few quotes",
    "another language",
    "names its source",
    "gives the answer away",
    "copies the wording",
    "declines to answer",
    "repeats the earlier question",
    "not answered by its chunks",
    "one chunk is enough",
    "the corpus answers it",
    "same as another",
)
"""Why a draft is dropped, as reports count it; other drafts get `INVALID` or `FAILED`."""

INVALID = "no valid reply"
FAILED = "the model failed"

_SOURCE = re.compile(
    r"\b(?:passages?|excerpts?|text (?:above|block)|(?:the|this|given|provided) (?:text|context|snippet)"
    r"|(?:im|dem|diesem|vorliegenden) (?:text|abschnitt|auszug)|le (?:texte|passage)|el (?:texto|pasaje))\b"
    r"|(?:上述|这段|該|这篇)(?:文本|文字|段落|文章)|本文",
    re.IGNORECASE,
)
_FEW = 4
_TOLD = re.compile(
    "is not valid: (" + "|".join(map(re.escape, sorted(REASONS, key=len, reverse=True))) + r")\b"
)


def reason_in(message: str) -> str:
    """Return the reason that an error about an invalid reply names; `INVALID` for any other."""
    found = _TOLD.search(message)
    return found[1] if found else INVALID


def in_question(question: str, fields: Mapping[str, Any]) -> str | None:
    """Say what is wrong with a question to `passages`, in `language`; None when nothing is."""
    passages = fields["passages"]
    if not question.strip():
        return "empty: there is no question"
    if _speaks_otherwise(question, fields):
        return f"another language: the question is not in {fields['language'] or 'that of the passages'}"
    if (named := _SOURCE.search(question)) is not None and not any(
        named[0].casefold() in text.casefold() for text in passages
    ):
        return f"names its source: the question says {named[0]!r}; who asks has seen no passage"
    copied = max((reuse(question, text) for text in passages), default=0.0)
    if copied > MOST_COPIED:
        return (
            f"copies the wording: {copied:.0%} of the question stands in a passage, word for word; "
            "say it in other words"
        )
    return None


def in_reference(reference: str, question: str, *, choice: bool = False) -> str | None:
    """Say what is wrong with an answer to a question; None when nothing is.

    Args:
        reference: The answer.
        question: The question.
        choice: The answer may be one of the things that the question names.
    """
    if not reference.strip():
        return "empty: there is no answer"
    if is_marker(reference) or declined(reference).declined:
        return "declines to answer: the answer says that there is none"
    if told(reference, question, choice=choice):
        return "gives the answer away: the question holds its answer"
    return None


def told(reference: str, question: str, *, choice: bool = False) -> bool:
    """Say whether a question gives its answer away.

    It does when it holds the whole answer word for word, or over `MOST_TOLD` of the content words of an
    answer that has at least four. A comparison may name what it chooses between.
    """
    said = comparable(reference).strip(" .!?。！")
    if said in comparable(question) and not (choice and len(words(reference)) < _FEW):
        return True
    asked, terms = set(words(question)), content_words(reference)
    if len(terms) < _FEW or choice:
        return False
    return sum(term in asked for term in terms) > MOST_TOLD * len(terms)


def _speaks_otherwise(question: str, fields: Mapping[str, Any]) -> bool:
    """Tell another language by its script; those of one script are left to the prompt."""
    if fields["language"]:
        return False
    used = frozenset(script for text in fields["passages"] for script in scripts(text))
    return bool(used) and main_script(question) not in used
