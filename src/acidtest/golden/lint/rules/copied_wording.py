"""Questions in the words of their chunk: any search by words finds it, so they are too easy."""

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize

from acidtest.golden.grow.faults import MOST_COPIED
from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.text.reuse import RUN
from acidtest.text.words import words

LEAST_WORDS = 6
"""A question of fewer words may be no more than a name."""

_LOOK = 2_000  # characters of a question


def _check(subject: Subject) -> Iterator[Hit]:
    runs = lru_cache(maxsize=4_096)(_runs)
    folded = lru_cache(maxsize=4_096)(_fold)
    for case in subject.golden:
        if not case.answerable or len(case.question) > _LOOK:
            continue
        texts = subject.texts(case)
        if not texts:
            continue
        said: list[str] = []
        for text in texts:
            said = said or words(case.question)
            if len(said) < LEAST_WORDS or not _may(said, folded(text)):
                continue
            share = _copied(said, runs(text))
            if share > MOST_COPIED:
                told = f"{share:.0%} of the question stands in its chunk word for word"
                yield Hit(message=f"{told}: {case.question[:200]}", cases=(case.id,))
                break


def _may(said: list[str], source: str) -> bool:
    """Say whether so many of the words stand in a source at all; far quicker than looking for runs."""
    return sum(word in source for word in said) > MOST_COPIED * len(said)


def _fold(text: str) -> str:
    return text.casefold() if text.isascii() else normalize("NFKC", text).casefold()


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    held = words(text)
    return frozenset(tuple(held[at : at + RUN]) for at in range(len(held) - RUN + 1))


def _copied(said: list[str], runs: frozenset[tuple[str, ...]]) -> float:
    """As `text.reuse.reuse`, over runs that are kept from case to case."""
    copied: set[int] = set()
    for at in range(len(said) - RUN + 1):
        if tuple(said[at : at + RUN]) in runs:
            copied.update(range(at, at + RUN))
    return len(copied) / len(said)


RULE = Rule(
    name="copied-wording",
    severity="warning",
    about="a question that copies more than 60 % of its words from its chunk, in runs of four",
    fix="Ask it in the words of somebody who has not read the document.",
    check=_check,
)
