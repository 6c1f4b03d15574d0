"""Queries and judgements that stand in files of their own, brought together into rows of a golden set.

Judgements name queries by their ids alone. The questions are taken from the file of queries that stands
beside them, by custom of BEIR, TREC and ranx; a query without any judgement is a case without labels.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from acidtest.codec.rows.lines import numbered_lines
from acidtest.codec.rows.row import Row, shown
from acidtest.errors import BadData
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source

Labels = Mapping[str, Mapping[str, int]]
"""Query -> document -> grade."""

MAX_GRADE = 3
_QUERIES = re.compile(r"quer(y|ies)|topics|questions", re.IGNORECASE)
_TABLES = (".tsv", ".txt")
_TEXTS = ("text", "question", "query", "title")


def grade_of(value: float, losses: Losses, where: str) -> int:
    """Return a foreign grade as one of ours, 0 to 3, and tell where it was another."""
    if value < 0:
        losses.add("grade", "a grade under 0 is read as 0: judged, and not relevant", where)
    if value > MAX_GRADE:
        losses.add("grade", f"a grade above {MAX_GRADE} is read as {MAX_GRADE}", where)
    return max(0, min(MAX_GRADE, int(value)))


def graded(labels: Mapping[str, Mapping[str, float]], losses: Losses) -> dict[str, dict[str, int]]:
    """Return judgements with our grades."""
    return {
        query: {document: grade_of(value, losses, query) for document, value in judged.items()}
        for query, judged in labels.items()
    }


def labelled(queries: Iterable[Row], labels: Labels, losses: Losses) -> tuple[Row, ...]:
    """Return the rows of queries with their labels; judgements of other queries are told.

    Args:
        queries: Rows with `id` and `question`.
        labels: The judgements.
        losses: Gets what is left.
    """
    rows = tuple(
        Row(where=row.where, values={**row.values, "relevant": dict(labels[row.values["id"]])})
        if row.values["id"] in labels
        else row
        for row in queries
    )
    for query in labels.keys() - {row.values["id"] for row in rows}:
        losses.add("judgements", "their query is not among the queries", query)
    return rows


def queries_beside(source: Source) -> tuple[Row, ...]:
    """Return the queries of the file that stands beside judgements.

    Raises:
        BadData: There is none, or there are several and none is named after the judgements.
    """
    folder = Path(source.path) if source.form == "folder" else Path(source.path).parent
    near = sorted(
        path
        for path in folder.iterdir()
        if path.is_file()
        and path.name.removesuffix(".gz").lower().endswith((*_TABLES, ".jsonl"))
        and _QUERIES.search(path.name)
        and path != Path(source.path)
    )
    named = [path for path in near if path.name.startswith(f"{source.stem}.")]
    found = named if len(near) > 1 else near
    if len(found) != 1:
        several = f"are {len(near)} files of queries: {', '.join(p.name for p in near)}"
        raise source.fault(
            "these judgements hold ids of queries and documents, and no question: beside them there "
            + (several if near else "is no file of queries"),
            fix="Put the questions into queries.tsv (id, tab, text) or queries.jsonl ({_id, text}) "
            "beside them. To score a run against judgements alone: acidtest retrieval QRELS RUN.",
        )
    path = str(found[0])
    return queries_of_lines(path) if found[0].suffix != ".jsonl" else queries_of_rows(Source(path))


def queries_of_lines(path: str) -> tuple[Row, ...]:
    """Return queries of lines `id`, tab, text; a first line of names is passed over.

    Raises:
        BadData: A line has no tab, no id or no text.
    """
    rows = []
    for line, text in numbered_lines(path, BadData):
        name, tab, question = text.rstrip("\n").partition("\t")
        if not text.strip() or (line == 1 and question.strip().lower() in _TEXTS):
            continue
        if not tab or not name.strip() or not question.strip():
            raise BadData(
                f"this is no query: {shown(text.strip())}",
                where=f"{path}:{line}",
                fix="A line of queries is: id, tab, text.",
            )
        values = {"id": name.strip(), "question": question.strip()}
        rows.append(Row(where=f"{path}:{line}", values=values))
    return tuple(rows)


def queries_of_rows(source: Source) -> tuple[Row, ...]:
    """Return queries of rows as BEIR writes them: `_id`, `text`, and perhaps `metadata`.

    Raises:
        BadData: A row has no id or no text.
    """
    return tuple(_query(row) for row in source.rows)


def _query(row: Row) -> Row:
    name = next((row.values[k] for k in ("_id", "id", "qid") if k in row.values), None)
    text = next((row.values[k] for k in _TEXTS if k in row.values), None)
    if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
        raise row.fault("the query has no id", field="_id")
    if not isinstance(text, str) or not text.strip():
        raise row.fault("the query has no text", field="text")
    values: dict[str, Any] = {"id": str(name), "question": text}
    if isinstance(row.values.get("metadata"), dict):
        values["metadata"] = row.values["metadata"]
    return Row(where=row.where, values=values)


def ending(source: Source) -> str:
    """Return the ending of a file's name, gzip aside."""
    return PurePath(source.path.removesuffix(".gz")).suffix.lower()
