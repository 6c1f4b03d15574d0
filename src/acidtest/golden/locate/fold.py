"""Folding: a text as it is compared, without white space, typography and case; and the way back.

Every step works on one character at a time (what it makes of a text is as long as what it makes of the
text's characters), so that places in the folded text lead back to places in the text. White space goes
altogether: a chunk that was cut inside a word still continues in the next one.
"""

import re
import unicodedata
from array import array

from acidtest.text.scripts import UNSPACED

_QUOTES = dict.fromkeys("‘’‚‛′`´ʼ＇", "'") | dict.fromkeys("“”„‟″«»＂〝〞", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_UNSEEN = dict.fromkeys(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e"
    "\u2066\u2067\u2068\u2069\ufe0e\ufe0f\u0640",  # soft hyphen, joiners, directions, tatweel
    "",
)
_PLAIN: dict[str, str] = _QUOTES | _DASHES | _UNSEEN
_TYPOGRAPHY = re.compile(f"[{re.escape(''.join(_PLAIN))}]")  # much quicker than str.translate
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+")


def fold(text: str) -> str:
    """Return a text as it is compared: without white space, typography and case (NFKD)."""
    return without_case(fold_but_case(text))


def fold_but_case(text: str) -> str:
    """Return a text without white space and typography."""
    if text.isascii():
        return "".join(text.replace("`", "'").split())
    return "".join(_decomposed(text).split())


def without_case(folded: str) -> str:
    """Return what `fold_but_case` made, without case too."""
    return folded.casefold()


def tokens(text: str) -> list[str]:
    """Return the words of a text, folded; letters of scripts without spaces count as words."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    return _TOKEN.findall(_decomposed(text).casefold())


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", _TYPOGRAPHY.sub(_plain, text))


def _plain(match: re.Match[str]) -> str:
    return _PLAIN[match[0]]


class Folded:
    """A folded text that knows where its characters stood.

    Args:
        text: The text as it came.
    """

    __slots__ = ("_origins", "text")

    def __init__(self, text: str) -> None:
        self.text = fold(text)
        lengths = _Lengths()
        self._origins = array(
            "L", (at for at, letter in enumerate(text) for _ in range(lengths[letter]))
        )

    def __len__(self) -> int:
        return len(self.text)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the text that a filled range of the folded text came from."""
        return self._origins[start], self._origins[end - 1] + 1


class _Lengths(dict[str, int]):
    """How long each character is when it is folded."""

    def __missing__(self, letter: str) -> int:
        self[letter] = length = len(fold(letter))
        return length
