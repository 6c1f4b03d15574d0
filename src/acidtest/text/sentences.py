"""Sentences: `sentencex`, and our own cuts where it leaves a text whole.

Cut again are line breaks that end a line (not those that wrap one), list items, Thai (which writes
spaces between sentences and no full stop), and pieces too long to be one statement. Pieces without a
letter or digit, and list markers alone, join their neighbour. No character is lost: the spans tile
the text.
"""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

import sentencex

from acidtest.text.language import guess
from acidtest.text.scripts import SOUTH_EAST_ASIAN, WORD
from acidtest.text.surrogates import without_halves

LONGEST = 1_000
"""Characters that one sentence may have; longer ones are cut at the best place before that."""

_BLOCK = 4_000  # characters that sentencex is given at once
_WRAPPED = 60  # a line at least this long without an end may go on in the next
_THAI_LEAST = 40  # a Thai piece this long ends at the next space
_ITEM = r"[ \t]*(?:[-*+•‣▪◦–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|#{1,6}|\|)[ \t]"
_BREAK = re.compile(r"[ \t]*(?:\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")
_NEXT_ITEM = re.compile(_ITEM)
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")
_HAS_WORD = re.compile(WORD)
_MARKER = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z])[.)]\s*")
_ENDS = re.compile(r"[.!?:;。．！？：；؟۔।॥…|][\"'”’»)\]」』]*\Z")
_STOP = re.compile(r"[。！？؟۔।॥][\"'”’»)\]」』）]*\s*")
_THAI_SPACE = re.compile(rf"(?<=[{SOUTH_EAST_ASIAN}])[ \u00a0\u200b]+(?=[{SOUTH_EAST_ASIAN}])")
_THAI_FINAL = re.compile(r"(?:ครับ|ค่ะ|คะ|นะ|จ้ะ|แล้ว)\Z")
_THAI_LETTER = re.compile(f"[{SOUTH_EAST_ASIAN}]")
_CUT_AGAIN = re.compile(rf"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029。！？؟۔।॥{SOUTH_EAST_ASIAN}]")


def sentences(text: str, language: str | None = None) -> list[str]:
    """Return the sentences of a text, stripped of outer white space, in order.

    Args:
        text: Any text; empty and blank texts have no sentence.
        language: ISO 639-1 code; guessed from script and function words when None.
    """
    return list(_sentences(text, language))


@lru_cache(maxsize=32)  # several metrics ask it of the same answer
def _sentences(text: str, language: str | None) -> tuple[str, ...]:
    return tuple(text[start:end].strip() for start, end in spans(text, language))


def spans(text: str, language: str | None = None) -> list[tuple[int, int]]:
    """Return where the sentences are: `(start, end)` offsets that follow each other without gaps.

    They tile the text from 0 to its length; a text without a letter or digit is one span, and a blank
    one none.
    """
    if not text.strip():
        return []
    cuts = [0]
    for start, end in _segments(text, language or guess(text)):
        for cut in _inner_cuts(text, start, end):
            if cut > cuts[-1]:
                cuts.append(cut)
        if end > cuts[-1]:
            cuts.append(end)
    return _join(text, list(itertools.pairwise(cuts)))


def _segments(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield the pieces that sentencex makes of the text, block by block."""
    for block_start, block_end in _blocks(text):
        start = block_start
        # It takes no half of a surrogate pair; what stands for one is as long.
        block = without_halves(text[block_start:block_end])
        for piece in _segmented(block, language):
            end = min(start + len(piece), block_end)
            yield start, end
            start = end
        if start < block_end:
            yield start, block_end


def _segmented(block: str, language: str) -> list[str]:
    """Return the pieces of a block, each as long as its text.

    sentencex breaks off at a wide space in some places ("Henry I", a no-break space, a full stop): such a
    block is read with plain spaces. One that it breaks off at even so stays whole.
    """
    for each in (block, _WIDE_SPACE.sub(" ", block)):
        try:
            return list(sentencex.segment(language, each))
        except BaseException as fault:
            # A panic in Rust is no `Exception`: it would end whatever asked.
            if type(fault).__name__ != "PanicException":
                raise
    return [block]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Cut a long text where a sentence is likely to end anyway.

    sentencex takes quadratic time over quotation marks; a bounded block bounds that.
    """
    start = 0
    while len(text) - start > _BLOCK:
        window = text[start : start + _BLOCK]
        for marks in (("\n\n",), (". ", "! ", "? ", "。", "؟", "।"), ("\n",), (" ",)):
            at = max(window.rfind(mark) + len(mark) for mark in marks)
            if at > _BLOCK // 2:
                break
        else:
            at = _BLOCK
        yield start, start + at
        start += at
    yield start, len(text)


def _inner_cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets, in order, at which one piece of sentencex is cut again."""
    if end - start <= LONGEST and not _CUT_AGAIN.search(text, start, end):
        yield end
        return
    lines = [start, *_line_cuts(text, start, end), end]
    for first, last in itertools.pairwise(lines):
        stops = [first, *(m.end() for m in _STOP.finditer(text, first, last)), last]
        for left, right in itertools.pairwise(stops):
            yield from _space_cuts(text, left, right)
            yield right


def _line_cuts(text: str, start: int, end: int) -> Iterator[int]:
    line = start
    for match in _BREAK.finditer(text, start, end):
        after = match.end()
        before = text[line : match.start()].strip()
        following = text[after : after + 1]
        wraps = (len(before) >= _WRAPPED or following.islower()) and not _ENDS.search(before[-8:])
        if not wraps or not following.strip() or _NEXT_ITEM.match(text, after):
            yield after
        line = after


def _space_cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Cut Thai at spaces, then whatever is still too long."""
    begin = start
    if _THAI_LETTER.search(text, start, end):
        for match in _THAI_SPACE.finditer(text, start, end):
            piece_ends = match.start()
            long = piece_ends - begin >= _THAI_LEAST
            if long or _THAI_FINAL.search(text[max(begin, piece_ends - 8) : piece_ends]):
                yield from _long_cuts(text, begin, match.end())
                begin = match.end()
                yield begin
    yield from _long_cuts(text, begin, end)


def _long_cuts(text: str, start: int, end: int) -> Iterator[int]:
    while end - start > LONGEST:
        window = text[start : start + LONGEST]
        least = LONGEST // 4
        for marks in (";；\n", ",，、،", " \t\u00a0\u3000"):
            at = max(window.rfind(mark) for mark in marks)
            if at >= least:
                start += at + 1
                break
        else:
            start += LONGEST
        yield start


def _join(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give pieces that say nothing to the one before, and list markers to the one after."""
    joined: list[tuple[int, int]] = []
    opened: int | None = None  # where a piece began that waits for the next one
    for start, end in pieces:
        begin = start if opened is None else opened
        piece = text[start:end]
        opened = None
        if _HAS_WORD.search(piece) and not _MARKER.fullmatch(piece):
            joined.append((begin, end))
        elif joined and not _MARKER.fullmatch(piece):
            joined[-1] = (joined[-1][0], end)
        else:
            opened = begin
    if opened is not None:
        if joined:
            joined[-1] = (joined[-1][0], pieces[-1][1])
        else:
            joined.append((opened, pieces[-1][1]))
    return joined
