"""Review: cases wait, marked `open`, until a person accepts or rejects them."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from acidtest.codec.rows.row import shown
from acidtest.data.golden import Case
from acidtest.errors import UnknownName, UsageError

OPEN = "open"
ACCEPTED = "accepted"
REJECTED = "rejected"


def is_open(case: Case) -> bool:
    """Say whether a case waits for a person."""
    return case.metadata.get("review") == OPEN


def open_cases(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases that wait for a person, in their order."""
    return tuple(case for case in cases if is_open(case))


def chosen(cases: Sequence[Case], names: Sequence[str], *, where: str) -> tuple[Case, ...]:
    """Return the cases of these ids, each once, in the order of the names.

    Raises:
        UnknownName: There is no such case.
    """
    by_id = {case.id: case for case in cases}
    for name in names:
        if name not in by_id:
            raise UnknownName("case", name, by_id, where=where)
    return tuple(by_id[name] for name in dict.fromkeys(names))


def unfit(case: Case) -> str | None:
    """Say why a case cannot be accepted yet; None when it can."""
    if case.answerable and (case.reference is None or not case.reference.strip()):
        return "it has no reference"
    return None


def reviewed(case: Case, review: str, *, by: str, when: str) -> Case:
    """Return a case that a person has looked at.

    Args:
        case: The case.
        review: `accepted` or `rejected`.
        by: Who.
        when: The time, ISO 8601.
    """
    mark: dict[str, Any] = {"review": review, "reviewed": {"by": by, "when": when}}
    return replace(case, metadata={**case.metadata, **mark})


def with_reference(case: Case, reference: str) -> Case:
    """Return a case with an answer that a person gave.

    Raises:
        UsageError: The case is one that must be declined.
    """
    if not case.answerable:
        raise UsageError(
            f"case {shown(case.id)} is one that must be declined",
            where="--reference",
            fix="Leave --reference out, or edit the case.",
        )
    return replace(case, reference=reference)


def rejected_path(path: str) -> str:
    """Return where the rejected cases of a set are kept: beside it, as `NAME.rejected.jsonl`."""
    here = PurePath(path)
    return str(here.with_name(f"{here.stem}.rejected.jsonl"))
