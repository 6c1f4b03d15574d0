"""Columns of a table that others made: a data frame, a Parquet or an Arrow file, through Polars (extra `tables`).

Only the columns that are asked for are read, under whatever name they have, and ids become text.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData
from acidtest.extras import need
from acidtest.formats.frame_files import is_table_file, scanned

_EXACT = 2**53
"""Up to here decimals hold every whole number."""


def is_table(value: object) -> bool:
    """Say whether judgements or a run are given as a table: a frame, or a file of one."""
    if isinstance(value, str | os.PathLike):
        return is_table_file(value)
    return hasattr(value, "__arrow_c_stream__") or _is_lazy(value) or _is_pandas(value)


def _is_lazy(value: object) -> bool:
    polars: Any = sys.modules.get("polars")
    return polars is not None and isinstance(value, polars.LazyFrame)


def _is_pandas(value: object) -> bool:
    pandas: Any = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def called(table: Any, what: str) -> str:
    """Return what errors call a table: its path, or what it is and whose."""
    if isinstance(table, str | os.PathLike):
        return os.fspath(table)
    return f"{what} ({type(table).__module__.partition('.')[0]} {type(table).__name__})"


def opened(table: Any, where: str) -> tuple[Any, list[str]]:
    """Return what columns can be taken from, and its columns' names."""
    pl: Any = need("polars", extra="tables")
    if _is_pandas(table):
        names = [*table.columns, *(n for n in table.index.names if n not in table.columns)]
        return table, [
            name if isinstance(name, str) else repr(name) for name in names if name is not None
        ]
    try:
        if isinstance(table, str | os.PathLike):
            found = scanned(table)
        else:
            found = table if _is_lazy(table) else pl.DataFrame(table).lazy()
        return found, found.collect_schema().names()
    except BadData:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        # Whatever a foreign frame throws while it exports itself is bad input, not our bug.
        raise _unreadable(error, where) from error


def taken(table: Any, columns: Mapping[str, str], where: str) -> Any:
    """Return the columns under our names, whole, with ids as text."""
    pl: Any = need("polars", extra="tables")
    try:
        if _is_pandas(table):
            made = {ours: _series(table, theirs, where) for ours, theirs in columns.items()}
            frame = pl.DataFrame(made)
        else:
            frame = table.select(pl.col(theirs).alias(ours) for ours, theirs in columns.items())
            frame = frame.collect()
    except BadData:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        # Polars panics, outside `Exception`, on some damaged files.
        raise _unreadable(error, where) from error
    if frame.is_empty():
        raise BadData(
            "the table has no rows",
            where=where,
            fix="Is it the right one? Look at how it was made.",
        )
    for ours, theirs in columns.items():
        missing = frame[ours].is_null()
        if missing.any():
            row = int(missing.arg_max()) + 1
            raise BadData(
                f"column {theirs!r} has no value in row {row}",
                where=where,
                fix="Give every row all of its values.",
            )
    ids = {ours: _ids(frame[ours], columns[ours], where) for ours in ("query", "document")}
    return frame.with_columns(**ids)


def _series(frame: Any, name: str, where: str) -> Any:
    """Return a pandas column; PyArrow, which pandas' own export needs, may be missing."""
    pl: Any = need("polars", extra="tables")
    column = frame[name] if name in frame.columns else _level(frame, name)
    if column.ndim != 1:
        raise BadData(
            f"there are several columns {name!r}", where=where, fix="Keep the one that is meant."
        )
    if column.dtype.kind in "iufb" and type(column.dtype).__module__.startswith("numpy"):
        return pl.Series(column.to_numpy())
    if column.dtype.name == "category":
        column = column.astype(column.cat.categories.dtype)
    try:
        return pl.Series(column.to_list())
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        pass  # pandas' own marks for what is missing, or values of several types
    try:
        return pl.Series(column.astype(object).where(column.notna(), None).to_list())
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise BadData(
            f"column {name!r} holds values of several types",
            where=where,
            fix="Make ids text, and scores and grades numbers.",
        ) from error


def _level(frame: Any, name: str) -> Any:
    """Return a level of a pandas index as a column."""
    return frame.index.get_level_values(name).to_series()


def find(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    """Return the column that has the first of the wanted names; case, blanks and hyphens do not count."""
    plain = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in names[::-1]}
    return next((plain[name] for name in wanted if name in plain), None)


def one(names: Sequence[str], wanted: Sequence[str], what: str, where: str) -> str:
    """Return what `find` finds.

    Raises:
        BadData: Nothing; the message names the columns and what they may be called.
    """
    found = find(names, wanted)
    if found is None:
        have = ", ".join(map(shown, names[:12])) + (", ..." if len(names) > 12 else "")
        raise BadData(
            f"no column holds the {what}; the columns are {have or 'none'}",
            where=where,
            fix=f"Call it {wanted[0]}. Known too: {', '.join(wanted[1:])}.",
        )
    return found


def _ids(column: Any, name: str, where: str) -> Any:
    """Return ids as text; whole numbers are ids, too, and stay whole where a frame made decimals of them."""
    pl: Any = need("polars", extra="tables")
    kind = column.dtype
    if kind == pl.String:
        return column
    if kind.is_float() and bool((column == column.floor()).all()) and column.is_finite().all():
        if (large := column.abs() > _EXACT).any():
            raise BadData(
                f"column {name!r} holds {column[row := int(large.arg_max())]!r} in row {row + 1}, "
                "a decimal that stands for several whole numbers",
                where=where,
                fix="Make its ids text, or whole numbers.",
            )
        column, kind = column.cast(pl.Int64), pl.Int64
    if kind.is_integer() or kind in (pl.Categorical, pl.Enum):
        return column.cast(pl.String)
    raise BadData(
        f"column {name!r} holds {kind}, which is no id", where=where, fix="Make its ids text."
    )


def _unreadable(error: BaseException, where: str) -> BadData:
    """Say that a file or a frame of others broke while it was read."""
    if isinstance(error, OSError) and error.strerror:
        return BadData(error.strerror, where=where, fix="Check the path, and who may read it.")
    why = (str(error) or type(error).__name__).splitlines()[0][:200].replace("`", "'")
    return BadData(
        f"the table cannot be read: {why}",
        where=where,
        fix="Is it whole, and a table? Keep but the columns of query, document and score or grade.",
    )
