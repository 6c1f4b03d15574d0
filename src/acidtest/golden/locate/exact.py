"""Places where a text stands to the letter, or but for white space, typography and case."""

from collections.abc import Iterator
from functools import lru_cache

from acidtest.golden.locate.fold import Folded, fold, fold_but_case
from acidtest.golden.locate.found import LIKENESS, How, Needle, Occurrence, Part
from acidtest.golden.locate.stretches import Stretch

SHORT = 20
"""Folded letters under which a text must begin and end where words do: "yes" is not in "eyes"."""


def exact_in(
    needle: Needle, stretch: Stretch, start: int, end: int, *, words: bool = True
) -> Iterator[Occurrence]:
    """Yield the places of a text in a range of a stretch, in order; they do not overlap.

    Args:
        needle: The text.
        stretch: Where to look.
        start: The first character of the range.
        end: The character after its last.
        words: A short text must begin and end where words do.
    """
    if not needle.folded:
        return
    whole = start == 0 and end == len(stretch.text)
    if whole:
        folded = _whole(stretch)
    else:
        window = stretch.text[start:end]
        if needle.folded not in fold(window):
            return
        folded = Folded(window)
    at = folded.text.find(needle.folded)
    while at >= 0:
        left, right = folded.origin(at, at + len(needle.folded))
        left, right = left + start, right + start
        if not words or len(needle.folded) >= SHORT or _words(needle, stretch.text, left, right):
            yield _occurrence(needle, stretch, left, right)
        at = folded.text.find(needle.folded, at + len(needle.folded))


def _occurrence(needle: Needle, stretch: Stretch, start: int, end: int) -> Occurrence:
    there = stretch.text[start:end]
    how: How = "case"
    if there == needle.plain:
        how = "exact"
    elif fold_but_case(there) == needle.cased:
        how = "normalised"
    part = Part(
        stretch=stretch,
        start=start,
        end=end,
        first=0,
        last=len(needle.text),
        similarity=LIKENESS[how],
    )
    return Occurrence(parts=(part,), how=how, similarity=LIKENESS[how])


def _words(needle: Needle, text: str, start: int, end: int) -> bool:
    before = start > 0 and _inside(text[start - 1], needle.plain[0])
    after = end < len(text) and _inside(needle.plain[-1], text[end])
    return not before and not after


def _inside(one: str, other: str) -> bool:
    """Say whether two neighbours belong to one word; scripts without spaces have no such border."""
    return all(each.isalnum() and ord(each) < 0x0E00 for each in (one, other))


@lru_cache(maxsize=4)  # evidence of one document is looked for in a row
def _whole(stretch: Stretch) -> Folded:
    return Folded(stretch.text)
