"""Cues of refusing: what a text must hold before it is worth looking for refusals in it.

Most answers refuse nothing, and looking for every way of refusing in every language costs a hundred times
what it costs to see that there is no "not", "nicht" or "aucun" in them. A cue says nothing by itself: it
only lets the phrases of its language be tried, and no phrase of a language can match without one of its cues.
"""

import re
from collections.abc import Mapping, Sequence
from typing import AnyStr

CUES: Mapping[str, tuple[str, ...]] = {
    "en": (
        " not", "cannot", "n't", " no ", " none ", " neither ", " never ", " un", " impossible ",
        " insufficient ", " inadequate ", " beyond ", " outside ", " out ", " fail", " lack",
    ),
    "de": ("nicht", "kein", "dazu", "beantwort"),
    "fr": ("pas ", "aucun", " rien ", " ni ", "nulle ", "ignore ", " je n", "impossible "),
    "es": (" no ", "imposible", "desconozco"),
    "it": (" non ", "nessun"),
    "pt": (" não ", "nenhum"),
    "nl": ("niet", "geen"),
    "pl": (" nie ", "brak"),
    "tr": (
        "miyor", "muyor", "mamakta", "memekte", " yok", "değil", "emem", "amam", "amad", "emed",
        "memiş",
    ),
}  # fmt: skip
"""By language, in lower case, a space before and after for the edge of a word. Other languages write letters
beyond Latin, which is their cue."""

_APART = re.compile(r"[^\w']|_")
_ASCII = bytes(ord(_APART.sub(" ", chr(code).lower())) for code in range(128)) + bytes(128)
_ASCII_CUES = {
    language: [cue.encode() for cue in cues if cue.isascii()] for language, cues in CUES.items()
}


def cued(text: str) -> frozenset[str]:
    """Return the languages that have cues and of which one occurs in a text."""
    if text.isascii():
        plain = b" ".join(text.encode().translate(_ASCII).split())
        return _found(b" %b " % plain, _ASCII_CUES)
    # As a search that ignores case sees it: dotted and dotless i are one letter, ligatures are not.
    folded = text.replace("’", "'").casefold().replace("\u0307", "").replace("ı", "i")
    return _found(f" {' '.join(_APART.sub(' ', folded).split())} ", CUES)


def _found(plain: AnyStr, cues: Mapping[str, Sequence[AnyStr]]) -> frozenset[str]:
    found = set()
    for language, some in cues.items():
        for cue in some:
            if cue in plain:
                found.add(language)
                break
    return frozenset(found)


def beyond_latin(text: str) -> bool:
    """Say whether a text holds letters of a script that the languages with cues do not write."""
    # Between Greek Extended and the CJK radicals there are signs and punctuation.
    return not text.isascii() and any(
        "\u0370" <= letter < "\u1e00" or "\u1f00" <= letter < "\u2000" or letter >= "\u2e80"
        for letter in set(text)
    )
