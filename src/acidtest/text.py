"""Text to sentences, words and numbers, in many scripts. (First sketch.)"""

import re

import sentencex


def sentences(text: str, *, language: str = "en") -> list[str]:
    """Split a text into sentences."""
    return [s.strip() for s in sentencex.segment(language, text) if s.strip()]


def words(text: str) -> list[str]:
    """Return the case-folded words of a text."""
    return re.findall(r"\w+", text.casefold())
