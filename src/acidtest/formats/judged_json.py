"""Judgements and runs as JSON: query -> document -> number, or query -> documents, best first."""

import os
from pathlib import Path
from typing import Any

import msgspec

from acidtest.codec.files import read_bytes
from acidtest.codec.rows.row import shown
from acidtest.errors import BadData

_FORM = 'The JSON is an object: {"query": {"document": number}} or {"query": ["document", ...]}.'


def is_json(path: str | os.PathLike[str]) -> bool:
    """Say whether a path is that of a JSON file."""
    return Path(os.fspath(path)).suffix.lower() == ".json"


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read judgements or a run, as dictionaries are given in Python.

    Raises:
        BadData: It cannot be read, is not JSON, or is of another form; the message names the query.
    """
    where = os.fspath(path)
    try:
        document = msgspec.json.decode(read_bytes(path))
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadData(f"not JSON that can be read: {error}", where=where) from error
    if not isinstance(document, dict) or not document:
        raise BadData("there are no queries in it", where=where, fix=_FORM)
    for query, found in document.items():
        named = isinstance(found, list) and all(isinstance(one, str) for one in found)
        numbered = isinstance(found, dict) and all(
            isinstance(one, int | float) and not isinstance(one, bool) for one in found.values()
        )
        if not (named or numbered):
            raise BadData(
                f"query {shown(query)} has neither documents with numbers nor a list of documents",
                where=where,
                fix=_FORM,
            )
    return document
