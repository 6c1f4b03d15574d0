"""Several people's words on one chunk, made one grade by a rule that has a name."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

Rule = Literal["agreed", "majority", "median"]
RULES: tuple[Rule, ...] = ("agreed", "majority", "median")


def settled(grades: Sequence[int], rule: Rule) -> int | None:
    """Return the one grade; None where the rule gives none, and a person has to decide.

    Args:
        grades: What people said; one person's word is taken as it is.
        rule: `agreed`: all say the same. `majority`: more than half say the same. `median`: the middle
            one in order, and of two in the middle the lower.
    """
    if not grades:
        return None
    if rule == "median":
        return sorted(grades)[(len(grades) - 1) // 2]
    grade, often = Counter(grades).most_common(1)[0]
    enough = often == len(grades) if rule == "agreed" else 2 * often > len(grades)
    return grade if enough else None
