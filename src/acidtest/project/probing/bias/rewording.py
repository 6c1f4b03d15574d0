"""The same answer in other characters: notation of numbers, white space, quotation marks.

Only what is safe. Thousands are marked and spelled words used in English alone, since a comma is a decimal
point elsewhere.
"""

import re

from acidtest.text.language import guess

_MARKED = re.compile(r"(?<![\w.,:/#-])\d{1,3}(?:,\d{3})+(?!\w|[,.:/-]\d)")
_PLAIN = re.compile(r"(?<![\w.,:/#-])\d{5,9}(?!\w|[,.:/-]\d)")  # four digits may be a year
_SMALL = re.compile(r"(?<![\w.,:/#$€£-])(?:[2-9]|1[0-2])(?= [a-z]{3,})")
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - reads better
_DOUBLE = re.compile(r'"([^"\n]*)"')
_LABEL = re.compile(
    r"(?:version|section|chapter|page|figure|table|step|part|no\.) \d", re.IGNORECASE
)


def numbers(text: str) -> str | None:
    """Return an English text with its thousands marked otherwise and its small numbers spelled."""
    if guess(text) != "en" or _LABEL.search(text):
        return None
    if _MARKED.search(text):
        text = _MARKED.sub(lambda m: m[0].replace(",", ""), text)
    else:
        text = _PLAIN.sub(lambda m: f"{int(m[0]):,}" if m[0][0] != "0" else m[0], text)
    return _SMALL.sub(lambda m: _WORDS[int(m[0])], text)


def spaces(text: str) -> str | None:
    """Return a text with two spaces for one; None where spaces may mean something."""
    return None if "`" in text or "\n" in text else text.replace(" ", "  ")


def quotes(text: str) -> str | None:
    """Return a text with curved quotation marks for straight ones."""
    if "`" in text:
        return None
    return _DOUBLE.sub("“\\1”", text).replace("'", "’")
