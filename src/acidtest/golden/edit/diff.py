"""The difference of two versions of a golden set, case by case."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.golden import Case, GoldenSet
from acidtest.golden.edit.canonical import case_line
from acidtest.golden.edit.changes import Edit, edits


class CaseChange(Struct, frozen=True, kw_only=True):
    """What became of a case that is in both versions.

    Attributes:
        before: As it was.
        after: As it is; its id may be another.
        edits: What changed but for the id.
    """

    before: Case
    after: Case
    edits: tuple[Edit, ...]


class GoldenDiff(Struct, frozen=True, kw_only=True):
    """The difference of two versions.

    Attributes:
        before: The one version.
        after: The other.
        added: Cases that are new.
        removed: Cases that are gone.
        changed: Cases that are in both, renamed or edited, in the order of `after`.
        unchanged: How many are as they were.
        reordered: Whether cases that are in both come in another order.
    """

    before: GoldenSet
    after: GoldenSet
    added: tuple[Case, ...]
    removed: tuple[Case, ...]
    changed: tuple[CaseChange, ...]
    unchanged: int
    reordered: bool

    @property
    def same(self) -> bool:
        """Whether both say the same; the order of cases does not matter."""
        return not (self.added or self.removed or self.changed)

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        """Old and new id of each case that has another."""
        both = ((each.before.id, each.after.id) for each in self.changed)
        return tuple((old, new) for old, new in both if old != new)

    @property
    def moved(self) -> tuple[CaseChange, ...]:
        """Cases that are in another split."""
        return tuple(each for each in self.changed if each.before.split != each.after.split)


def diff_sets(before: GoldenSet, after: GoldenSet) -> GoldenDiff:
    """Return what changed between two versions of a set.

    A case that is gone and a new one that asks the same are one case with another id.
    """
    names = matched(before, after)
    old = {case.id: case for case in before}
    came_from = {new: name for name, new in names.items()}
    both = [(old[came_from[case.id]], case) for case in after if case.id in came_from]
    changed = []
    for was, now in both:
        found = edits(was, now)
        if found or was.id != now.id:
            changed.append(CaseChange(before=was, after=now, edits=found))
    place = {case.id: number for number, case in enumerate(before)}
    order = [place[was.id] for was, _ in both]
    return GoldenDiff(
        before=before,
        after=after,
        added=tuple(case for case in after if case.id not in came_from),
        removed=tuple(case for case in before if case.id not in names),
        changed=tuple(changed),
        unchanged=len(both) - len(changed),
        reordered=order != sorted(order),
    )


def matched(
    before: Iterable[Case], after: Iterable[Case], *, renames: bool = True
) -> dict[str, str]:
    """Return the new id of each case that is in both versions.

    Args:
        before: The one version.
        after: The other.
        renames: Take a case that is gone and a new one for the same if they say the same but for the id,
            else if no others ask the same.
    """
    old, new = {case.id: case for case in before}, {case.id: case for case in after}
    found = {name: name for name in old if name in new}
    if renames:
        gone = [case for name, case in old.items() if name not in new]
        come = [case for name, case in new.items() if name not in old]
        found |= _renamed(gone, come)
    return found


def _renamed(gone: Sequence[Case], come: Sequence[Case]) -> dict[str, str]:
    whole = _only(gone, come, lambda case: case_line(replace(case, id="")))
    left = [case for case in gone if case.id not in whole]
    taken = set(whole.values())
    fresh = [case for case in come if case.id not in taken]
    return whole | _only(left, fresh, lambda case: (case.question, case.history))


def _only(
    gone: Sequence[Case], come: Sequence[Case], key: Callable[[Case], Hashable]
) -> dict[str, str]:
    sides: dict[Hashable, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, cases in enumerate((gone, come)):
        for case in cases:
            sides[key(case)][side].append(case.id)
    return {old[0]: new[0] for old, new in sides.values() if len(old) == len(new) == 1}
