"""open-rag-eval: a table of one row a passage; the answer stands in the first row of a question.

Columns are `query_id`, `query`, `query_run`, `passage_id`, `passage`, `generated_answer`. Each run of a
query is a system, in which a query comes once; passages are in the order of the rows.
"""

from typing import Any

from acidtest.codec.rows.row import Row, shown
from acidtest.data.answers import Answer, Chunk
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.source import Source

_COLUMNS = frozenset(("query_id", "query", "passage", "generated_answer"))


def _sniff(source: Source) -> Likeness:
    return 2 if source.keys >= _COLUMNS else 0


def _read(source: Source) -> Found:
    grouped: dict[str, dict[str, list[Row]]] = {}
    for row in source.rows:
        name, run = _text(row, "query_id"), str(row.values.get("query_run") or "1")
        grouped.setdefault(run, {}).setdefault(name, []).append(row)
    cases: dict[str, Row] = {}
    for queries in grouped.values():
        for name, rows in queries.items():
            question = _question(rows)
            known = cases.setdefault(name, question)
            if known.values["question"] != question.values["question"]:
                raise question.fault(f"query {shown(name)} is asked otherwise at {known.where}")
    place = {name: number for number, name in enumerate(cases)}
    systems = tuple(
        System(
            name=source.stem if len(grouped) == 1 else f"{source.stem}, run {run}",
            outputs=tuple(
                Output(row=place[name], answer=_answer(rows)) for name, rows in queries.items()
            ),
        )
        for run, queries in grouped.items()
    )
    return Found(rows=tuple(cases.values()), systems=systems)


def _text(row: Row, name: str) -> str:
    value = row.values.get(name)
    if value is None or not str(value).strip():
        raise row.fault("is empty", field=name)
    return str(value)


def _question(rows: list[Row]) -> Row:
    first = rows[0]
    values: dict[str, Any] = {"id": _text(first, "query_id"), "question": _text(first, "query")}
    return Row(where=first.where, values=values, error=first.error, flat=first.flat)


def _answer(rows: list[Row]) -> Answer:
    answers = [
        str(row.values["generated_answer"]) for row in rows if row.values.get("generated_answer")
    ]
    if len(set(answers)) > 1:
        raise rows[0].fault("the query has several answers", field="generated_answer")
    chunks = tuple(
        Chunk(id=_bare(row.values.get("passage_id")), text=str(row.values["passage"]))
        for row in rows
        if row.values.get("passage") is not None
    )
    return Answer(case_id="", text=answers[0] if answers else None, retrieved=chunks)


def _bare(name: object) -> str | None:
    """Return a passage's id as answers cite it: `[1]` is 1."""
    bare = "" if name is None else str(name).strip().removeprefix("[").removesuffix("]")
    return bare or None


FORMAT = Format(name="open-rag-eval", sniff=_sniff, read=_read)
