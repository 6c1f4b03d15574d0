"""One order out of three: what both sides keep or add, each where its side has it."""

from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def woven(
    base: Sequence[Name], ours: Sequence[Name], theirs: Sequence[Name], kept: Collection[Name]
) -> list[Name]:
    """Return the names that are kept, in one order.

    The side that moved what was there before gives the order, ours if both did. What only the other
    side has comes after what it follows there; behind the same, ours comes first.

    Args:
        base: The names in their order before.
        ours: The one's.
        theirs: The other's.
        kept: What is wanted; each is in one of the three.
    """
    moved = _moved(base, ours) or not _moved(base, theirs)
    first, second = (ours, theirs) if moved else (theirs, ours)
    wanted = set(kept)
    found = [name for name in first if name in wanted]
    for other in (second, base):
        found = _with(found, other, wanted)
    return found


def _with(found: list[Name], other: Sequence[Name], wanted: Collection[Name]) -> list[Name]:
    """Return names with those that only another order has, each behind what it follows there."""
    own, there = set(found), set(other)
    behind: dict[Name | None, list[Name]] = {}
    last: Name | None = None
    for name in other:
        if name in own:
            last = name
        elif name in wanted:
            behind.setdefault(last, []).append(name)
    made: list[Name] = []
    waiting = behind.get(None, [])
    for name in found:
        if name in there:  # what `found` alone has behind the same name stays before it
            made += waiting
            waiting = behind.get(name, [])
        made.append(name)
    return made + waiting


def _moved(base: Sequence[Name], side: Sequence[Name]) -> bool:
    there = set(side)
    before = set(base)
    return [name for name in base if name in there] != [name for name in side if name in before]
