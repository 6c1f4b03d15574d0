"""The words that progress is told in: amounts, pieces of a line, a line that fits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from acidtest.run.progress import Progress

BARS = (20, 15, 10, 5)
"""Widths of the bar: it changes in steps, so that it does not tremble with the digits beside it."""

BAR_RANK = 5

GAP = 2
"""Spaces between two pieces."""


class Piece(NamedTuple):
    """A piece of the live line; where room is short, those of a high rank go first."""

    rank: int
    text: str


def clean(name: str) -> str:
    """Return a name as one line that no terminal obeys."""
    return "".join(c if c.isprintable() else "?" for c in name)


def clock(seconds: float) -> str:
    """Return 1:02, or 1:02:03 from an hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def took(seconds: float) -> str:
    """Return how long something took, with tenths where they matter."""
    return f"{seconds:.1f} s" if seconds < 9.95 else clock(seconds)


def speed(per_second: float | None) -> str:
    """Return a rate by the second, the minute or the hour, whichever reads best; "" if unknown."""
    if per_second is None:
        return ""
    if per_second >= 1:
        return f"{per_second:.0f}/s" if per_second >= 9.95 else f"{per_second:.1f}/s"
    if per_second * 60 >= 1:
        return f"{per_second * 60:.0f}/min"
    return f"{max(per_second * 3600, 1):.0f}/h"


def tokens(count: int) -> str:
    """Return 980, 12.3k, 412k or 1.2M."""
    if count < 1000:
        return str(count)
    if count < 99_950:
        return f"{count / 1e3:.1f}k"
    return f"{count / 1e3:.0f}k" if count < 999_500 else f"{count / 1e6:.1f}M"


def money(usd: float | None) -> str:
    """Return $0.0123 or $12.35; words where a price is unknown; "" where nothing was paid."""
    if usd is None:
        return "cost unknown"
    if usd <= 0:
        return ""
    if usd < 0.00005:
        return "<$0.0001"
    return f"${usd:.4f}" if usd < 0.1 else f"${usd:,.2f}"


def spent(step: "Progress") -> list[str]:
    """Return what judging took, and what failed, in pieces of a sentence."""
    asked = step.calls or step.cached
    return [
        piece
        for piece in (
            counted(step.calls, "call") if asked else "",
            f"{step.cached} cached" if step.cached else "",
            f"{counted(step.failed, 'case')} failed" if step.failed else "",
            f"{counted(step.judge_failed, 'judgement')} failed" if step.judge_failed else "",
            f"{tokens(step.tokens)} tokens" if step.tokens else "",
            money(step.cost_usd),
        )
        if piece
    ]


def counted(count: int, what: str) -> str:
    """Return 1 case, 2 cases."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def pieces(step: "Progress", rate: str, time: str) -> list[Piece]:
    """Return the pieces of the live line behind its bar."""
    failed = step.failed + step.judge_failed
    asked = step.calls or step.cached
    some = [
        Piece(0, f"{step.done}/{step.total}"),
        Piece(6, rate),
        Piece(4, counted(step.calls, "call") if asked else ""),
        Piece(7, f"{step.cached} cached" if step.cached else ""),
        Piece(2, f"{failed} failed" if failed else ""),
        Piece(8, f"{tokens(step.tokens)} tokens" if step.tokens else ""),
        Piece(3, money(step.cost_usd)),
        Piece(1, time),
    ]
    return [piece for piece in some if piece.text]


def fitted(some: Sequence[Piece], room: int) -> tuple[int, str]:
    """Choose what fits: the width of the bar (0: none), and the text behind it.

    A small bar comes before rate, cached and tokens; what is left over makes it wider.
    """
    chosen: set[int] = set()
    used = bar = 0
    for rank, text in sorted([*some, Piece(BAR_RANK, " " * BARS[-1])]):
        width = len(text) + GAP
        if used + width <= room + GAP:
            used += width
            chosen.add(rank)
    if BAR_RANK in chosen and len(chosen) > 1:
        spare = room + GAP - used
        bar = next(width for width in BARS if width - BARS[-1] <= spare)
    return bar, (" " * GAP).join(text for rank, text in some if rank in chosen)
