"""Several people's words on one chunk, made one grade by a rule that has a name."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

Rule = Literal["agreed", "majority", "median"]
RULES: tuple[Rule, ...] = ("agreed", "majority", "median")


def settled(grades: Sequence[int], rule: Rule, *, unsure: int = 0) -> int | None:
    """Return the one grade; None where the rule gives none, and a person has to decide.

    Args:
        grades: What people said; one person's word is taken as it is.
        rule: `agreed`: all say the same. `majority`: more than half say the same. `median`: the middle
            one in order, and of two in the middle the lower.
        unsure: How many more were unsure: for `agreed` there may be none, for `majority` they count as
            people who said something else, and for `median` those with a grade must be more.
    """
    if not grades:
        return None
    if rule == "median":
        return None if unsure >= len(grades) else sorted(grades)[(len(grades) - 1) // 2]
    grade, often = Counter(grades).most_common(1)[0]
    people = len(grades) + unsure
    enough = often == people if rule == "agreed" else 2 * often > people
    return grade if enough else None
