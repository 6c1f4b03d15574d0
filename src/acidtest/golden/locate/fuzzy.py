"""Where a text stands now that it was edited, by alignment in the places that share its word pairs.

A long text is looked for piece by piece, each first where the one before it ends: so a piece that was
put in, taken out or moved to another document costs that piece alone, and the work grows with the
length of the text and not with its square.
"""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from acidtest.golden.locate.align import align
from acidtest.golden.locate.fold import Folded, fold
from acidtest.golden.locate.found import Needle, Occurrence, Part
from acidtest.golden.locate.index import BLOCK, Candidate, Index
from acidtest.golden.locate.stretches import Stretch

LEAST = 0.6
"""What is less alike than this is another text."""

PIECE = 400
"""Folded characters of a piece."""

_WHOLE = 600  # a text up to this long is one piece
_PLACES = 6  # places that are aligned a piece
_LIKELY = 0.5  # of the first place's pairs: places with fewer are not aligned
_NEAR = 0.8  # a piece this much alike at the expected place is not looked for elsewhere
_GAP = 300  # characters put in between two pieces that are still one range
_WORDLESS = 100  # a text up to this long is looked for without its pairs, too
_SCANNED = 500_000  # characters of a stretch that are then looked at
_STRAY = 50  # pieces that are looked for outside the text's own stretch


class _Piece(Struct, frozen=True):
    text: str
    folded: str
    first: int
    last: int


def fuzzy_in(needle: Needle, index: Index, stretch: Stretch | None) -> list[Occurrence]:
    """Return where a text may stand, the likeliest first.

    Args:
        needle: The text.
        index: The places of its word pairs.
        stretch: Look only here; None: everywhere.

    Returns:
        The best place and, for a text of one piece, the next best that does not overlap it.
    """
    pieces = list(_pieces(needle))
    if len(pieces) == 1:
        found = _everywhere(pieces[0], index, stretch)
        return [
            Occurrence(parts=(part,), how="fuzzy", similarity=part.similarity) for part in found
        ]
    home = stretch or _home(needle, index)
    parts = list(_in_turn(pieces, index, home, only=stretch is not None)) if home else []
    total = sum(len(piece.folded) for piece in pieces)
    weight = {piece.first: len(piece.folded) for piece in pieces}
    similarity = sum(part.similarity * weight[part.first] for part in parts) / total
    if similarity < LEAST / 2:
        return []
    return [Occurrence(parts=tuple(_joined(parts)), how="fuzzy", similarity=similarity)]


def _pieces(needle: Needle) -> Iterator[_Piece]:
    text = needle.text
    if len(needle.folded) <= _WHOLE:
        yield _Piece(text, needle.folded, 0, len(text))
        return
    folded = Folded(text)
    cuts = list(range(0, len(folded), PIECE))
    if len(folded) - cuts[-1] < PIECE // 2:
        cuts.pop()
    starts = [0, *(folded.origin(cut, cut + 1)[0] for cut in cuts[1:]), len(text)]
    for first, last in pairwise(starts):
        yield _Piece(text[first:last], fold(text[first:last]), first, last)


def _home(needle: Needle, index: Index) -> Stretch | None:
    """Return the stretch that most of a long text points to."""
    votes: dict[Stretch, float] = {}
    for found in index.candidates(needle.text, most=200):
        stretch = found.block.stretch
        votes[stretch] = votes.get(stretch, 0.0) + found.share
    return max(votes, key=lambda stretch: (votes[stretch], -stretch.number)) if votes else None


def _in_turn(pieces: list[_Piece], index: Index, home: Stretch, *, only: bool) -> Iterator[Part]:
    end: int | None = None
    stray = 0
    for piece in pieces:
        part = None
        if end is not None:
            part = _near(piece, home, end)
        if part is None or part.similarity < _NEAR:
            part = _better(part, next(iter(_everywhere(piece, index, home)), None))
        if part is None and not only and stray < _STRAY:
            stray += 1
            part = next(iter(_everywhere(piece, index, None)), None)
        if part is not None:
            if part.stretch is home:
                end = part.end
            yield part


def _better(one: Part | None, other: Part | None) -> Part | None:
    found = [part for part in (one, other) if part is not None]
    return max(found, key=lambda part: part.similarity) if found else None


def _near(piece: _Piece, stretch: Stretch, end: int) -> Part | None:
    return _aligned(piece, stretch, end - _GAP // 3, end + _GAP + 2 * len(piece.text))


def _everywhere(piece: _Piece, index: Index, stretch: Stretch | None) -> list[Part]:
    """Return the best place of a piece, and the next best that does not overlap it."""
    if stretch is None:
        places = index.candidates(piece.text, most=_PLACES)
    else:
        places = index.within(stretch, piece.text, most=_PLACES)
    found = list(_aligned_in(piece, places))
    if not found and stretch is not None and len(piece.folded) <= _WORDLESS:
        found = list(_scanned(piece, stretch))
    found.sort(key=lambda part: (-part.similarity, part.stretch.number, part.start))
    best = found[:1]
    best += [part for part in found[1:] if not _overlap(part, best[0])][:1]
    return best


def _aligned_in(piece: _Piece, places: list[Candidate]) -> Iterator[Part]:
    """Align a piece in the places that are nearly as likely as the first, each stretch of text once."""
    room = len(piece.text) + BLOCK // 8
    sure: list[Part] = []
    for place in places:
        if place.share < _LIKELY * places[0].share:
            return
        block = place.block
        low, high = block.start - room, block.end + room
        if any(
            part.stretch is block.stretch and low <= part.start and part.end <= high
            for part in sure
        ):
            continue
        part = _aligned(piece, block.stretch, low, high)
        if part is not None:
            if part.similarity >= _NEAR:
                sure.append(part)
            yield part


def _scanned(piece: _Piece, stretch: Stretch) -> Iterator[Part]:
    """Look at a whole stretch: a few words with a slip in each have no pair left to be found by."""
    room = 2 * len(piece.text)
    for start in range(0, min(len(stretch.text), _SCANNED), 2 * BLOCK):
        part = _aligned(piece, stretch, start - room, start + 2 * BLOCK + room)
        if part is not None:
            yield part


def _overlap(one: Part, other: Part) -> bool:
    return one.stretch is other.stretch and one.start < other.end and other.start < one.end


def _aligned(piece: _Piece, stretch: Stretch, low: int, high: int) -> Part | None:
    low, high = max(0, low), min(len(stretch.text), high)
    folded = Folded(stretch.text[low:high])
    found = align(piece.folded, folded.text, least=LEAST)
    if found is None:
        return None
    start, end = folded.origin(found.start, found.end)
    start, end = _to_words(stretch.text, low + start, low + end)
    return Part(
        stretch=stretch,
        start=start,
        end=end,
        first=piece.first,
        last=piece.last,
        similarity=found.similarity,
    )


def _to_words(text: str, start: int, end: int, most: int = 12) -> tuple[int, int]:
    """Widen a range to whole words: where letters changed, its ends are not exact."""
    for step in range(most):
        if start - step <= 0 or not (text[start - step - 1].isalnum() and text[start].isalnum()):
            start -= step
            break
    for step in range(most):
        at = end + step
        if at >= len(text) or not (text[at].isalnum() and text[end - 1].isalnum()):
            end = at
            break
    return start, end


def _joined(parts: list[Part]) -> Iterator[Part]:
    """Join parts that follow each other in one stretch."""
    last: Part | None = None
    for part in parts:
        if last is None:
            last = part
        elif (
            part.stretch is last.stretch
            and last.start <= part.start
            and part.start - last.end <= _GAP
            and part.first == last.last
        ):
            weight = (last.last - last.first, part.last - part.first)
            last = Part(
                stretch=last.stretch,
                start=last.start,
                end=max(last.end, part.end),
                first=last.first,
                last=part.last,
                similarity=(last.similarity * weight[0] + part.similarity * weight[1])
                / sum(weight),
            )
        else:
            yield last
            last = part
    if last is not None:
        yield last
