"""Relevance labels: ids, or ids with grades 0 to 3."""

from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.codec.values import identifier, ids, unpacked

MAX_GRADE = 3


def grades(row: Row, given: Given) -> dict[str, int]:
    """Return id -> grade; ids without a grade have 1.

    Raises:
        DataError: An id comes twice, or a grade is not a whole number from 0 to 3.
    """
    value = unpacked(row, given)
    if isinstance(value, dict):
        return {
            identifier(row, Given(given.name, name)): _grade(row, given.name, name, grade)
            for name, grade in value.items()
            if not (row.flat and grade is None)
        }
    found: dict[str, int] = {}
    for name in ids(row, given):
        if name in found:
            raise row.fault(f"{shown(name)} is listed twice", field=given.name)
        found[name] = 1
    return found


def _grade(row: Row, field: str, name: str, value: Any) -> int:
    where = f"{field}[{shown(name)}]"
    if isinstance(value, str):
        raise row.fault(
            f"the grade is the text {shown(value)}",
            field=where,
            fix="Write grades as whole numbers without quotes: 0, 1, 2 or 3.",
        )
    whole = not isinstance(value, bool) and isinstance(value, int | float) and value == int(value)
    if not whole or not 0 <= value <= MAX_GRADE:
        raise row.fault(
            f"a grade is a whole number from 0 to {MAX_GRADE}, not {kind(value)}", field=where
        )
    return int(value)
