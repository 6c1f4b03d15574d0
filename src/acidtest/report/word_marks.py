"""Two versions of a text as one, in pieces: what stayed, what is gone, what is new.

Long stretches that stayed are cut, so that a changed word of a long text is seen.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from acidtest.report.word_diff import Range, differences

Kind = Literal["kept", "gone", "new"]

MARKS: dict[Kind, tuple[str, str]] = {"kept": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}
"""What stands around a piece where there is no colour, as version control has it."""

AROUND = 60
"""So many characters that stayed are shown on either side of a change."""

ELLIPSIS = " … "

Piece = tuple[Kind, str]


def pieces(was: str, now: str, *, around: int | None = AROUND) -> list[Piece]:
    """Return two versions of a text as pieces of one.

    Args:
        was: The text before.
        now: The text after.
        around: How much of what stayed is shown beside a change; None for all.
    """
    gone, new = differences(was, now)
    found = list(_pieces(was, now, gone, new))
    return found if around is None else list(_cut(found, around))


def marked(some: Sequence[Piece]) -> str:
    """Return pieces as one text with marks around what is gone and what is new."""
    return "".join(f"{MARKS[kind][0]}{text}{MARKS[kind][1]}" for kind, text in some)


def _pieces(was: str, now: str, gone: Sequence[Range], new: Sequence[Range]) -> Iterator[Piece]:
    # Both texts have the same letters that stayed: a change is placed by how many come before it.
    out = [(_letters(was, gone, start), was[start:end]) for start, end in gone]
    at = kept = 0
    for start, end in (*new, (len(now), len(now))):
        stretch = now[at:start]
        while out and out[0][0] <= kept + _count(stretch):
            place, text = out.pop(0)
            cut = _place(stretch, place - kept)
            if stretch[:cut]:
                yield "kept", stretch[:cut]
            kept += _count(stretch[:cut])
            yield "gone", text
            stretch = stretch[cut:]
            if stretch and not stretch[0].isspace():
                yield "kept", " "
        if stretch:
            yield "kept", stretch
            kept += _count(stretch)
        if end > start:
            yield "new", now[start:end]
        at = end


def _letters(text: str, ranges: Sequence[Range], until: int) -> int:
    """Return how many letters before a place are in no range."""
    before = [(start, end) for start, end in ranges if end <= until]
    return _count(text[:until]) - sum(_count(text[start:end]) for start, end in before)


def _count(text: str) -> int:
    return sum(map(len, text.split()))


def _place(text: str, letters: int) -> int:
    """Return where so many letters and the space behind them are over."""
    at = 0
    while at < len(text) and (letters > 0 or text[at].isspace()):
        letters -= not text[at].isspace()
        at += 1
    return at


def _cut(some: Sequence[Piece], around: int) -> Iterator[Piece]:
    for number, (kind, text) in enumerate(some):
        first, last = number == 0, number == len(some) - 1
        room = around * (2 - first - last)
        if kind != "kept" or len(text) <= room + len(ELLIPSIS) or len(some) == 1:
            yield kind, text
            continue
        head = "" if first else text[:around].rsplit(" ", 1)[0]
        tail = "" if last else text[-around:].split(" ", 1)[-1]
        yield "kept", f"{head}{ELLIPSIS}{tail}"
