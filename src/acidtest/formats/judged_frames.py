"""Judgements and runs as tables: data frames, Parquet and Arrow files, one row a query and document.

Polars reads them all (extra `tables`). Only the three columns that count are taken, and ids stay in
Polars: a run's rows become Python strings only where a document is judged.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData
from acidtest.extras import need
from acidtest.formats.run_frame import RunFrame, has_repeats, run_frame

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")

QUERY = ("query_id", "qid", "q_id", "topic_id", "case_id", "query")
DOCUMENT = ("doc_id", "docid", "docno", "document_id", "chunk_id", "corpus_id", "document", "id")
SCORE = ("score", "similarity")
RANK = ("rank",)
GRADE = ("grade", "relevance", "rel", "label", "score")
"""What a column may be called, the surest name first; case, blanks and hyphens do not count."""


def is_table(value: object) -> bool:
    """Say whether judgements or a run are given as a table: a frame, or a file of one."""
    if isinstance(value, str | os.PathLike):
        return Path(os.fspath(value)).suffix.lower() in (*PARQUET, *ARROW)
    return hasattr(value, "__arrow_c_stream__") or _is_lazy(value) or _is_pandas(value)


def qrels_of(table: Any) -> dict[str, dict[str, int]]:
    """Return judgements: query id -> document id -> grade.

    Without any column but query and document, every row is a relevant document (grade 1).

    Raises:
        BadData: It cannot be read, lacks a column or a value, has a grade that is no whole number, or
            has a document twice in a query.
        MissingExtra: Polars is not installed.
    """
    import numpy as np

    pl: Any = need("polars", extra="tables")
    where = _where(table, "qrels")
    opened, names = _opened(table, where)
    columns = {"query": _one(names, QUERY, "query", where)}
    columns["document"] = _one(names, DOCUMENT, "document", where)
    if len(names) > len(columns):
        columns["grade"] = _one(names, GRADE, "grade", where)
    frame = _taken(opened, columns, where)
    if "grade" not in columns:
        frame = frame.with_columns(grade=pl.lit(1, pl.Int64))
    else:
        frame = frame.with_columns(grade=_grades(frame, columns["grade"], where))
    if len(frame) > 1 and (pairs := frame.select("query", "document")).is_duplicated().any():
        _refuse_twice(pairs, where)
    frame = frame.sort("query", maintain_order=True)
    blocks = frame["query"].rle().struct.unnest()
    ends = np.cumsum(blocks["len"].to_numpy()).tolist()
    documents, grades = frame["document"].to_list(), frame["grade"].to_list()
    starts = [0, *ends[:-1]]
    return {
        query: dict(zip(documents[start:end], grades[start:end], strict=True))
        for query, start, end in zip(blocks["value"].to_list(), starts, ends, strict=True)
    }


def run_of(table: Any, *, depth: int | None = None) -> RunFrame:
    """Return a run; where it has no score, the rank is the order.

    Args:
        table: The frame, or the file of one.
        depth: The ranking is going to be cut there: below, a document may come again.

    Raises:
        BadData: It cannot be read, lacks a column or a value, has a score that is no number, a document
            twice in a query, or a rank twice in a query.
        MissingExtra: Polars is not installed.
    """
    where = _where(table, "run")
    opened, names = _opened(table, where)
    columns = {"query": _one(names, QUERY, "query", where)}
    columns["document"] = _one(names, DOCUMENT, "document", where)
    score, rank = _find(names, SCORE), _find(names, RANK)
    columns["score"] = score or rank or _one(names, (*SCORE, *RANK), "score", where)
    frame = _taken(opened, columns, where)
    frame = frame.with_columns(score=_numbers(frame, "score", columns["score"], where))
    if score is None:
        _refuse_shared_ranks(frame, where)
        frame = frame.with_columns(score=-frame["score"])
    run = run_frame(frame)
    if not has_repeats(run):
        return run
    if depth is not None:
        order = frame.sort("query", "score", "document", descending=[False, True, True])
        frame = order.group_by("query", maintain_order=True).head(depth)
    pairs = frame.select("query", "document")
    if pairs.is_duplicated().any():
        _refuse_twice(pairs, where)
    return run_frame(frame)


def _is_lazy(value: object) -> bool:
    polars: Any = sys.modules.get("polars")
    return polars is not None and isinstance(value, polars.LazyFrame)


def _is_pandas(value: object) -> bool:
    pandas: Any = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _where(table: Any, what: str) -> str:
    if isinstance(table, str | os.PathLike):
        return os.fspath(table)
    return f"{what} ({type(table).__module__.partition('.')[0]} {type(table).__name__})"


def _opened(table: Any, where: str) -> tuple[Any, list[str]]:
    """Return what columns can be taken from, and its columns' names."""
    pl: Any = need("polars", extra="tables")
    if _is_pandas(table):
        return table, [name for name in table.columns if isinstance(name, str)]
    try:
        if isinstance(table, str | os.PathLike):
            path = Path(os.fspath(table))
            with path.open("rb"):  # its own words for a file that is not there, or not to be read
                pass
            scan = pl.scan_parquet if path.suffix.lower() in PARQUET else pl.scan_ipc
            opened = scan(path, glob=False) if scan is pl.scan_parquet else scan(path)
        else:
            opened = table if _is_lazy(table) else pl.DataFrame(table).lazy()
        return opened, opened.collect_schema().names()
    except OSError as error:
        raise BadData(error.strerror or str(error), where=where) from error
    except (Exception, pl.exceptions.PanicException) as error:
        # Whatever a foreign frame throws while it exports itself is bad input, not our bug.
        raise BadData(f"the table cannot be read: {_first(error)}", where=where) from error


def _taken(opened: Any, columns: Mapping[str, str], where: str) -> Any:
    """Return the columns under our names, whole, with ids as text."""
    pl: Any = need("polars", extra="tables")
    try:
        if _is_pandas(opened):
            made = {ours: _series(opened, theirs, where) for ours, theirs in columns.items()}
            frame = pl.DataFrame(made)
        else:
            frame = opened.select(pl.col(theirs).alias(ours) for ours, theirs in columns.items())
            frame = frame.collect()
    except BadData:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        # Polars panics, outside `Exception`, on some damaged files.
        raise BadData(f"the table cannot be read: {_first(error)}", where=where) from error
    if frame.is_empty():
        raise BadData("the table has no rows", where=where)
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
    column = frame[name]
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


def _find(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    plain = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in names[::-1]}
    return next((plain[name] for name in wanted if name in plain), None)


def _one(names: Sequence[str], wanted: Sequence[str], what: str, where: str) -> str:
    found = _find(names, wanted)
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
        column, kind = column.cast(pl.Int64), pl.Int64
    if kind.is_integer() or kind in (pl.Categorical, pl.Enum):
        return column.cast(pl.String)
    raise BadData(
        f"column {name!r} holds {kind}, which is no id", where=where, fix="Make its ids text."
    )


def _numbers(frame: Any, ours: str, name: str, where: str) -> Any:
    pl: Any = need("polars", extra="tables")
    column = frame[ours]
    if not column.dtype.is_numeric():
        raise BadData(
            f"column {name!r} holds {column.dtype}, and no numbers",
            where=where,
            fix="Make them numbers.",
        )
    numbers = column.cast(pl.Float64)
    if (bad := numbers.is_nan()).any():
        raise BadData(
            f"column {name!r} is NaN in row {int(bad.arg_max()) + 1}",
            where=where,
            fix="Give every row a number, or leave the row out.",
        )
    return numbers


def _grades(frame: Any, name: str, where: str) -> Any:
    pl: Any = need("polars", extra="tables")
    column = frame["grade"]
    if column.dtype.is_integer() or column.dtype == pl.Boolean:
        return column.cast(pl.Int64)
    numbers = _numbers(frame, "grade", name, where)
    if (bad := (numbers != numbers.floor()) | ~numbers.is_finite()).any():
        row = int(bad.arg_max())
        raise BadData(
            f"column {name!r} has the grade {numbers[row]} in row {row + 1}",
            where=where,
            fix="Grades are whole numbers.",
        )
    return numbers.cast(pl.Int64)


def _refuse_shared_ranks(frame: Any, where: str) -> None:
    ranks = frame.select("query", "score")
    if not (twice := ranks.is_duplicated()).any():
        return
    row = int(twice.arg_max())
    query, rank = ranks.row(row)
    raise BadData(
        f"query {shown(query)} has the rank {rank:g} more than once",
        where=where,
        fix="Give each document of a query a rank of its own, or a score.",
    )


def _refuse_twice(pairs: Any, where: str) -> None:
    row = int(pairs.is_duplicated().arg_max())
    query, document = pairs.row(row)
    raise BadData(
        f"query {shown(query)} has the document {shown(document)} twice",
        where=where,
        fix="Keep one row of it.",
    )


def _first(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]
