"""Two people's edits of one case, made one: field by field, label by label, key by key."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from acidtest.data.golden import Case, Evidence, Turn
from acidtest.golden.edit.desk import Desk, same
from acidtest.golden.edit.merge_evidence import merge_evidence
from acidtest.golden.edit.order import woven
from acidtest.golden.labels import MAX_GRADE

_UNIT = ("answerable", "relevant", "relevant_docs", "evidence")
"""What stands or falls together where one side says that the case must be declined."""

Sides = tuple[Case, Case, Case]


def merge_case(base: Case | None, ours: Case, theirs: Case, desk: Desk) -> Case:
    """Return the case that both sides' edits make; conflicts are left on the desk.

    Args:
        base: The case before; None where both added it.
        ours: What the one made of it.
        theirs: What the other made of it.
        desk: Where they meet.
    """
    before = base or Case(id=ours.id, question="")
    sides = (before, ours, theirs)
    about = (before.id, base.question if base else ours.question)

    def one(field: str, read: Callable[[Any], Any]) -> Any:
        values = tuple(getattr(side, field) for side in sides)
        return desk.settle(about, field, None, (values[0], values[1], values[2]), read)

    made = replace(
        ours,
        id=one("id", _text),
        question=one("question", _text),
        reference=one("reference", _text),
        tags=_tags(sides),
        history=_history(sides, about, desk),
        group=one("group", _text),
        split=one("split", _text),
        source=one("source", _text),
        metadata=_members(sides, "metadata", about, desk, lambda value: value),
    )
    return _labelled(made, sides, about, desk)


def _labelled(made: Case, sides: Sides, about: tuple[str, str], desk: Desk) -> Case:
    if len({side.answerable for side in sides}) > 1:
        b, o, t = ({name: getattr(side, name) for name in _UNIT} for side in sides)
        unit = desk.settle(about, "labels", None, (b, o, t), _unit)
        return replace(made, **(o if unit is None else unit))
    grades = {
        field: _members(sides, field, about, desk, _grade)
        for field in ("relevant", "relevant_docs")
    }
    evidence = merge_evidence(
        sides[0].evidence,
        sides[1].evidence,
        sides[2].evidence,
        lambda name, pieces, read: desk.settle(about, "evidence", name, pieces, read),
    )
    empty: dict[str, int] | None = None if made.answerable else {}
    return replace(
        made,
        relevant=grades["relevant"] or empty,
        relevant_docs=grades["relevant_docs"] or None,
        evidence=evidence,
    )


def _members(
    sides: Sides,
    field: str,
    about: tuple[str, str],
    desk: Desk,
    read: Callable[[Any], Any],
) -> dict[str, Any]:
    base, ours, theirs = (getattr(side, field) or {} for side in sides)
    made: dict[str, Any] = {}
    for key in dict.fromkeys((*base, *ours, *theirs)):
        pick = _picked(key, base, ours, theirs)
        if pick is None:
            b, o, t = base.get(key), ours.get(key), theirs.get(key)
            value = desk.settle(about, field, key, (b, o, t), read)
            if value is not None:
                made[key] = value
        elif key in pick:
            made[key] = pick[key]
    return {key: made[key] for key in woven(list(base), list(ours), list(theirs), made)}


def _picked(
    key: str, base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return the side whose member counts, which may lack it; None where both changed it."""
    if _alike(key, ours, theirs) or _alike(key, theirs, base):
        return ours
    return theirs if _alike(key, ours, base) else None


def _alike(key: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    # A null is there, and says something else than nothing.
    if key in one and key in other:
        return same(one[key], other[key])
    return (key in one) == (key in other)


def _tags(sides: Sides) -> tuple[str, ...]:
    base, ours, theirs = (side.tags for side in sides)
    kept = [
        tag
        for tag in dict.fromkeys((*base, *ours, *theirs))
        if (tag in ours and tag in theirs) or (tag not in base)
    ]
    return tuple(woven(_once(base), _once(ours), _once(theirs), kept))


def _once(tags: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(tags))


def _history(sides: Sides, about: tuple[str, str], desk: Desk) -> tuple[Turn, ...]:
    b, o, t = (side.history or None for side in sides)
    found: tuple[Turn, ...] | None = desk.settle(about, "history", None, (b, o, t), _turns)
    return found or ()


def _text(value: Any) -> str:
    found: str = msgspec.convert(value, str)
    if not found.strip():
        raise ValueError("it is empty")
    return found


def _grade(value: Any) -> int:
    found: int = msgspec.convert(value, int)
    if not 0 <= found <= MAX_GRADE:
        raise ValueError(f"a grade is a whole number from 0 to {MAX_GRADE}")
    return found


def _turns(value: Any) -> tuple[Turn, ...]:
    return msgspec.convert(value, tuple[Turn, ...])


class _Unit(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    answerable: bool
    relevant: dict[str, int] | None = None
    relevant_docs: dict[str, int] | None = None
    evidence: tuple[Evidence, ...] = ()


def _unit(value: Any) -> dict[str, Any]:
    return msgspec.structs.asdict(msgspec.convert(value, _Unit))
