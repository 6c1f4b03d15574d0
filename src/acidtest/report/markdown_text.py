"""Text in Markdown: nothing from outside acts there, and no document is longer than a comment may be.

Text from outside is put into a code span, and where it holds what could end one (or a table's cell)
into `<code>` with every punctuation mark as a character reference: there no markup, mention (`@name`),
issue number or link can come of it, and nothing is lost.
"""

import re
from collections.abc import Sequence

from acidtest.report.clean import clip, one_line

LONGEST = 140
MOST_BYTES = 60_000
"""A comment on a pull request may have 65,536 characters."""

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_ACTIVE = re.compile(r"[!\"$&*<>\[\\\]^`{|}~]|(?<!\w)_|_(?!\w)")
_REFERS = re.compile(r"(?<!\w)@|#(?=\w)|:(?=//)")


def code(text: str, limit: int = LONGEST) -> str:
    """Return a text from outside that Markdown shows as it is and does nothing with."""
    line = clip(one_line(text), limit)
    if line and not re.search(r"[`|\\<]", line):
        return f"`{line}`"
    return f"<code>{_PUNCTUATION.sub(_reference, line)}</code>"


def prose(text: str) -> str:
    """Return our own words, in which a name or note from outside may stand: nothing in them acts."""
    # A character reference would not stop a mention, an issue number or a bare link: those are found
    # in the rendered text. A joiner of no width does.
    return _ACTIVE.sub(_reference, _REFERS.sub("\\g<0>\u2060", one_line(text)))


def document(lines: Sequence[str], *, rest: str = "the JSON and HTML reports have the rest") -> str:
    """Return lines as a document; too long a one is cut at the end of a line, and says where the rest is."""
    text = "\n".join(lines).strip() + "\n"
    if len(text.encode()) <= MOST_BYTES:
        return text
    kept = text.encode()[: MOST_BYTES - 100].decode(errors="ignore")
    return f"{kept.rpartition(chr(10))[0]}\n\nShortened; {rest}.\n"


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
