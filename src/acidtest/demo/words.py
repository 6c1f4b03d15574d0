"""Words for the demo's search: lower case, cut at anything that is not a letter, digit or joiner."""

import re

_STOP = """
a an the and or but if then than so as of at by for from in into on onto to with without about
is are was were be been being am do does did done can could may might must shall should will
would have has had having it its this that these those there here i me my we us our you your
he she they them their what which who whom whose when where why how much many not no nor only
just also any some each every all both one other such same own too very s t
"""
STOP = frozenset(_STOP.split())
"""English words that carry no meaning of their own."""

_WORD = re.compile(r"[^\W_]+(?:[_@][^\W_]+)*")
_SUFFIXES = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ed",
    "ies",
    "es",
    "s",
    "ly",
)
_MIN_STEM = 3


def words(text: str) -> list[str]:
    """Return the lower-cased words; `recall@5` and `timeout_s` stay whole."""
    return _WORD.findall(text.lower())


def stem(word: str) -> str:
    """Cut the longest English ending off, so that "declined" and "declines" meet."""
    if not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _MIN_STEM:
            word = word.removesuffix(suffix)
            word += "y" if suffix == "ies" else ""
            break
    return word.removesuffix("e") if len(word) > _MIN_STEM else word


def stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning; parts of a joined word count too."""
    found: list[str] = []
    for word in words(text):
        if word in STOP:
            continue
        found.append(stem(word))
        parts = re.split(r"[_@]", word)
        if len(parts) > 1:
            found.extend(stem(part) for part in parts if part not in STOP)
    return found
