"""Citation markers in an answer: `[1]`, `[2, 3]`, `[4-6]`, `[c12]`, `[handbook.md#p3]`, `【1】`, `[^1]`."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from acidtest.text.placeholders import placeholder


@dataclass(frozen=True, slots=True)
class Marker:
    """One pair of brackets that cites.

    Attributes:
        labels: What it cites, as written, ranges written out.
        start: Offset of the opening bracket.
        end: Offset after the closing one.
    """

    labels: tuple[str, ...]
    start: int
    end: int


_BRACKETS = re.compile(r"[\[【]([^\[\]【】\n]{1,200})[\]】](?!\()")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,500}`", re.DOTALL)
_NUMBER = re.compile(r"\^?\d{1,3}")
_RANGE = re.compile(r"(\d{1,3})\s?[-–]\s?(\d{1,3})")
_NUMBERED = re.compile(
    r"(?:doc|document|docs|dok|dokument|source|src|quelle|fuente|fonte|chunk|passage|context|kontext"
    r"|excerpt|ref|reference|citation|cite|note|footnote|no|nr)[ .#_-]{0,2}\d{1,3}",
    re.IGNORECASE,
)
"""Words that count: `[doc 3]` is the third. `[refunds#1]` is an id, and one that may be invented."""
_ID = re.compile(
    r"(?=[^\s]*[^\W\d_])(?:[^\s]*\d[^\s]*|[^\s]*[#_][^\s]*|[^\s]+\.[a-z]{2,5}|\w+://[^\s]+)"
)
_LONGEST_RANGE = 50


def markers(text: str, known: Collection[str] = ()) -> list[Marker]:
    """Return the citation markers of a text, in order.

    Brackets cite when each of their parts is a small number, a numbered source (`doc 3`), an id (no
    space; letters with digits, `#`, `_` or a file's ending), or a known id. Links, code, words in
    brackets (`[optional]`) and what stands for something taken out (`[email]`, `[PERSON_1]`) do not cite.

    Args:
        text: An answer.
        known: Ids that count whatever they look like.
    """
    folded = {name.casefold() for name in known}
    code = [match.span() for match in _CODE.finditer(text)]
    found: list[Marker] = []
    at = 0
    for match in _BRACKETS.finditer(text):
        while at < len(code) and code[at][1] <= match.start():
            at += 1
        if at < len(code) and code[at][0] <= match.start():
            continue
        labels = _labels(match[1].strip(), folded)
        if labels:
            found.append(Marker(labels, match.start(), match.end()))
    return found


def blanked(text: str, found: Collection[Marker]) -> str:
    """Return the text with spaces where the markers stood, so that offsets stay."""
    pieces, last = [], 0
    for marker in found:
        pieces += [text[last : marker.start], " " * (marker.end - marker.start)]
        last = marker.end
    return "".join([*pieces, text[last:]])


def uncited(text: str) -> str:
    """Return the text without its markers; a text of nothing but markers stays as it is."""
    bare = blanked(text, markers(text))
    return bare if bare.strip() else text


def _labels(inner: str, known: Collection[str]) -> tuple[str, ...]:
    if inner.casefold() in known:
        return (inner,)
    labels: list[str] = []
    for part in re.split(r"\s*[,;，；、]\s*", inner):
        reach = _RANGE.fullmatch(part)
        if reach and int(reach[1]) < int(reach[2]) <= int(reach[1]) + _LONGEST_RANGE:
            labels += map(str, range(int(reach[1]), int(reach[2]) + 1))
        elif part.casefold() in known or _cites(part):
            labels.append(part.removeprefix("^"))
        else:
            return ()
    return tuple(dict.fromkeys(labels))


def _cites(part: str) -> bool:
    shaped = any(shape.fullmatch(part) for shape in (_NUMBER, _NUMBERED, _ID))
    return shaped and not placeholder(part)


def rank_of(label: str) -> int | None:
    """Return the rank that a label counts to (`3`, `doc 3`, `#3`); None when it is no number."""
    match = re.fullmatch(r"#?(\d{1,3})", label) or (
        re.search(r"(\d{1,3})\Z", label) if _NUMBERED.fullmatch(label) else None
    )
    return int(match[1]) if match else None


def parts(labels: Collection[str]) -> Iterator[str]:
    """Yield labels without the brackets that some pipelines leave around them."""
    for label in labels:
        bare = label.strip().strip("[]【】").strip()
        if bare:
            yield bare
