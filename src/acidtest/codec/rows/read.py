"""Reading the rows of a data file in whichever form it is, each with its place.

The form is told by the file's name: `.jsonl` (`.ndjson`), `.json`, `.yaml` (`.yml`), `.csv`, `.tsv`,
`.parquet` (`.pq`), and where asked for TREC runs (`.trec`, `.run`, `.txt`). Text forms may be gzipped
(`.jsonl.gz`).
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from acidtest.codec.rows import jsonlist, jsontext, table, trec
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.frames import parquet_rows
from acidtest.codec.rows.lines import numbered_lines, opened, whole_text
from acidtest.codec.rows.row import Row, kind
from acidtest.errors import BadData, DataError

MAX_JSON = 512 * 1024**2
MAX_YAML = 64 * 1024**2
SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
TREC_SUFFIXES = (".trec", ".run", ".txt")


_JSON_MARKS = ("{", "[", '"')


def read_rows(
    path: str | os.PathLike[str], *, error: type[DataError] = BadData, trec_runs: bool = False
) -> Iterator[Row]:
    """Yield the rows of a file, in order; a file without any row is an error.

    Args:
        path: The file; its name's ending tells the form.
        error: The kind of error to raise.
        trec_runs: Read TREC runs too.

    Raises:
        DataError: The file is missing, empty, too large, not UTF-8 or not of its form, or a row is
            not a mapping. The message says `file:line`.
        MissingExtra: Parquet, and Polars is not installed.
    """
    form = _form(path, error=error, trec_runs=trec_runs)
    empty = True
    for row in _rows(path, form, error):
        empty = False
        yield row
    if empty:
        raise error("the file is empty: it has no row", where=os.fspath(path))


def _form(path: str | os.PathLike[str], *, error: type[DataError], trec_runs: bool) -> str:
    name = PurePath(os.fspath(path)).name.lower().removesuffix(".gz")
    suffix = PurePath(name).suffix
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if trec_runs and suffix in TREC_SUFFIXES:
        return "trec"
    with opened(path, error):  # a missing file or a folder is the plainer fault
        pass
    known = [*SUFFIXES, *(TREC_SUFFIXES if trec_runs else ())]
    raise error(
        f"the ending {suffix!r} names no form of file that is read here"
        if suffix
        else "the name has no ending that tells the form of the file",
        where=os.fspath(path),
        fix=f"Name it with one of: {', '.join(known)}.",
    )


def _rows(path: str | os.PathLike[str], form: str, error: type[DataError]) -> Iterator[Row]:
    if form == "parquet":
        with opened(path, error):
            pass
        yield from parquet_rows(path, error)
        return
    where = os.fspath(path)
    try:
        for line, value in _items(path, form, error):
            yield _row(f"{where}:{line}", value, error, flat=form in ("csv", "tsv"))
    except LineFault as fault:
        raise error(fault.what, where=f"{where}:{fault.line}", fix=fault.fix) from fault


def _row(where: str, value: Any, error: type[DataError], *, flat: bool) -> Row:
    if not isinstance(value, dict):
        raise error(
            f"a row must be a mapping of fields, not {kind(value)}",
            where=where,
            fix='Write each row as {"field": value, ...}.',
        )
    return Row(where=where, values=value, error=error, flat=flat)


def _items(
    path: str | os.PathLike[str], form: str, error: type[DataError]
) -> Iterator[tuple[int, Any]]:
    if form == "json":
        text = whole_text(path, error, limit=MAX_JSON)
        return jsonlist.items(text) if text.strip() else iter(())
    if form == "yaml":
        from acidtest.codec.rows import yamltext

        return yamltext.items(whole_text(path, error, limit=MAX_YAML))
    lines = numbered_lines(path, error)
    if form == "jsonl":
        return _json_lines(lines)
    return trec.items(lines) if form == "trec" else table.items(lines, tabs=form == "tsv")


def _json_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Any]]:
    for line, text in lines:
        if not text.strip():
            continue
        try:
            yield line, jsontext.parse(text)
        except LineFault as fault:
            table = not text.lstrip().startswith(_JSON_MARKS) and "," in text
            fix = fault.fix or ("Is it a table with commas? Name it .csv." if table else None)
            raise LineFault(fault.what, line=line, fix=fix) from fault
