"""Names: proper names, identifiers and addresses, by their shape.

A guess without a dictionary. What it cannot see: names at a sentence's start alone, names in lower case,
and names in scripts without capitals. German capitalises every noun, so there only several
capitalised words in a row that are no common sentence, acronyms and identifiers count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from acidtest.text.language import guess
from acidtest.text.stopwords import STOPWORDS

Kind = Literal["email", "url", "identifier", "acronym", "proper"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text.

    Attributes:
        kind: What its shape says it is.
        text: As written.
        start: Offset in the text.
        end: Offset after it.
        opens: It opens a sentence, so that the first word's capital says nothing.
    """

    kind: Kind
    text: str
    start: int
    end: int
    opens: bool = False

    @property
    def key(self) -> str:
        """What to compare by: case-folded, with hyphens, underscores and spaces alike."""
        return re.sub(r"[-_\s]+", " ", self.text.casefold())


_ADDRESS = re.compile(
    r"(?P<url>(?:https?://|www\.)[^\s<>\"'()\[\]`]{1,2000})"
    r"|(?P<email>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})"
)
_WORD = re.compile(r"[^\W_](?:[\w'’]|[-./&](?=[^\W_]))*")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}")
_CAPS = re.compile(r"[A-Z][A-Z0-9&]+s?")
_DIGITS_AND_LETTERS = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_MEASURE = re.compile(
    r"v?\d[\d.,/-]*(?:st|nd|rd|th|k|m|bn|am|pm|[a-z]{1,2}|[A-Z]{1,2}|[kMG]?[Bb]ps|-(?!.*\d)[\w-]+)?",
)
_OPENS = re.compile(r"[^\w\s,;&/%€$£+=-][\s*#>_`\"'“”„«»‘’(\[)\]-]*\Z|\n[\s*#>_`\"'“„«‘(\[-]*\Z")
_ROMAN = re.compile(r"[IVXLC]+")
_MONTHS_AND_DAYS = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
)
_LONGEST_WORD = 100
_LONGEST_RUN = 8


def names(text: str, *, language: str | None = None) -> list[Name]:
    """Return the names of a text, in order.

    Args:
        text: Any text.
        language: ISO 639-1 code; guessed when None.
    """
    found: list[Name] = []
    pieces, last = [], 0
    for match in _ADDRESS.finditer(text):
        raw = match[0].rstrip(".,;:!?")
        found.append(
            Name("email" if match["email"] else "url", raw, match.start(), match.start() + len(raw))
        )
        pieces += [text[last : match.start()], " " * len(match[0])]
        last = match.end()
    work = "".join([*pieces, text[last:]])
    found.extend(_in_words(work, language or guess(text)))
    return sorted(found, key=lambda n: n.start)


def _in_words(text: str, language: str) -> Iterator[Name]:
    """Yield identifiers and acronyms word by word, and runs of capitalised words as one name."""
    stop = STOPWORDS.get(language, frozenset())
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        word = match[0]
        kind = _shape(word)
        capital = (
            kind is None
            and word[0].isupper()
            and len(word) <= _LONGEST_WORD
            and not (len(word) > 1 and _ROMAN.fullmatch(word))
        )
        joins = run and text[run[-1].end() : match.start()] in {" ", "\u00a0"}
        if run and not (capital and joins):
            yield from _proper(text, run, stop, language)
            run = []
        if kind:
            yield Name(kind, word, match.start(), match.end())
        elif capital:
            run.append(match)
    if run:
        yield from _proper(text, run, stop, language)


def _shape(word: str) -> Kind | None:
    if len(word) > _LONGEST_WORD or len(word) < 2:
        return None
    bare = word.removesuffix("'s").removesuffix("’s")
    if "_" in bare or _INNER_CAPITAL.search(bare):
        return "identifier"
    if _DIGITS_AND_LETTERS.search(bare):
        return None if _MEASURE.fullmatch(bare) else "identifier"
    if _CAPS.fullmatch(bare) and not _ROMAN.fullmatch(bare):
        return "acronym"
    return None


def _proper(
    text: str, run: list[re.Match[str]], stop: frozenset[str], language: str
) -> Iterator[Name]:
    """Yield the name in a run of capitalised words, less what only opens a sentence."""
    if len(run) > _LONGEST_RUN:  # a heading in title case
        return
    words = [match[0] for match in run]
    functional = [word.casefold() in stop for word in words]
    first, last = 0, len(run)
    opens = _opens_sentence(text, run[0].start())
    if opens:
        first = 1 if functional[0] or last == 1 else 0
    while first < last and functional[first]:
        first += 1
    while first < last and functional[last - 1]:
        last -= 1
    named = words[first:last]
    if len(named) < (2 if language == "de" else 1):
        return
    if all(word.casefold() in _MONTHS_AND_DAYS for word in named):
        return
    start = run[first].start()
    raw = text[start : run[last - 1].end()].removesuffix("'s").removesuffix("’s")
    yield Name("proper", raw, start, start + len(raw), opens=opens and first == 0)


def _opens_sentence(text: str, start: int) -> bool:
    before = text[start - 12 : start] if start > 12 else f"\n{text[:start]}"
    return _OPENS.search(before) is not None
