"""Parts that DeepEval's goldens, conversations and results share: lists in one text, passages, metadata."""

import re
from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.formats.beside import agreed, unpacked
from acidtest.formats.cells import opened

LIST = "|"
"""What parts the texts of a list where they stand in one text."""

_SOURCE = re.compile(r"deepeval_source=(?P<source>.*?),deepeval_context=(?P<text>.*)", re.DOTALL)


def with_metadata(row: Row, values: dict[str, Any], beside: dict[str, Any]) -> Row:
    """Return the row of a case with what stands beside it, and what we had put there taken out."""
    metadata = beside.pop("additional_metadata", None)
    if not isinstance(metadata, dict):
        metadata = {} if metadata is None else {"additional_metadata": metadata}
    metadata, inner = unpacked(metadata)
    values |= agreed(inner, values.get("evidence"))
    values["metadata"] = {**metadata, **beside}
    return Row(where=row.where, values=values, error=row.error)


def texts(row: Row, name: str, value: object) -> list[Any]:
    """Return a list of texts that may stand in one text."""
    value = opened(row, name, value)
    if isinstance(value, list):
        return value
    parts = value.split(LIST) if isinstance(value, str) else [value]
    return [part for part in parts if not isinstance(part, str) or part.strip()]


def passage(text: object) -> Any:
    """Return a retrieved passage, with its source where it is told."""
    if not isinstance(text, str):
        return text
    marked = _SOURCE.fullmatch(text)
    return {"text": marked["text"], "source": marked["source"]} if marked else {"text": text}
