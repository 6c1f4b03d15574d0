"""CSV and TSV to rows: a header, quoted cells that may span lines, the line where each row began.

The delimiter is a tab in `.tsv`; else the comma, or the semicolon or tab when the header has no
comma (spreadsheets write those).
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.lines import MAX_LINE


def items(lines: Iterable[tuple[int, str]], *, tabs: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line and cells of each row; empty cells are None.

    Raises:
        LineFault: The header has a doubled or empty name, a row has more or fewer cells than it, or
            quotes are not closed.
    """
    source = iter(lines)
    first = next(source, None)
    if first is None:
        return
    delimiter = "\t" if tabs else _delimiter(first[1])
    records = _records(_chain(first[1], source), delimiter)
    header: list[str] | None = None
    for line, cells in records:
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = _header(line, cells)
            continue
        yield line, _row(line, header, cells)


def _delimiter(header: str) -> str:
    if "," in header:
        return ","
    return next((mark for mark in (";", "\t") if mark in header), ",")


def _chain(first: str, rest: Iterator[tuple[int, str]]) -> Iterator[str]:
    yield first
    for _, text in rest:
        yield text


def _records(lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = reader.line_num + 1
        # The limit is the module's only setting for long cells: widen it for the read, then put back.
        usual = csv.field_size_limit(MAX_LINE)
        try:
            cells = next(reader, None)
        except csv.Error as fault:
            raise LineFault(
                f"not CSV: {fault}",
                line=start,
                fix="Check the quotes: a quote inside a quoted cell is written twice.",
            ) from fault
        finally:
            csv.field_size_limit(usual)
        if cells is None:
            return
        yield start, cells


def _header(line: int, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    for name in names:
        if name and names.count(name) > 1:
            raise LineFault(f"the header has the column {name[:60]!r} twice", line=line)
    return names


def _row(line: int, header: list[str], cells: list[str]) -> dict[str, Any]:
    if len(cells) != len(header):
        raise LineFault(
            f"the row has {len(cells)} cells where the header has {len(header)}",
            line=line,
            fix="Put cells that hold the delimiter or a line end in double quotes.",
        )
    row: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        if name:
            row[name] = cell if cell.strip() else None
        elif cell.strip():
            raise LineFault(
                "a cell is filled under a column without a name",
                line=line,
                fix="Name the column in the header, or check the quotes of this row.",
            )
    return row
