"""Words: the case-folded tokens of a text, in scripts with and without spaces.

Chinese, Japanese and Korean become character bigrams, as the CJK analysers of search engines do it;
Thai, Lao, Khmer and Myanmar become bigrams of letters with their vowel signs and tones.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator

from acidtest.text.language import guess
from acidtest.text.scripts import CJK, HANGUL, MARKS, SOUTH_EAST_ASIAN, WORD
from acidtest.text.stopwords import STOPWORDS

_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|{WORD}+(?:['’]{WORD}+)*")
_ASCII_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:'\w+)*", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUP = re.compile(r",\d")
_RUN = re.compile(
    rf"(?P<pairs>[{CJK}{HANGUL}]+)|(?P<clusters>[{SOUTH_EAST_ASIAN}]+)|[^{CJK}{HANGUL}{SOUTH_EAST_ASIAN}]+"
)
_CLUSTER = re.compile(rf"[^{MARKS}][{MARKS}]*|[{MARKS}]+")
_ELIDED = frozenset(
    [
        "l",
        "d",
        "j",
        "m",
        "n",
        "s",
        "t",
        "c",
        "qu",
        "un",
        "jusqu",
        "lorsqu",
        "puisqu",
        "dell",
        "all",
        "nell",
        "sull",
        "dall",
    ]
)


def words(text: str) -> list[str]:
    """Return the words of a text, case-folded and compatibility-normalised (NFKC), in order.

    A number keeps its decimals and loses its thousands separators (`1,000` is `1000`), an English
    possessive loses its `'s`, a French or Italian elision becomes a word of its own.
    """
    if text.isascii():
        tokens = _ASCII_TOKEN.findall(text.casefold())
        if "'" not in text and not _GROUP.search(text):
            return tokens
    else:
        tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
    found: list[str] = []
    for token in tokens:
        if token.isascii() and "'" not in token and "," not in token:
            found.append(token)  # most are: there is nothing to split
        else:
            found.extend(_split(token))
    return found


def content_words(text: str, *, language: str | None = None) -> list[str]:
    """Return the words of a text without its function words.

    Args:
        text: Any text.
        language: ISO 639-1 code; guessed when None. Languages without a list lose nothing.
    """
    stop = STOPWORDS.get(language or guess(text), frozenset())
    return [word for word in words(text) if word not in stop]


def characters(token: str) -> list[str]:
    """Split the parts of a token that write no spaces into letters; other parts stay whole.

    What is neither letter, mark nor digit is dropped beside such a part, since these scripts attach
    their punctuation.
    """
    pieces: list[str] = []
    for run in _RUN.finditer(token):
        if run.lastgroup is None:
            pieces.extend(re.findall(rf"{WORD}+", run[0]))
        else:
            pieces.extend(_CLUSTER.findall(run[0]))
    return pieces


def unspaced(token: str) -> bool:
    """Say whether a token holds letters of a script that writes no spaces (Korean writes them)."""
    return _UNSPACED.search(token) is not None


_UNSPACED = re.compile(f"[{CJK}{SOUTH_EAST_ASIAN}]")


def _split(token: str) -> Iterator[str]:
    if token[0].isdigit() and _GROUPED.fullmatch(token):
        yield token.replace(",", "")
    elif "'" in token or "’" in token:
        head, *rest = token.replace("’", "'").split("'")
        tail = "'".join(rest)
        if tail == "s":
            yield from _pieces(head)
        elif head in _ELIDED:
            yield head
            yield from _pieces(tail)
        else:
            yield from _pieces(f"{head}'{tail}")
    else:
        yield from _pieces(token)


def _pieces(token: str) -> Iterator[str]:
    if token.isascii():
        yield token
        return
    for run in _RUN.finditer(token):
        if run.lastgroup is None:
            yield run[0]
            continue
        letters = list(run[0]) if run.lastgroup == "pairs" else _CLUSTER.findall(run[0])
        if len(letters) == 1:
            yield letters[0]
        for first, second in itertools.pairwise(letters):
            yield first + second
