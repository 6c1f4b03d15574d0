"""Cells of other tools' tables: JSON where a cell holds JSON, and its text where it does not."""

from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row
from acidtest.codec.values import unpacked


def opened(row: Row, name: str, value: object) -> Any:
    """Return what a cell's text holds as JSON, or the text itself where it is not JSON.

    Args:
        row: The row.
        name: The column.
        value: The cell. A text of a JSON file is opened too: tools put JSON in texts.
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    flat = Row(where=row.where, values={}, error=row.error, flat=True)
    try:
        return unpacked(flat, Given(name, value))
    except row.error:
        return value


def cell(row: Row, name: str, value: object) -> Any:
    """Return what a cell of a table holds, as `opened`; values of other files as they are."""
    return opened(row, name, value) if row.flat else value
