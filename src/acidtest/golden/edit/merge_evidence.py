"""Two people's edits of a case's evidence, made one: piece by piece."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from acidtest.data.golden import Evidence
from acidtest.golden.edit.order import woven
from acidtest.golden.edit.pairs import paired

Settle = Callable[[str, tuple[Any, Any, Any], Callable[[Any], Any]], Any]
"""Which piece, what base, ours and theirs have, what reads a decision -> the one value."""

_PLACE = ("text", "start", "end")  # one changes with the others
_REST = ("chunk_id", "doc_id", "doc_version")

Pieces = Sequence[Evidence]


def merge_evidence(
    base: Pieces, ours: Pieces, theirs: Pieces, settle: Settle
) -> tuple[Evidence, ...]:
    """Return the evidence that both sides' edits make.

    A piece that one side changed and the other removed, or that both changed differently, is a conflict.
    What both added is there once; pieces with the same text of the same chunk are one.
    """
    names_a, names_t = _names(base, ours), _names(base, theirs)
    added = {
        (piece.text, piece.chunk_id): name
        for name, piece in zip(names_a, ours, strict=True)
        if name.startswith("+")
    }
    names_t = [
        added.get((piece.text, piece.chunk_id), f"{name}'") if name.startswith("+") else name
        for name, piece in zip(names_t, theirs, strict=True)
    ]
    names_b = [str(number) for number in range(1, len(base) + 1)]
    sides = [
        dict(zip(names, pieces, strict=True))
        for names, pieces in ((names_b, base), (names_a, ours), (names_t, theirs))
    ]
    made: dict[str, Evidence] = {}
    for name in dict.fromkeys((*names_b, *names_a, *names_t)):
        piece = _piece(name, sides[0].get(name), sides[1].get(name), sides[2].get(name), settle)
        if piece is not None:
            made[name] = piece
    return tuple(made[name] for name in woven(names_b, names_a, names_t, made))


def _names(base: Pieces, side: Pieces) -> list[str]:
    """Return the name of each piece of a side: its number in the base, or `+1` and so on."""
    known = {new: str(old + 1) for old, new in paired(base, side)}
    fresh = 0
    names = []
    for place in range(len(side)):
        if place not in known:
            fresh += 1
        names.append(known.get(place, f"+{fresh}"))
    return names


def _piece(
    name: str, base: Evidence | None, ours: Evidence | None, theirs: Evidence | None, settle: Settle
) -> Evidence | None:
    if ours is not None and theirs is not None:
        both = _fields(base or Evidence(text=ours.text, chunk_id=ours.chunk_id), ours, theirs)
        if both is not None:
            return both
    found: Evidence | None = settle(name, (base, ours, theirs), read_piece)
    return found


def _fields(base: Evidence, ours: Evidence, theirs: Evidence) -> Evidence | None:
    """Return one piece from both sides' changes of different fields; None where they clash."""
    made = base
    for names in (_PLACE, *((name,) for name in _REST)):
        b, a, t = (tuple(getattr(side, name) for name in names) for side in (base, ours, theirs))
        if a != t and b not in (a, t):
            return None
        made = replace(made, **dict(zip(names, t if a == b else a, strict=True)))
    return made


def read_piece(value: Any) -> Evidence:
    """Return the piece that a person wrote."""
    return msgspec.convert(value, Evidence)
