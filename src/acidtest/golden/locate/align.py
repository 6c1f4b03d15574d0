"""The best place for a short text in a window of text, by edit distance."""

from msgspec import Struct
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, MatchingBlock

_SOLID = 4
"""So many letters in a row that are the same did not come together by chance."""

_LEAST = 0.5  # what is less alike than this is not the end of the text, but was put in its place


class Aligned(Struct, frozen=True):
    """A range of the window and how alike it is to the text, from 0 to 1."""

    start: int
    end: int
    similarity: float


def align(needle: str, window: str, *, least: float = 0.0) -> Aligned | None:
    """Return the range of the window that is most like the needle; None: none is like it at all.

    Args:
        needle: The text, folded; some hundred characters.
        window: Where to look, folded; some thousand characters.
        least: What is less alike than this is not found.
    """
    if not needle or not window:
        return None
    if len(window) <= len(needle):
        start, end = 0, len(window)
    else:
        found = fuzz.partial_ratio_alignment(needle, window, score_cutoff=0.9 * 100 * least)
        if found is None:
            return None
        start, end = found.dest_start, found.dest_end
        if window[start:end] != needle:
            start, end = _ends(needle, window, start, end)
    similarity = fuzz.ratio(needle, window[start:end]) / 100
    return Aligned(start, end, similarity) if similarity >= least else None


def _ends(needle: str, window: str, start: int, end: int) -> tuple[int, int]:
    """Place both ends anew: the range is as long as the needle, whatever was put in or taken out.

    They are counted from the first and the last letters in a row that both have.
    """
    likeness = fuzz.ratio(needle, window[start:end]) / 100
    room = 2 * _SOLID + round((1 - likeness) * len(needle))
    low = max(0, start - room)
    blocks = [
        block
        for block in Indel.opcodes(needle, window[low : end + room]).as_matching_blocks()
        if block.size >= _SOLID
    ]
    while len(blocks) > 1 and _strayed(blocks[0], blocks[1], blocks[0]):
        blocks.pop(0)
    while len(blocks) > 1 and _strayed(blocks[-2], blocks[-1], blocks[-1]):
        blocks.pop()
    if not blocks:
        return start, end
    first, last = blocks[0], blocks[-1]
    left, right = low + first.b, low + last.b + last.size
    rest = len(needle) - last.a - last.size
    if _alike(needle[: first.a], window[max(0, left - first.a) : left]):
        left = max(0, left - first.a)
    if _alike(needle[len(needle) - rest :], window[right : right + rest]):
        right = min(len(window), right + rest)
    return left, right


def _alike(one: str, other: str) -> bool:
    """Say whether what stands beyond the letters in a row is the text's end, edited."""
    return fuzz.ratio(one, other) >= 100 * _LEAST


def _strayed(left: MatchingBlock, right: MatchingBlock, outer: MatchingBlock) -> bool:
    """Say whether more was put in between two rows of letters than the outer one has."""
    put_in = (right.b - left.b) - (right.a - left.a)
    return put_in > outer.size
