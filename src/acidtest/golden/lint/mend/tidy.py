"""White space at the ends of what people typed, and characters that nobody sees."""

import re

from msgspec.structs import replace

from acidtest.data.golden import Case

# Joiners and direction marks of single letters are part of some scripts; these are part of none.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]"
)


def untidy(case: Case) -> list[str]:
    """Return the fields that begin or end with white space."""
    found = [
        name
        for name in ("question", "reference", "group", "split", "source")
        if (text := getattr(case, name)) is not None and text != text.strip() and text.strip()
    ]
    tags = [tag.strip() for tag in case.tags]
    return [*found, "tags"] if tuple(dict.fromkeys(filter(None, tags))) != case.tags else found


def tidied(case: Case) -> tuple[Case, list[str]]:
    """Return a case without white space at the ends of its fields, each tag once, and what was done."""
    fields = untidy(case)
    if not fields:
        return case, []
    tags = (tag.strip() for tag in case.tags)
    texts = {name: getattr(case, name).strip() for name in fields if name != "tags"}
    mended = replace(case, tags=tuple(dict.fromkeys(filter(None, tags))), **texts)
    return mended, [f"no white space at the ends of its {', '.join(fields)}"]


def unseen(case: Case) -> list[str]:
    """Return the fields that hold control characters or others that nobody sees."""
    return [
        name
        for name in ("question", "reference")
        if (text := getattr(case, name)) is not None and _UNSEEN.search(text)
    ]
