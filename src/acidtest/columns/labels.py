"""Labels as people give them, to grades that are whole numbers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, TypeVar

from acidtest.errors import BadData

Labels = Mapping[str, int] | Collection[str]
"""The judged ids with their grades, or just the relevant ids (grade 1)."""

MAX_GRADE = 2**63 - 1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patterns:
    """The grades of all labels of each query.

    Many queries share few patterns, so what follows from the labels alone (how many are relevant, the
    best possible gain) is worked out once a pattern and spread over the queries.

    Attributes:
        distinct: Every pattern once: grades, the highest first.
        of: For each query the place of its pattern in `distinct`.
    """

    distinct: list[tuple[int, ...]]
    of: list[int]

    def __len__(self) -> int:
        return len(self.of)

    def spread(self, values: Sequence[T]) -> list[T]:
        """Return each query's value, of one value a pattern."""
        return list(map(values.__getitem__, self.of))


def checked(
    labels: Sequence[Labels | None], names: Sequence[str] | None
) -> tuple[Sequence[dict[str, int]], Patterns]:
    """Return every query's labels as a dictionary from id to grade, and the patterns of grades.

    Raises:
        BadData: A grade is not a whole number, or a string stands where labels belong.
    """
    found: Sequence[Any] = labels
    if set(map(type, labels)) != {dict}:
        found = [x if type(x) is dict else _dict(x, i, names) for i, x in enumerate(labels)]
    try:
        patterns = _patterns(found)
        whole = _are_grades(set(chain.from_iterable(patterns.distinct)))
    except TypeError:  # a grade that is a list, or has no order
        whole = False
    if not whole:
        found = [
            {id_: _grade(grade, id_, i, names) for id_, grade in grades.items()}
            for i, grades in enumerate(found)
        ]
        patterns = _patterns(found)
    return found, patterns


def _are_grades(values: set[Any]) -> bool:
    return not set(map(type, values)) - {int} and max(map(abs, values), default=0) <= MAX_GRADE


def _patterns(found: Sequence[dict[str, int]]) -> Patterns:
    numbers: defaultdict[tuple[int, ...], int] = defaultdict(count().__next__)
    of = list(map(numbers.__getitem__, map(tuple, map(dict.values, found))))
    # The order of the labels means nothing, and without it there are fewer patterns.
    places: defaultdict[tuple[int, ...], int] = defaultdict(count().__next__)
    place = [places[tuple(sorted(grades, reverse=True))] for grades in numbers]
    return Patterns(list(places), list(map(place.__getitem__, of)))


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


def _dict(labels: Labels | None, i: int, names: Sequence[str] | None) -> dict[str, int]:
    if labels is None:
        return {}
    if isinstance(labels, Mapping):
        return dict(labels)
    if isinstance(labels, str):
        raise BadData(
            f"the labels are the string {labels!r}",
            where=named(i, names),
            fix="Give a list of ids, or a mapping from id to grade.",
        )
    try:
        return dict.fromkeys(labels, 1)
    except TypeError as error:  # a list or a record among them
        raise BadData(
            "the labels hold something that is no id",
            where=named(i, names),
            fix="Give a list of ids, or a mapping from id to grade.",
        ) from error


def named(i: int, names: Sequence[str] | None) -> str:
    """Say which query it is, for a message."""
    return f"query {i + 1}" if names is None else f"query {names[i]!r}"
