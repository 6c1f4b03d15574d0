"""The value of one field to the type that it must have, or an error that names the field.

Cells of tables (`Row.flat`) hold text: lists are written there as JSON (or as Python prints a list
of strings), or with separators: `|` between texts, `|` or `;` between ids. A comma between ids is
refused, since an id may hold one.
"""

import ast
import math
import re
from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows import jsontext
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.plain import plain
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.data.outcomes import LARGEST

_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0"})
_ESCAPE = (
    r"""\\(?:[\\'"nrt]|x[0-9a-f]{2}|u(?!d[89a-f])[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})"""
)
_QUOTED = re.compile(rf"""\s*('(?:[^'\\\n]|{_ESCAPE})*'|"(?:[^"\\\n]|{_ESCAPE})*")\s*(,|$)""")


def text(row: Row, given: Given) -> str:
    """Return a text that is more than white space."""
    value = given.value
    if not isinstance(value, str):
        fix = "Put it in quotes." if isinstance(value, int | float) else None
        raise row.fault(f"must be text, not {kind(value)}", field=given.name, fix=fix)
    if not value.strip():
        raise row.fault("must not be empty", field=given.name)
    return value


def identifier(row: Row, given: Given) -> str:
    """Return an id: text, or a whole number as text."""
    value = given.value
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise row.fault(f"an id must be text, not {kind(value)}", field=given.name)
    name = value.strip() if row.flat else value
    if not name.strip():
        raise row.fault("an id must not be empty", field=given.name)
    return name


def flag(row: Row, given: Given) -> bool:
    """Return true or false; in words (true, false, yes, no) too."""
    value = given.value
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    if word in _TRUE | _FALSE:
        return word in _TRUE
    raise row.fault(f"must be true or false, not {shown(value)}", field=given.name)


def number(row: Row, given: Given, *, least: float | None = None) -> float:
    """Return a finite number, of at least `least`; in a table's cell it may be text."""
    value = given.value
    if row.flat and isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            value = given.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise row.fault(f"must be a finite number, not {shown(value)}", field=given.name)
    if abs(value) > LARGEST:
        raise row.fault(f"must be at most {LARGEST:g}, not {shown(value)}", field=given.name)
    if least is not None and value < least:
        raise row.fault(f"must be at least {least}, not {value!r}", field=given.name)
    return value


def listed(row: Row, given: Given, *, marks: str = "|") -> list[Any]:
    """Return a list; a lone value is a list of one, a table's cell is taken apart.

    Args:
        row: The row.
        given: The field.
        marks: What may separate members in a table's cell; the first that occurs does.
    """
    value = unpacked(row, given)
    if isinstance(value, list):
        return value
    if not (row.flat and isinstance(value, str)):
        return [value]
    mark = next((mark for mark in marks if mark in value), None)
    parts = value.split(mark) if mark else [value]
    return [part.strip() for part in parts if part.strip()]


def ids(row: Row, given: Given) -> list[str]:
    """Return a list of ids."""
    members = listed(row, given, marks="|;")
    if row.flat and isinstance(given.value, str) and members == [given.value.strip()]:
        no_commas(row, given, members[0])
    return [identifier(row, Given(given.name, member)) for member in members]


def no_commas(row: Row, given: Given, cell: str) -> None:
    """Refuse a cell of ids that is split by nothing but may be meant as several."""
    if "," in cell:
        raise row.fault(
            f"{shown(cell)} holds a comma: is it one id or several?",
            field=given.name,
            fix='Separate ids by | or ;, or write a JSON list such as ["c1", "c2"].',
        )


def mapping(row: Row, given: Given) -> dict[str, Any]:
    """Return a mapping; a table's cell may hold it as JSON."""
    value = unpacked(row, given)
    if not isinstance(value, dict):
        raise row.fault(f"must be a mapping, not {kind(value)}", field=given.name)
    value = plain(value, f"{row.where}: field {shown(given.name)}", row.error)
    return _without_null(value) if row.flat else value


def unpacked(row: Row, given: Given) -> Any:
    """Return a field's value, with the JSON that a table's cell holds decoded."""
    value = given.value
    if not (row.flat and isinstance(value, str) and value.lstrip()[:1] in ("[", "{")):
        return value
    try:
        return jsontext.parse(value)
    except LineFault as fault:
        printed = _printed_list(value.strip())
        if printed is not None:
            return printed
        raise row.fault(fault.what, field=given.name, fix=fault.fix) from fault


def _printed_list(cell: str) -> list[str] | None:
    # A list of strings as Python prints it, which is what data frames write into a CSV cell. NumPy's
    # form without commas is not read: its strings would run together.
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    inner, at, members = cell[1:-1].rstrip(), 0, list[str]()
    while at < len(inner):
        match = _QUOTED.match(inner, at)
        if match is None:
            return None
        members.append(ast.literal_eval(match.group(1)))
        at = match.end()
    return members


def _without_null(value: Any) -> Any:
    # A table's nested columns have every key in every row; null marks those that a row lacks.
    if isinstance(value, dict):
        return {key: _without_null(member) for key, member in value.items() if member is not None}
    return value
