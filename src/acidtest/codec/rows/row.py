"""One row of a data file, and where it stood."""

from typing import Any

from msgspec import Struct

from acidtest.errors import BadData, DataError


class Row(Struct, frozen=True, kw_only=True):
    """A mapping read from a file, with the place that errors name.

    Args:
        where: `file:line`, or `row 3` for rows that came from memory.
        values: Field names, as written, to JSON-like values.
        error: The kind of error that this file's faults are.
        flat: The row is from a table, whose cells cannot nest: lists and mappings may be written as
            text in a cell, and null means absent.
    """

    where: str
    values: dict[str, Any]
    error: type[DataError] = BadData
    flat: bool = False

    def fault(self, what: str, *, field: str | None = None, fix: str | None = None) -> DataError:
        """Return an error that names this row, and the field when it is one field's fault."""
        where = f"{self.where}: field {shown(field)}" if field is not None else self.where
        return self.error(what, where=where, fix=fix)


def shown(value: Any, limit: int = 60) -> str:
    """Return a short form of any value for a message; hostile text stays small and quoted."""
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else f"{value[:limit]!r}..."
    return kind(value)


def kind(value: Any) -> str:
    """Name the kind of a value in words that a reader of JSON, YAML or CSV knows."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value!r}"[:60]
    if isinstance(value, str):
        return "text"
    if isinstance(value, list | tuple):
        return "a list"
    return "a mapping" if isinstance(value, dict) else f"a {type(value).__name__}"
