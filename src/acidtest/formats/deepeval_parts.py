"""Parts that DeepEval's goldens, conversations and results share: lists in one text, passages, metadata."""

import re
from typing import Any

from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row
from acidtest.codec.values import listed
from acidtest.formats.beside import agreed, unpacked

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
    given = Given(name, value)
    if isinstance(value, str) and not row.flat:  # JSON lines hold lists as tables do
        given, row = Given(name, value), Row(where=row.where, values={}, error=row.error, flat=True)
    return listed(row, given, marks=LIST)


def passage(text: object) -> Any:
    """Return a retrieved passage, with its source where it is told."""
    if not isinstance(text, str):
        return text
    marked = _SOURCE.fullmatch(text)
    return {"text": marked["text"], "source": marked["source"]} if marked else {"text": text}
