"""Another look for the same answer: a list, bold type, capitals."""

import re

from acidtest.text.names import names
from acidtest.text.sentences import sentences

_UNIT = re.compile(r"\d\s?[kKMGTmnµ]?(?:[WVAJgmlBbsNK]|Hz|Pa)\b")  # mW is not MW
_NUMBER = re.compile(r"(?<![\w.,:/])\d+(?:[.,:]\d+)*(?!\w)")
_MARKED = re.compile(r"[*_`#|]|^\s*(?:[-+•]|\d+[.)])\s", re.MULTILINE)


def bullets(text: str) -> str | None:
    """Return a Markdown list of the sentences; None for a text that has marks already."""
    return None if _MARKED.search(text) else "\n".join(f"- {each}" for each in sentences(text))


def bold(text: str) -> str | None:
    """Return a text with its numbers and names in bold type; None for a text that has marks already."""
    if _MARKED.search(text):
        return None
    spans = [m.span() for m in _NUMBER.finditer(text)]
    spans += [(n.start, n.end) for n in names(text) if n.kind == "proper"]
    last, out = 0, []
    for start, end in sorted(spans):
        if start >= last:
            out += [text[last:start], f"**{text[start:end]}**"]
            last = end
    return "".join([*out, text[last:]])


def bold_lines(text: str) -> str | None:
    """Return the sentences as bold lines; None for a text that has marks already."""
    return None if _MARKED.search(text) else "\n".join(f"**{each}**" for each in sentences(text))


def capitals(text: str) -> str | None:
    """Return the text in capitals; None where that would change what it says."""
    special = any(name.kind in ("email", "url", "identifier") for name in names(text))
    upper = text.upper()
    if special or _UNIT.search(text) or "`" in text or upper.lower() != text.lower():
        return None
    return upper
