"""Quotations: the spans that a text puts in quotation marks, and whether a source holds them."""

import re
import unicodedata

from acidtest.text.words import unspaced

_PAIRS = ("“”", "„“", "„”", "«»", "»«", "「」", "『』", "‹›", "＂＂")
_SPAN = re.compile(
    # a straight mark opens after a space or bracket only: 5" is a length
    "|".join(
        [
            r"(?<![^\s(\[{*_:—–-])\"(?=\S)([^\"\n]{1,2000})(?<=\S)\"",
            *(f"{pair[0]}([^{pair}\n]{{1,2000}}){pair[1]}" for pair in _PAIRS),
        ]
    )
)
_ELLIPSIS = re.compile(r"\s*(?:\[?\.{3}\]?|\[?…\]?)\s*")
_SAME = str.maketrans("‘’‚‛′“”„‟″«»–—‐‑−", '\'\'\'\'\'"""""""-----')
_LEAST = 6  # characters
_EDGE = " \t.,;:!?。，、；：！？\"'"


def quotations(text: str) -> list[str]:
    """Return what stands in quotation marks and is more than one word held at arm's length."""
    found = ("".join(filter(None, match.groups())).strip() for match in _SPAN.finditer(text))
    return [span for span in found if len(span) >= _LEAST and (" " in span or unspaced(span))]


def held(quotation: str, source: str) -> bool:
    """Say whether a source holds a quotation word for word.

    Case, white space, the kind of quotes and dashes, and punctuation at the ends may differ; an
    ellipsis stands for any text between two parts, which must come in order.
    """
    return held_in(quotation, comparable(source))


def held_in(quotation: str, prepared: str) -> bool:
    """`held` for a source that `comparable` has prepared already."""
    at = 0
    for part in _ELLIPSIS.split(quotation):
        wanted = comparable(part).strip(_EDGE)
        if not wanted:
            continue
        at = prepared.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted)
    return True


def comparable(text: str) -> str:
    """Return a text as quotations are compared: folded, one space, plain quotes and dashes."""
    folded = unicodedata.normalize("NFKC", text.translate(_SAME)).casefold()
    return " ".join(folded.split())
