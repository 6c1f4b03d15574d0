"""Terms: the content words of a text, cut to stems, so that inflected forms meet.

A stem is a word without its last letters: crude on purpose, the same for a claim and its source, and
no worse than real stemming at telling supported claims from others (measured; see the handbook).
"""

import re

from acidtest.text.placeholders import placeholder
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import words

_MARKERS = re.compile(
    r"\[(?P<cited>[^\[\]\s]{1,200})\]"  # [1], [refunds#2], [guide.pdf#page=4]: citations, not statements
    r"|\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){1,20}\]"
    r"|^[ \t]*(?:[-*•+][ \t]+|#{1,6}[ \t]+|(?:\*\*)?\(?\d{1,3}[.)](?=\s|\*\*|\Z))"  # list items, headings
    r"|(?<=[.!?:;…)\]”])\s+\d{1,2}[.)]\s*\Z"  # the marker of the next item, when it stuck to this sentence
    r"|\*{1,3}|`{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)",
    re.MULTILINE,
)
_WHOLE = 4
_DROPPED = 2


def unmarked(text: str) -> str:
    """Return a text without citation markers, list markers and emphasis, one space for all white space.

    A word in brackets cites nothing: `[email]` stands for an address that was taken out, and is text.
    """
    return squeezed(_MARKERS.sub(_nothing, text))


def _nothing(found: re.Match[str]) -> str:
    cited = found["cited"]
    return found[0] if cited and (_word(cited) or placeholder(cited)) else ""


def _word(cited: str) -> bool:
    return len(cited) > 1 and cited.isalpha()  # [a] and [x] are footnotes


def squeezed(text: str) -> str:
    """Return a text with one space for any white space: how it is typeset says nothing."""
    return " ".join(text.split())


def terms(text: str, language: str) -> list[str]:
    """Return the stems of a text's content words, in order."""
    stop = STOPWORDS.get(language, frozenset())
    return [stem(word) for word in words(text) if word not in stop]


def stem(word: str) -> str:
    """Return what stands for a word and its inflected forms: all but the last two letters."""
    if len(word) <= _WHOLE or not word.isalpha():
        return word
    return word[:-_DROPPED] if len(word) > _WHOLE + _DROPPED else word[:_WHOLE]
