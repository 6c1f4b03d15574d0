"""Three-way merge: two people's edits of one golden set, made one.

What only one of them changed is taken. What both changed, each in another way, is a conflict: nobody's
word is lost, the one's stands in the merged set, and all three are on the list for a person.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import BadData
from acidtest.golden.edit.canonical import case_line
from acidtest.golden.edit.desk import Conflict, Decision, Desk, Key, same
from acidtest.golden.edit.diff import matched
from acidtest.golden.edit.merge_case import merge_case
from acidtest.golden.edit.order import woven
from acidtest.golden.load import load_golden
from acidtest.golden.version import version_of


class Merge(Struct, frozen=True, kw_only=True):
    """What a merge made.

    Attributes:
        golden: The merged set; at a conflict it says what `ours` says, or what one side still has where
            the other removed it.
        conflicts: What a person has to decide.
        decided: Conflicts that were decided.
    """

    golden: GoldenSet
    conflicts: tuple[Conflict, ...]
    decided: tuple[Conflict, ...]


class _Three(Struct, frozen=True):
    """A case in base, ours and theirs; None where it is not there."""

    base: Case | None
    ours: Case | None
    theirs: Case | None


def merge_sets(
    base: GoldenSet,
    ours: GoldenSet,
    theirs: GoldenSet,
    decisions: Mapping[Key, Decision] | None = None,
) -> Merge:
    """Merge two people's edits of a set.

    Cases are matched by id; one that is gone and a new one that asks the same are one case with another
    id. Labels, tags, evidence and metadata are merged member by member, all else as a whole.

    Args:
        base: The set that both started from.
        ours: What the one made of it.
        theirs: What the other made of it.
        decisions: What people decided on conflicts of this merge.

    Raises:
        BadData: A decision is on another merge's conflict, or cannot be.
        BadGolden: What was decided is no case.
    """
    desk = Desk(decisions or {})
    made = _merged(base, ours, theirs, desk, renames=True)
    if len({case.id for case in made.values()}) < len(made):
        # One side gave a case the id that the other gave to a new one: then ids are what they say.
        desk = Desk(decisions or {})
        made = _merged(base, ours, theirs, desk, renames=False)
    stray = desk.unused()
    if stray is not None:
        raise BadData(
            "this is no conflict of these sets",
            where=stray.where,
            fix="Merge again without --apply, and decide on the new file.",
        )
    cases = list(made.values())
    if cases and desk.decided:  # what people wrote may be no case
        cases = list(load_golden([msgspec.json.decode(case_line(case)) for case in cases]))
    return Merge(
        golden=GoldenSet(cases, version=version_of(cases)),
        conflicts=tuple(desk.open),
        decided=tuple(desk.decided),
    )


def _merged(
    base: GoldenSet, ours: GoldenSet, theirs: GoldenSet, desk: Desk, *, renames: bool
) -> dict[str, Case]:
    """Return the merged cases by the name that they have in all three sets, in their order."""
    to_ours = matched(base, ours, renames=renames)
    to_theirs = matched(base, theirs, renames=renames)
    names: list[list[str]] = []
    found: dict[str, dict[str, Case]] = {}
    for side, golden, back in (
        ("base", base, {case.id: case.id for case in base}),
        ("ours", ours, {new: old for old, new in to_ours.items()}),
        ("theirs", theirs, {new: old for old, new in to_theirs.items()}),
    ):
        own = [f"={back[case.id]}" if case.id in back else f"+{case.id}" for case in golden]
        names.append(own)
        for name, case in zip(own, golden, strict=True):
            found.setdefault(name, {})[side] = case
    made: dict[str, Case] = {}
    for name, sides in found.items():
        three = _Three(sides.get("base"), sides.get("ours"), sides.get("theirs"))
        one = _one(three, desk)
        if one is not None:
            made[name] = one
    return {name: made[name] for name in woven(names[0], names[1], names[2], made)}


def _one(three: _Three, desk: Desk) -> Case | None:
    base, ours, theirs = three.base, three.ours, three.theirs
    if ours is not None and theirs is not None:
        if same(ours, theirs):
            return ours
        return merge_case(base, ours, theirs, desk)
    if base is None:
        return ours or theirs
    found: Case | None = desk.settle(
        (base.id, base.question), "case", None, (base, ours, theirs), _case
    )
    return found


def _case(value: Any) -> Case:
    return msgspec.convert(value, Case)
