"""The best place for a short text in a window of text, by edit distance."""

from msgspec import Struct
from rapidfuzz import fuzz

_END = 48  # characters by which the ends are placed apart
_LONG = 2 * _END


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
        if len(needle) >= _LONG:
            start, end = _ends(needle, window, start, end)
    similarity = fuzz.ratio(needle, window[start:end]) / 100
    return Aligned(start, end, similarity) if similarity >= least else None


def _ends(needle: str, window: str, start: int, end: int) -> tuple[int, int]:
    """Place both ends anew: what was put in or taken out between them has shifted one."""
    room = _END + len(needle) // 8
    low = max(0, start - room)
    head = fuzz.partial_ratio_alignment(needle[:_END], window[low : start + room], score_cutoff=75)
    far = max(0, end - room)
    tail = fuzz.partial_ratio_alignment(needle[-_END:], window[far : end + room], score_cutoff=75)
    first = low + head.dest_start if head else start
    last = far + tail.dest_end if tail else end
    return (first, last) if last - first >= len(needle) // 2 else (start, end)
