"""acidtest's recorded outputs: one row a question, with the answer and what was retrieved."""

from collections.abc import Mapping
from typing import Any

import msgspec

from acidtest.codec.answers import answer
from acidtest.codec.fields import Given, lookup, pick
from acidtest.codec.names import ANSWER_ALONE, ANSWER_ANYWHERE, BESIDE_ANSWER, CARRIED, CASE
from acidtest.codec.rows.row import Row
from acidtest.codec.values import identifier
from acidtest.data.answers import Answer, Chunk
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ROWS, write_rows

_OWN = frozenset(
    (
        *("id", "question", "answer", "retrieved", "candidates", "citations", "abstained"),
        *("latency_ms", "usage", "failure", "scores", "diagnosis", "notes"),
    )
)
_KNOWN = lookup({"id": CASE["id"], "question": CASE["question"]}, ANSWER_ANYWHERE, ANSWER_ALONE)
_PASSED_OVER = frozenset((*lookup(CASE), *CARRIED, *BESIDE_ANSWER)) - _KNOWN.keys()


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    return 2 if keys <= _OWN and keys & {"answer", "retrieved"} and keys & {"id", "question"} else 0


def _read(source: Source) -> Found:
    losses = Losses()
    asked, outputs, bare = list[Row](), list[Output](), list[Answer]()
    for row in source.rows:
        for name in row.values:
            if name in BESIDE_ANSWER:
                losses.add(name, "recorded outputs are read without it", row.where)
        fields = pick(row, _KNOWN, passed_over=_PASSED_OVER)
        case_id = identifier(row, fields["id"]) if "id" in fields else ""
        found = answer(row, fields, case_id)
        if "question" in fields:
            outputs.append(Output(row=len(asked), answer=found))
            asked.append(_row(row, fields))
        elif case_id:
            bare.append(found)
        else:
            raise row.fault("has neither an id nor a question, so it belongs to no case")
    if asked and bare:
        raise source.fault(
            "some rows have a question and some an id alone",
            fix="Give all rows their questions, or none.",
        )
    systems = (System(name=source.stem, outputs=tuple(outputs)),) if outputs else ()
    return Found(rows=tuple(asked), answers=tuple(bare), systems=systems, losses=losses.told())


def _row(row: Row, fields: Mapping[str, Given]) -> Row:
    values = {name: fields[name].value for name in ("id", "question") if name in fields}
    return Row(where=row.where, values=values, error=row.error, flat=row.flat)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if not exchanged.answers:
        raise UsageError(
            "there are no outputs to write: the file that was read has cases alone",
            fix="Give a file that has answers, or write cases: --to acidtest.",
        )
    cases: dict[str, Case] = {case.id: case for case in exchanged.golden or ()}
    write_rows([_built(one, cases.get(one.case_id)) for one in exchanged.answers], path)
    losses = Losses()
    for case in cases.values():
        for name in ("reference", "relevant", "relevant_docs", "evidence", "tags", "history"):
            if getattr(case, name):
                why = "outputs hold no labels: write them with --to acidtest"
                losses.add(name, why, case.id)
    return losses.told()


def _built(one: Answer, case: Case | None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": one.case_id}
    if case is not None:
        row["question"] = case.question
    row["answer"] = one.text
    if one.retrieved is not None:
        row["retrieved"] = [chunk_values(chunk) for chunk in one.retrieved]
    for name in ("candidates", "citations", "abstained", "latency_ms", "usage"):
        value = getattr(one, name)
        if value is not None:
            row[name] = (
                [chunk_values(chunk) for chunk in value]
                if name == "candidates"
                else msgspec.to_builtins(value)
            )
    if one.failure is not None:
        row["failure"] = one.failure.why
    return row


def chunk_values(chunk: Chunk) -> dict[str, Any]:
    """Return a chunk's filled fields but for the rank, which its place tells."""
    values: dict[str, Any] = msgspec.to_builtins(chunk)
    return {
        name: value for name, value in values.items() if value not in (None, {}) and name != "rank"
    }


FORMAT = Format(
    name="acidtest-outputs", sniff=_sniff, read=_read, write=_write, endings=ROWS, outputs=True
)
