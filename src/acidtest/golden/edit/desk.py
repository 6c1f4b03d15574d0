"""Where two people's edits of one thing meet: settled by what was there before, or by a decision."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from acidtest.codec.json import canonical
from acidtest.codec.rows.row import shown
from acidtest.errors import BadData

ABSENT: Final[Any] = None
"""What a side has that lacks the thing."""

Verb = Literal["base", "ours", "theirs", "value"]
Key = tuple[str, str, str | None]
"""Case, field, and which member of the field."""


class Conflict(Struct, frozen=True, kw_only=True):
    """One thing that both changed, each in another way.

    Attributes:
        case: The case, by the id that it had before.
        question: What it asks.
        field: The field; `case` where one side removed the case, `labels` where one side says that the
            case must be declined.
        key: Which of the field's members: a chunk id, a key of metadata, the number of a piece of
            evidence; None for the field as a whole.
        base: What it was; None where it was not there.
        ours: What the one made of it.
        theirs: What the other made of it.
    """

    case: str
    question: str
    field: str
    key: str | None
    base: Any
    ours: Any
    theirs: Any

    @property
    def name(self) -> Key:
        """What a decision names it by."""
        return self.case, self.field, self.key


class Decision(Struct, frozen=True, kw_only=True):
    """What a person wrote to a conflict.

    Attributes:
        where: File and line.
        verb: Which side, or a value of one's own.
        value: That value.
        sides: What base, ours and theirs were, in canonical JSON.
    """

    where: str
    verb: Verb
    value: Any = None
    sides: tuple[bytes, bytes, bytes]


class Desk:
    """Collects the conflicts of one merge, and knows what was decided on them.

    Args:
        decisions: What people decided.
    """

    def __init__(self, decisions: Mapping[Key, Decision]) -> None:
        self._decisions = decisions
        self.open: list[Conflict] = []
        self.decided: list[Conflict] = []

    def settle(
        self,
        case: tuple[str, str],
        field: str,
        key: str | None,
        sides: tuple[Any, Any, Any],
        read: Callable[[Any], Any] = lambda value: value,
    ) -> Any:
        """Return the one value of a thing; where both changed it and nobody decided, what is there.

        Args:
            case: Id and question.
            field: The field.
            key: Which of its members.
            sides: What base, ours and theirs have; None is nothing.
            read: Makes a value of what a person wrote.

        Raises:
            BadData: A decision is of another merge, or its value cannot be.
        """
        base, ours, theirs = sides
        if same(ours, theirs) or same(theirs, base):
            return ours
        if same(ours, base):
            return theirs
        conflict = Conflict(
            case=case[0],
            question=case[1],
            field=field,
            key=key,
            base=base,
            ours=ours,
            theirs=theirs,
        )
        decision = self._decisions.get(conflict.name)
        if decision is None:
            self.open.append(conflict)
            # One side removed it: what is left is kept until somebody decides.
            return theirs if ours is ABSENT else ours
        self.decided.append(conflict)
        if decision.sides != tuple(map(canonical, sides)):
            raise BadData(
                f"the conflict in {shown(field)} of case {shown(case[0])} is another one by now",
                where=decision.where,
                fix="Merge again without --apply, and decide on the new file.",
            )
        if decision.verb != "value":
            return {"base": base, "ours": ours, "theirs": theirs}[decision.verb]
        try:
            return None if decision.value is None else read(decision.value)
        except (msgspec.ValidationError, ValueError) as error:
            raise BadData(
                f"this cannot be {shown(field)}: {error}",
                where=f"{decision.where}: field 'decision'",
                fix="Write what the field can be, or leave decision out.",
            ) from error

    def unused(self) -> Decision | None:
        """Return a decision on what is no conflict; None if there is none."""
        met = {conflict.name for conflict in self.decided}
        return next((each for name, each in self._decisions.items() if name not in met), None)


def same(one: Any, other: Any) -> bool:
    """Say whether two values are the same JSON: true is not 1."""
    return bool(one == other) and canonical(one) == canonical(other)
