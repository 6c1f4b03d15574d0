"""Rows to a file in the form that its name's ending tells: JSONL, JSON, YAML, CSV, TSV, Parquet."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import msgspec

from acidtest.atomic import write_whole
from acidtest.errors import UsageError
from acidtest.extras import need

ROWS = (".jsonl", ".json", ".yaml", ".csv", ".tsv", ".parquet")
"""Every ending that is written here."""

_TABLES = {".csv": ",", ".tsv": "\t"}
_SAME = {".ndjson": ".jsonl", ".yml": ".yaml", ".pq": ".parquet"}


def ending_of(path: str, endings: Sequence[str]) -> str:
    """Return the ending of a file's name, as it stands in `endings`.

    Raises:
        UsageError: The format is not written with such an ending.
    """
    suffix = PurePath(path).suffix.lower()
    suffix = _SAME.get(suffix, suffix)
    if suffix not in endings:
        raise UsageError(
            f"this format is not written to {suffix or 'a file without an ending'}",
            where=path,
            fix=f"Name it with one of: {', '.join(endings)}.",
        )
    return suffix


def write_rows(rows: Sequence[Mapping[str, Any]], path: str, endings: Sequence[str] = ROWS) -> None:
    """Write rows; the file is whole or not there. In tables, lists and mappings are JSON in a cell.

    Raises:
        UsageError: The name's ending is not one of `endings`.
        MissingExtra: Parquet, and Polars is not installed.
        OSError: It cannot be written.
    """
    suffix = ending_of(path, endings)
    if suffix == ".jsonl":
        content = json_lines(rows)
    elif suffix == ".json":
        content = json_text(list(rows))
    elif suffix == ".yaml":
        content = yaml_text(list(rows))
    elif suffix in _TABLES:
        content = table_text(rows, _TABLES[suffix])
    else:
        content = parquet_bytes(rows)
    write_whole(path, content)


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as JSON, one a line."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def json_text(document: Any) -> bytes:
    """Return a document as JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def yaml_text(document: Any) -> bytes:
    """Return a document as YAML, in the order of its keys."""
    import yaml

    plain = msgspec.json.decode(msgspec.json.encode(document))  # no anchors for what is shared
    text: str = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def table_text(rows: Sequence[Mapping[str, Any]], delimiter: str = ",") -> bytes:
    """Return rows as CSV: a column for each key, in the order in which keys first come."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(row.get(name)) for name in columns] for row in rows)
    return stream.getvalue().encode()


def cell(value: Any) -> str:
    """Return what stands for a value in a table's cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)


def parquet_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as Parquet, with lists and mappings as JSON in a cell.

    Raises:
        MissingExtra: Polars is not installed.
    """
    polars = need("polars", extra="tables")
    columns = dict.fromkeys(name for row in rows for name in row)
    # Lists and mappings as JSON: rows differ in what they nest, and a column has one type.
    nested = [
        {
            name: value if isinstance(value, str | bool | int | float | None) else cell(value)
            for name, value in row.items()
        }
        for row in rows
    ]
    stream = io.BytesIO()
    frame = polars.DataFrame(
        {name: [row.get(name) for row in nested] for name in columns}, strict=False
    )
    frame.write_parquet(stream)
    return stream.getvalue()
