"""Parquet files and data frames in memory to rows, through Polars (extra `tables`)."""

import os
from collections.abc import Iterator
from typing import Any

from acidtest.codec.rows.plain import plain
from acidtest.codec.rows.row import Row
from acidtest.errors import DataError
from acidtest.extras import need


def parquet_rows(path: str | os.PathLike[str], error: type[DataError]) -> Iterator[Row]:
    """Yield the rows of a Parquet file; they count from 1.

    Raises:
        MissingExtra: Polars is not installed.
        DataError: It is not Parquet that Polars reads.
    """
    polars = need("polars", extra="tables")
    where = os.fspath(path)
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - os.fspath keeps any path type
            frame = polars.read_parquet(stream)
    except (Exception, polars.exceptions.PanicException) as fault:
        # Polars panics, outside `Exception`, on some damaged files.
        first = (str(fault).splitlines() or [repr(fault)])[0]
        raise error(f"not Parquet that can be read: {first[:200]}", where=where) from fault
    yield from _rows(frame, f"{where}: row ", error)


def frame_rows(frame: Any, error: type[DataError]) -> Iterator[Row]:
    """Yield the rows of anything that gives an Arrow stream: Polars, pandas, PyArrow, DuckDB."""
    polars = need("polars", extra="tables")
    try:
        table = polars.DataFrame(frame)
    except Exception as fault:
        # Whatever a foreign frame throws while it exports itself is bad input, not our bug.
        raise error(
            f"the data frame cannot be read: {str(fault)[:200]}", where=type(frame).__name__
        ) from fault
    yield from _rows(table, "row ", error)


def _rows(frame: Any, prefix: str, error: type[DataError]) -> Iterator[Row]:
    for number, values in enumerate(frame.iter_rows(named=True), start=1):
        where = f"{prefix}{number}"
        yield Row(where=where, values=plain(values, where, error), error=error, flat=True)
