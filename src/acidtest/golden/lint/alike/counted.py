"""The words of a question that count when two are compared."""

import re
from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from acidtest.data.golden import Case
from acidtest.golden.lint.alike.harmless import DIRECTED, PARTICLES, harmless
from acidtest.text.language import guess
from acidtest.text.scripts import UNSPACED
from acidtest.text.words import words

_OPENINGS = {("how", "to"), ("what", "about")}
_LOOK = 20_000
"""Characters of a question that are compared word by word; what follows must be the same."""

_SIGNS = "+#%€$£¥°<>=≥≤≠&@*/~^|"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|\w+|[{re.escape(_SIGNS)}]")
_ASCII_SIGN = re.compile(
    rf"[{re.escape(_SIGNS)}]|[^\w\s\x00-\x7f‘’‚‛“”„‟«»®™©–—…¿¡、。，！？；：「」『』（）．]"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_PARTICLE = re.compile("|".join(PARTICLES))
_CAPITAL = re.compile(r"[^\W\d_]*[A-ZÀ-ÖØ-ÞА-Я]\w*")
_SIBILANT_E = ("se", "xe", "ze", "che", "she")
_SHORT = re.compile(r"[’'](?:s|re|m)\b")


class Counted(Struct, frozen=True, eq=False, kw_only=True):
    """What two questions are compared by.

    Attributes:
        words: The counted words: case-folded, plurals as singulars, harmless ones left out; in order.
        fixed: Those of them that must be the same: they have a digit, or are names by their shape.
        directed: Their order matters.
        before: What was said before; only questions after the same turns are compared.
    """

    words: tuple[str, ...]
    fixed: frozenset[str]
    directed: bool
    before: str

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal for questions that differ in harmless words and order only."""
        ordered = self.words if self.directed else tuple(sorted(self.words))
        return self.before, self.directed, ordered


def counted(case: Case) -> Counted:
    """Return what a question is compared by."""
    text = case.question[:_LOOK]
    spoken = _tokens(text)
    leave = harmless(spoken, text)
    kept = [word for word in spoken if word not in leave] or spoken
    if tuple(kept[:2]) in _OPENINGS:
        del kept[1]
    found = [_singular(word) for word in kept]
    if not found:  # signs alone
        found.append(f"{' '.join(text.split())} ")
    rest = case.question[_LOOK:]
    if rest:
        found.append(f"0x{blake2b(rest.encode('utf-8', 'replace'), digest_size=8).hexdigest()}")
    return Counted(
        words=tuple(found),
        fixed=frozenset(_fixed(text, found)),
        directed=not DIRECTED.isdisjoint(kept),
        before=before(case),
    )


def before(case: Case) -> str:
    """Return what was said before a question, as it is compared."""
    return "\n".join(" ".join(turn.text.casefold().split()) for turn in case.history)


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _TOKEN.findall(_SHORT.sub("", text.lower()))
    if _UNSPACED.search(text):
        text = _PARTICLE.sub(" ", text)
    return words(_SHORT.sub("", text)) + _ASCII_SIGN.findall(text)


def _singular(word: str) -> str:
    """Return a word without the s of an English plural; what it does to other words it does to both."""
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" and word.isascii():
        word = f"{word[:-3]}y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    # "buses" and "houses" look alike: both lose the e, and so does "house".
    if len(word) > 3 and word.endswith(_SIBILANT_E):
        word = word[:-1]
    return "what" if word == "which" else word


def _fixed(text: str, found: list[str]) -> Iterator[str]:
    for word in found:
        if not word.isalpha() and (not word[0].isalpha() or any(map(str.isdigit, word))):
            yield word
    if text.islower():
        return
    # In German a capital names nothing.
    german = not text.isascii() and guess(text) == "de"
    opening = True
    for match in _CAPITAL.finditer(text):
        word = match[0]
        inner = not word[1:].islower()
        opens, opening = opening and not text[: match.start()].strip(" ¿¡\"'"), False
        if inner or not (opens or german):
            yield _singular(word.casefold())
