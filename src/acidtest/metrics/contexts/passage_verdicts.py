"""Verdicts on numbered passages: what is said of them in a reason, and how they are counted."""

from collections.abc import Sequence

from acidtest.data.outcomes import Skip


def open_contexts(number: int, counts: dict[str, float]) -> Skip:
    """Return the skip of a case whose every context an abstaining judge left open."""
    return Skip(f"undecided: the judge left every context open ({number})", counts)


def listed(numbers: Sequence[int], limit: int = 20) -> str:
    """Return passage numbers for a reason: "2, 3", cut where there are many."""
    more = "" if len(numbers) <= limit else f" and {len(numbers) - limit} more"
    return ", ".join(map(str, numbers[:limit])) + more
