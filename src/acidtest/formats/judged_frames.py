"""Judgements and runs as tables: data frames, Parquet and Arrow files, one row a query and document.

Polars reads them all (extra `tables`). Only the three columns that count are taken, and ids stay in
Polars: a run's rows become Python strings only where a document is judged.
"""

from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData
from acidtest.extras import need
from acidtest.formats.frame_columns import called, find, one, opened, taken
from acidtest.formats.run_frame import RunFrame, has_repeats, run_frame

QUERY = ("query_id", "qid", "q_id", "topic_id", "case_id", "query")
DOCUMENT = ("doc_id", "docid", "docno", "document_id", "chunk_id", "corpus_id", "document", "id")
SCORE = ("score", "similarity")
RANK = ("rank",)
GRADE = ("grade", "relevance", "rel", "label", "score")
"""What a column may be called, the surest name first; case, blanks and hyphens do not count."""


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
    where = called(table, "qrels")
    source, names = opened(table, where)
    columns = {"query": one(names, QUERY, "query", where)}
    columns["document"] = one(names, DOCUMENT, "document", where)
    if len(names) > len(columns):
        columns["grade"] = one(names, GRADE, "grade", where)
    frame = taken(source, columns, where)
    if "grade" not in columns:
        frame = frame.with_columns(grade=pl.lit(1, pl.Int64))
    else:
        frame = frame.with_columns(grade=_grades(frame, columns["grade"], where))
    if len(frame) > 1 and (pairs := frame.select("query", "document")).is_duplicated().any():
        _refuse_twice(pairs, frame, where)
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
    where = called(table, "run")
    source, names = opened(table, where)
    columns = {"query": one(names, QUERY, "query", where)}
    columns["document"] = one(names, DOCUMENT, "document", where)
    score, rank = find(names, SCORE), find(names, RANK)
    columns["score"] = score or rank or one(names, (*SCORE, *RANK), "score", where)
    frame = taken(source, columns, where)
    frame = frame.with_columns(score=_numbers(frame, "score", columns["score"], where))
    if score is None:
        _refuse_shared_ranks(frame, where)
        frame = frame.with_columns(score=-frame["score"])
    run = run_frame(frame)
    if not has_repeats(run):
        return run
    whole = frame
    if depth is not None:
        order = frame.sort("query", "score", "document", descending=[False, True, True])
        frame = order.group_by("query", maintain_order=True).head(depth)
    pairs = frame.select("query", "document")
    if pairs.is_duplicated().any():
        _refuse_twice(pairs, whole, where)
    return run_frame(frame)


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
    if column.dtype != pl.Boolean and not column.dtype.is_integer():
        column = _numbers(frame, "grade", name, where)
    whole = column.cast(pl.Int64, strict=False)
    bad = whole.is_null()
    if column.dtype.is_float():
        bad |= column != column.floor()
    if bad.any():
        row = int(bad.arg_max())
        raise BadData(
            f"column {name!r} has the grade {column[row]} in row {row + 1}",
            where=where,
            fix="Grades are whole numbers below 2^63.",
        )
    return whole


def _refuse_shared_ranks(frame: Any, where: str) -> None:
    ranks = frame.select("query", "score")
    if not (twice := ranks.is_duplicated()).any():
        return
    query, rank = ranks.row(int(twice.arg_max()))
    raise BadData(
        f"query {shown(query)} has the rank {rank:g} more than once: {_rows(ranks, (query, rank))}",
        where=where,
        fix="Give each document of a query a rank of its own, or a score.",
    )


def _refuse_twice(pairs: Any, frame: Any, where: str) -> None:
    """Refuse a document that a query has twice; `frame` tells its rows."""
    query, document = pair = pairs.row(int(pairs.is_duplicated().arg_max()))
    rows = _rows(frame.select("query", "document"), pair)
    raise BadData(
        f"query {shown(query)} has the document {shown(document)} twice: {rows}",
        where=where,
        fix="Keep one row of it.",
    )


def _rows(frame: Any, values: tuple[Any, Any]) -> str:
    """Name the first two rows that hold two values."""
    one, other = (
        frame[column] == value for column, value in zip(frame.columns, values, strict=True)
    )
    first, second = (one & other).arg_true()[:2]
    return f"rows {first + 1:,} and {second + 1:,}"
