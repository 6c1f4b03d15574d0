"""A file that is to be read in whatever form it is: its rows or its document, parsed once.

Sniffing and reading share it. Results may hold NaN, which strict JSON does not: it comes through here,
and readers turn it into a `Failure`.
"""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from acidtest.codec.rows import jsonlist, jsontext, table
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.frames import parquet_rows
from acidtest.codec.rows.lines import numbered_lines, whole_text
from acidtest.codec.rows.read import MAX_JSON, MAX_YAML, SUFFIXES
from acidtest.codec.rows.row import Row, kind
from acidtest.errors import BadData, DataError

HEAD = 20
"""Rows that sniffing looks at."""


class Source:
    """A file or folder.

    Args:
        path: Where it is.

    Attributes:
        path: The path as text.
        form: "jsonl", "json", "yaml", "csv", "tsv", "parquet" by the name's ending (`.gz` aside),
            "folder", or the bare ending of any other file.
        stem: The name without folder and endings: what its system is called, where nothing else says.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        name = PurePath(PurePath(self.path).name.removesuffix(".gz"))
        suffix = name.suffix.lower()
        self.stem = name.stem or "outputs"
        folder = "\0" not in self.path and Path(self.path).is_dir()
        self.form = "folder" if folder else SUFFIXES.get(suffix, suffix)

    def fault(self, what: str, *, at: str | None = None, fix: str | None = None) -> DataError:
        """Return an error that names the file, and a place in it."""
        return BadData(what, where=f"{self.path}: {at}" if at else self.path, fix=fix)

    @cached_property
    def text(self) -> str:
        """The whole text."""
        limit = MAX_YAML if self.form == "yaml" else MAX_JSON
        return whole_text(self.path, BadData, limit=limit)

    @cached_property
    def document(self) -> Any:
        """The value of a JSON or YAML file; None for other forms.

        Raises:
            BadData: It is neither, with the line.
        """
        try:
            if self.form == "json" and self.text.strip():
                return jsontext.parse(self.text, nan=True)
            if self.form == "yaml":
                from acidtest.codec.rows import yamltext

                return yamltext.document(self.text)
        except LineFault as fault:
            raise self._at(fault) from fault
        return None

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a table, of JSON lines, or of the list that a JSON or YAML file holds.

        Raises:
            BadData: It is not of its form, or a row is not a mapping; the message says `file:line`.
            MissingExtra: Parquet, and Polars is not installed.
        """
        if self.form == "parquet":
            return tuple(parquet_rows(self.path, BadData))
        try:
            rows = tuple(self._row(line, value) for line, value in self._items())
        except LineFault as fault:
            raise self._at(fault) from fault
        if not rows:
            raise self.fault("the file is empty: it has no row")
        return rows

    @cached_property
    def head(self) -> tuple[dict[str, Any], ...]:
        """The first rows as mappings, for sniffing; empty where the file is not made of rows."""
        if self.form in ("json", "yaml"):
            rows = self.document
            if isinstance(rows, dict):
                lists = [rows[name] for name in jsonlist.LISTS if isinstance(rows.get(name), list)]
                rows = lists[0] if len(lists) == 1 else []
            rows = rows if isinstance(rows, list) else []
            return tuple(row for row in rows[:HEAD] if isinstance(row, dict))
        if self.form in ("jsonl", "csv", "tsv", "parquet"):
            return tuple(row.values for row in self.rows[:HEAD])
        return ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of the fields of the first rows, as they are written."""
        return frozenset(name for row in self.head for name in row)

    def under(self, rows: object, name: str) -> tuple[Row, ...]:
        """Return the members of a list inside the document as rows, placed by name and number.

        Raises:
            BadData: It is not a list of mappings.
        """
        if not isinstance(rows, list):
            raise self.fault(f"must be a list, not {kind(rows)}", at=name)
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, dict):
                raise self.fault(
                    f"a row must be a mapping of fields, not {kind(row)}", at=f"{name} {number}"
                )
        return tuple(
            Row(where=f"{self.path}: {name} {number}", values=row)
            for number, row in enumerate(rows, start=1)
        )

    def _items(self) -> Iterator[tuple[int, Any]]:
        if self.form == "json":
            yield from jsonlist.items(self.text, nan=True) if self.text.strip() else ()
        elif self.form == "yaml":
            from acidtest.codec.rows import yamltext

            yield from yamltext.items(self.text)
        elif self.form == "jsonl":
            for line, text in numbered_lines(self.path, BadData):
                if text.strip():
                    try:
                        yield line, jsontext.parse(text, nan=True)
                    except LineFault as fault:
                        raise LineFault(fault.what, line=line, fix=fault.fix) from fault
        elif self.form in ("csv", "tsv"):
            yield from table.items(numbered_lines(self.path, BadData), tabs=self.form == "tsv")
        else:
            what = "this is a folder" if self.form == "folder" else "not a file of rows"
            raise self.fault(what, fix=f"Its name must end in one of: {', '.join(SUFFIXES)}.")

    def _row(self, line: int, value: Any) -> Row:
        where = f"{self.path}:{line}"
        if not isinstance(value, dict):
            raise BadData(
                f"a row must be a mapping of fields, not {kind(value)}",
                where=where,
                fix="Write one object of fields a row.",
            )
        return Row(where=where, values=value, flat=self.form in ("csv", "tsv"))

    def _at(self, fault: LineFault) -> DataError:
        return BadData(fault.what, where=f"{self.path}:{fault.line}", fix=fault.fix)
