"""Phoenix: a dataset's examples, as JSON lines, JSON (`Dataset.to_dict`) or CSV.

`{"id", "input": {...}, "output": {...}, "metadata": {...}}`; in CSV the cells hold JSON, or each part has a
column of its own (`input_question`, `output_answer`, `metadata_kind`).
"""

import re
from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.cells import cell
from acidtest.formats.examples import (
    QUESTION,
    answers_left,
    example,
    expected,
    metadata_of,
    part_of,
)
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ending_of, write_rows

_PARTS = ("input", "output", "metadata")
_FLAT = re.compile(r"(?P<part>input|output|metadata)[._](?P<name>.+)")
_IDS = ("id", "example_id")
_PASSED_OVER = ("node_id", "updated_at", "created_at", "source")


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    if any(key.startswith(("attributes.", "context.")) for key in keys):
        return 0
    document = source.document if source.form == "json" else None
    if isinstance(document, dict) and {"version_id", "examples"} <= document.keys():
        return 2
    whole = {"input", "output"} <= keys
    flat = {match["part"] for key in keys if (match := _FLAT.fullmatch(key))} >= {"input", "output"}
    if whole and all(isinstance(row.get("input"), dict) for row in source.head):
        return 2
    if (whole or flat) and keys & {"example_id", "node_id"}:
        return 2
    return 1 if whole or flat else 0


def _read(source: Source) -> Found:
    losses = Losses()
    return Found(rows=tuple(_case(row, losses) for row in source.rows), losses=losses.told())


def _case(row: Row, losses: Losses) -> Row:
    parts: dict[str, Any] = dict.fromkeys(_PARTS)
    more: dict[str, Any] = {}
    for name, value in row.values.items():
        match = _FLAT.fullmatch(name)
        if name in _PARTS:
            parts[name] = cell(row, name, value)
        elif name in _IDS:
            more.setdefault("id", value)
        elif match and value is not None:
            inner = parts[match["part"]]
            told = part_of(row, match["name"], value)
            parts[match["part"]] = {
                **(inner if isinstance(inner, dict) else {}),
                match["name"]: told,
            }
        elif value is not None and name not in _PASSED_OVER:
            losses.add(name, "not a field of an example", row.where)
    names = ("input", "output")
    return example(row, parts["input"], parts["output"], parts["metadata"], more, names=names)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and an example needs an input",
            fix="Give a file that has questions.",
        )
    flat = ending_of(path, FORMAT.endings) == ".csv"
    write_rows([_example(case, flat=flat) for case in exchanged.golden], path, FORMAT.endings)
    losses = Losses()
    answers = {answer.case_id: answer for answer in exchanged.answers}
    answers_left(losses, answers, "a dataset of Phoenix holds no system's outputs")
    scores_left(losses, exchanged, "a dataset of Phoenix holds no scores")
    return losses.told()


def _example(case: Case, *, flat: bool) -> dict[str, Any]:
    metadata = metadata_of(case, ("id",))
    if not flat:
        row = {"id": case.id, "input": {QUESTION: case.question}, "output": expected(case)}
        return row | ({"metadata": metadata} if metadata else {})
    row = {"example_id": case.id, f"input_{QUESTION}": case.question}
    row |= {f"output_{name}": value for name, value in expected(case).items()}
    return row | {f"metadata_{name}": value for name, value in metadata.items()}


FORMAT = Format(
    name="phoenix",
    sniff=_sniff,
    read=_read,
    write=_write,
    endings=(".jsonl", ".json", ".csv"),
)
