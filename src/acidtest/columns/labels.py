"""Labels as people give them, to grades that are whole numbers."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from acidtest.errors import BadData

Labels = Mapping[str, int] | Collection[str]
"""The judged ids with their grades, or just the relevant ids (grade 1)."""

MAX_GRADE = 2**63 - 1


def checked(
    labels: Sequence[Labels | None], names: Sequence[str] | None
) -> tuple[list[Mapping[str, int]], list[tuple[int, ...]]]:
    """Return every query's labels as a mapping from id to grade, and its grades alone.

    Raises:
        BadData: A grade is not a whole number, or a string stands where labels belong.
    """
    found = [x if type(x) is dict else _mapping(x, i, names) for i, x in enumerate(labels)]
    patterns = [tuple(grades.values()) for grades in found]
    try:
        distinct = set(chain.from_iterable(set(patterns)))
    except TypeError:  # a grade that is a list
        distinct = {None}
    if set(map(type, distinct)) - {int} or (distinct and max(map(abs, distinct)) > MAX_GRADE):
        found = [
            {id_: _grade(grade, id_, i, names) for id_, grade in grades.items()}
            for i, grades in enumerate(found)
        ]
        patterns = [tuple(grades.values()) for grades in found]
    return found, patterns


def _grade(grade: Any, id_: str, i: int, names: Sequence[str] | None) -> int:
    try:
        whole = int(grade)
        if whole == grade and abs(whole) <= MAX_GRADE:
            return whole
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadData(
        f"the grade of {id_!r} is {grade!r}, not a whole number",
        where=named(i, names),
        fix="Grades are 0 (not relevant), 1, 2, 3, ...",
    )


def _mapping(labels: Labels | None, i: int, names: Sequence[str] | None) -> Mapping[str, int]:
    if labels is None:
        return {}
    if isinstance(labels, Mapping):
        return labels
    if isinstance(labels, str):
        raise BadData(
            f"the labels are the string {labels!r}",
            where=named(i, names),
            fix="Give a list of ids, or a mapping from id to grade.",
        )
    return dict.fromkeys(labels, 1)


def named(i: int, names: Sequence[str] | None) -> str:
    """Say which query it is, for a message."""
    return f"query {i + 1}" if names is None else f"query {names[i]!r}"
