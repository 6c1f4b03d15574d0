"""Making text from outside fit to be shown.

Questions, answers, chunks, ids and tags may hold anything: terminal escapes that move the cursor or
rename the window, bidirectional overrides that make a text read backwards, NULs, lone surrogates that
cannot be encoded. What cannot be seen and can do harm is taken out or made visible, before any format
does its own escaping.
"""

import re
import unicodedata

REPLACEMENT = "\ufffd"

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x9b[0-?]*[ -/]*[@-~]"  # the same in one byte
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)"  # OSC, DCS: titles, links
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
# Marks that single letters of right-to-left scripts need (200E, 200F, 061C) stay.
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_ANY = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_BREAKS = re.compile("\r\n?|[\u2028\u2029]")


def clean(text: str) -> str:
    """Return a text without escapes and controls; line breaks and tabs stay.

    Direction overrides and lone surrogates become the replacement character, so that one sees that
    something was there.
    """
    if not _ANY.search(text):
        return text  # nearly all texts: one look instead of four
    text = _BREAKS.sub("\n", _ESCAPES.sub("", text))
    return _OVERRIDES.sub(REPLACEMENT, _CONTROLS.sub("", text))


def one_line(text: str) -> str:
    """Return a clean text on one line."""
    return " ".join(clean(text).split())


def clip(text: str, limit: int, *, ellipsis: str = "…") -> str:
    """Cut a text to so many characters, the ellipsis included."""
    if len(text) <= limit:
        return text
    kept = text[: max(0, limit - len(ellipsis))].rstrip()
    # A combining mark without its letter would hang on the ellipsis.
    while kept and unicodedata.combining(text[len(kept)]):
        kept = kept[:-1]
    return kept + ellipsis
