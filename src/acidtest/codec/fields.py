"""A row's fields under one name each: aliases, unknown names, one field filled twice."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct

from acidtest.codec.names import fold
from acidtest.codec.rows.row import Row, shown
from acidtest.errors import suggestion


class Given(Struct, frozen=True):
    """A field that a row fills: the name it was written under, and the value."""

    name: str
    value: Any


def lookup(*tables: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return every known name with the field that it means."""
    return {name: field for table in tables for field, names in table.items() for name in names}


def pick(
    row: Row, known: Mapping[str, str], *, passed_over: Collection[str] = ()
) -> dict[str, Given]:
    """Return the filled fields of a row; null is the same as absent.

    Args:
        row: The row.
        known: Folded names to fields; see `lookup`.
        passed_over: Folded names that may be there and say nothing here.

    Raises:
        DataError: A name is unknown, or two names of one field are filled differently.
    """
    fields: dict[str, Given] = {}
    for name, value in row.values.items():
        folded = fold(name)
        if folded in passed_over:
            continue
        if folded not in known:
            raise row.fault(f"unknown field {shown(name)}", fix=_unknown(folded[:100], known))
        if value is None:
            continue
        field = known[folded]
        before = fields.get(field)
        if before is not None and before.value != value:
            raise row.fault(
                f"{shown(before.name)} and {shown(name)} mean the same field ({field}) "
                "and are filled differently",
                fix="Keep one of them.",
            )
        fields.setdefault(field, Given(name, value))
    return fields


def _unknown(name: str, known: Mapping[str, str]) -> str:
    near = suggestion(name, known)
    if not near.startswith("Did you mean"):
        near = f"The fields are: {', '.join(dict.fromkeys(known.values()))}."
    return f"{near} `metadata` takes anything."
