"""Where two texts differ, by words.

Chinese, Japanese, Thai, Lao, Khmer and Burmese letters count as words of their own. The work is
bounded: texts too large or too repetitive for words are held against each other by sentences, and
where that too would take long, all between their common ends counts as changed.
"""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from acidtest.text.scripts import MARKS, UNSPACED, WORD

MOST_MATCHES = 60_000
"""So many pairs of equal words are looked at; an ordinary answer of 2,000 words has a third of them."""

LEAST_SHARED = 0.2
"""Texts that share less than this of their words are shown as rewritten, all of them changed."""

SMALLEST_ISLAND = 4
"""Fewer unchanged letters than this between two changes read better as changed."""

Range = tuple[int, int]

_SPACED = rf"(?:(?![{UNSPACED}]){WORD})+"
_WORD = re.compile(rf"[{UNSPACED}][{MARKS}]*|{_SPACED}(?:['’.,]{_SPACED})*|\S")
_SENTENCE = re.compile(r"\S[^.!?。！？\n]*[.!?。！？]*")


def differences(before: str, after: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Return what is gone from `before` and what is new in `after`, as ranges of characters.

    White space alone is no difference. Both lists ascend and do not overlap.
    """
    gone, new = _differences(before, after)
    kept = [
        _letters(text) - sum(_letters(text[start:end]) for start, end in ranges)
        for text, ranges in ((before, gone), (after, new))
    ]
    if max(kept) < LEAST_SHARED * max(map(_letters, (before, after))):
        return _whole(before), _whole(after)
    return gone, new


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


def _whole(text: str) -> tuple[Range, ...]:
    start = len(text) - len(text.lstrip())
    return ((start, len(text.rstrip())),) if text.strip() else ()


def _differences(before: str, after: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    for unit in (_WORD, _SENTENCE):
        old = [match.span() for match in unit.finditer(before)]
        new = [match.span() for match in unit.finditer(after)]
        a = [before[start:end] for start, end in old]
        b = [after[start:end] for start, end in new]
        first, last = _common_ends(a, b)
        inner_a, inner_b = a[first : len(a) - last], b[first : len(b) - last]
        counts = Counter(inner_b)
        if sum(counts[word] for word in inner_a) <= MOST_MATCHES:
            blocks = _blocks(inner_a, inner_b)
            break
    else:
        blocks = [((0, len(inner_a)), (0, len(inner_b)))]
    blocks = [
        _slid((i + first, j + first), (k + first, m + first), a, b) for (i, j), (k, m) in blocks
    ]
    return _ranges(old, [one for one, _ in blocks]), _ranges(new, [other for _, other in blocks])


def _common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    most = min(len(a), len(b))
    first = 0
    while first < most and a[first] == b[first]:
        first += 1
    last = 0
    while last < most - first and a[-1 - last] == b[-1 - last]:
        last += 1
    return first, last


def _blocks(a: list[str], b: list[str]) -> list[tuple[Range, Range]]:
    """Return the changed runs of words of both; small islands between changes are part of them."""
    blocks = []
    at_a = at_b = 0
    for start_a, start_b, size in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        inner = start_a and start_b and start_a + size < len(a) and start_b + size < len(b)
        if size and inner and sum(map(len, a[start_a : start_a + size])) < SMALLEST_ISLAND:
            continue
        blocks.append(((at_a, start_a), (at_b, start_b)))
        at_a, at_b = start_a + size, start_b + size
    return blocks


def _slid(gone: Range, new: Range, a: Sequence[str], b: Sequence[str]) -> tuple[Range, Range]:
    """Move what was only put in or taken out by one, so that it ends with its full stop.

    `It is blue[. Really].` says the same as `It is blue. [Really.]`, and reads worse.
    """
    empty = [start == end for start, end in (gone, new)]
    if empty[0] == empty[1]:
        return gone, new
    (start, end), words = (new, b) if empty[0] else (gone, a)
    if end < len(words) and words[start] == words[end] and not words[start][0].isalnum():
        return (gone[0] + 1, gone[1] + 1), (new[0] + 1, new[1] + 1)
    return gone, new


def _ranges(places: Sequence[Range], blocks: Sequence[Range]) -> tuple[Range, ...]:
    """Return blocks of words as ranges of characters."""
    return tuple((places[start][0], places[end - 1][1]) for start, end in blocks if end > start)
