"""Reading a golden set as version control hands it over: under any name, and from nothing."""

import os
from collections.abc import Iterator

from acidtest.codec.rows import jsontext
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.lines import numbered_lines
from acidtest.codec.rows.row import Row, kind
from acidtest.data.golden import GoldenSet
from acidtest.errors import BadGolden
from acidtest.golden.load import load_golden
from acidtest.golden.version import version_of


def read_lines(path: str) -> GoldenSet:
    """Read JSON lines whatever the file is called; an empty file is a set without a case.

    Raises:
        BadGolden: It is missing or no golden set, with file and line.
    """
    rows = list(_rows(path))
    if not rows:
        return _nothing(path)
    read = load_golden(rows)
    return GoldenSet(read, version=read.version, path=path, recorded=read.recorded)


def read_side(path: str) -> GoldenSet:
    """Read a golden set; the null device is a set without a case, as version control means it.

    Raises:
        BadGolden: It is missing or no golden set, with file and line.
    """
    return _nothing(path) if path == os.devnull else load_golden(path)


def _nothing(path: str) -> GoldenSet:
    return GoldenSet((), version=version_of(()), path=path)


def _rows(path: str) -> Iterator[Row]:
    for number, line in numbered_lines(path, BadGolden):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = jsontext.parse(line)
        except LineFault as fault:
            raise BadGolden(fault.what, where=where, fix=fault.fix) from fault
        if not isinstance(value, dict):
            raise BadGolden(
                f"a row must be a mapping of fields, not {kind(value)}",
                where=where,
                fix="Write one object of fields a row.",
            )
        yield Row(where=where, values=value, error=BadGolden)
