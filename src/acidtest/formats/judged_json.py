"""Judgements and runs as JSON: query -> document -> number, or query -> documents, best first."""

import codecs
import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from acidtest.codec.files import read_bytes
from acidtest.codec.rows.row import shown
from acidtest.errors import BadData

_LOOSE = re.compile(rb'"[ \t\r\n]+:')
"""The end of a name that blanks part from its colon; all others end in quote and colon."""

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
    raw = read_bytes(path).removeprefix(codecs.BOM_UTF8)
    try:
        document = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadData(f"not JSON that can be read: {error}", where=where, fix=_FORM) from error
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
    if raw.count(b'":') + sum(1 for _ in _LOOSE.finditer(raw)) != _names(document):
        _refuse_twice(raw, where)
    return document


def _names(document: dict[str, Any]) -> int:
    """Count the names that are left: of one that stands twice the last is read."""
    return len(document) + sum(len(found) for found in document.values() if isinstance(found, dict))


def _refuse_twice(raw: bytes, where: str) -> None:
    """Refuse a query, or a document of a query, that stands twice; there may be none."""

    def read(pairs: list[tuple[str, Any]]) -> Any:
        names = set[str]()
        for name, value in pairs:
            if isinstance(value, _Twice):
                message = f"query {shown(name)} has the document {shown(value.name)} twice"
                raise BadData(message, where=where, fix="Keep one of them.")
            if name in names:
                return _Twice(name)
            names.add(name)
        return dict(pairs)

    try:
        found = json.loads(raw, object_pairs_hook=read)
    except (ValueError, RecursionError) as error:  # what stood first, and was passed over before
        raise BadData(f"not JSON that can be read: {error}", where=where, fix=_FORM) from error
    if isinstance(found, _Twice):
        message = f"there is the query {shown(found.name)} twice"
        raise BadData(message, where=where, fix="Bring its documents together.")


class _Twice(NamedTuple):
    """Stands for an object in which a name stands twice."""

    name: str
