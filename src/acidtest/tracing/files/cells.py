"""Cells of tables that hold lists and mappings as text: JSON, or Python's way to print them."""

import ast
from typing import Any

from acidtest.tracing.files.attributes import from_json

_LARGEST = 4_000_000
"""Characters of a cell that is still read as Python: its tree takes a hundred times the room."""


def cell(given: Any) -> Any:
    """Return what a cell's text holds where it is a list or a mapping; any other cell as it is.

    Only literals are read, nothing is run.
    """
    if not isinstance(given, str) or given.lstrip()[:1] not in ("{", "["):
        return given
    found = from_json(given)
    if not isinstance(found, str) or len(given) > _LARGEST:
        return found
    try:
        return ast.literal_eval(given.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return given
