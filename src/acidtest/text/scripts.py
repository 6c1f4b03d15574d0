r"""Scripts: which characters belong to which writing system, as classes for regular expressions.

Python's `\\w` leaves out the combining marks that Thai, Devanagari, Arabic and others write their vowels
with, and so cuts their words into pieces: `WORD` puts them back.
"""

import re
from collections import Counter

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
LAO_KHMER_MYANMAR = "\u0e81-\u0ec6\u0ec8-\u0ece\u0edc-\u0edf\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
CJK = HAN + KANA
SOUTH_EAST_ASIAN = THAI + LAO_KHMER_MYANMAR
UNSPACED = CJK + SOUTH_EAST_ASIAN
"""Scripts that write no space between words."""

MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Latin, Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic
    "\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963"  # Devanagari
    "\u0981-\u0983\u09bc-\u09cd\u09d7\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a75"  # Bengali, Punjabi
    "\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7"  # Gujarati, Tamil
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57"  # Dravidian
    "\u0d81-\u0d83\u0dca-\u0ddf\u0df2\u0df3"  # Sinhala
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"  # Thai, Lao
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u17b4-\u17d3\u17dd\u200c\u200d"  # Myanmar, Khmer, joiners
)
WORD = rf"[\w{MARKS}]"
"""One character of a word, as a regular expression."""

_SCRIPTS = {
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff",
    "arabic": "\u0620-\u06ff\u0750-\u077f",
    "hebrew": "\u05d0-\u05ea",
    "devanagari": "\u0904-\u0963\u0971-\u097f",
    "thai": THAI,
    "hangul": HANGUL,
    "kana": KANA,
    "han": HAN,
}
_RUN = re.compile("|".join(f"(?P<{name}>[{chars}]+)" for name, chars in _SCRIPTS.items()))
_LOOK = 2_000


def main_script(text: str) -> str:
    """Return the script that most of a text's first letters are in; `latin` when it has none.

    Japanese mixes Han with kana: a tenth of kana makes the whole of it `kana`.
    """
    head = text[:_LOOK]
    if head.isascii():
        return "latin"
    counts: Counter[str] = Counter()
    for run in _RUN.finditer(head):
        counts[run.lastgroup or "latin"] += len(run[0])
    if not counts:
        return "latin"
    asian = counts["kana"] + counts["han"]
    if counts["kana"] * 10 >= asian > 0:
        counts["kana"] = asian
    return max(counts, key=lambda name: counts[name])


def scripts(text: str) -> frozenset[str]:
    """Return the scripts that any of a text's first letters are in; none when it has no letter.

    Han and kana are written in one text, so either brings the other.
    """
    found = {run.lastgroup or "latin" for run in _RUN.finditer(text[:_LOOK])}
    return frozenset(found | {"han", "kana"} if found & {"han", "kana"} else found)
