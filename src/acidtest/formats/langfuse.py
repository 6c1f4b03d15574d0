"""Langfuse: a dataset's items as JSON, JSON lines or CSV, as the API and the export give them.

`{"id", "input", "expectedOutput", "metadata", "status", "sourceTraceId", ...}`, in camelCase or snake_case;
input and output may be anything, in CSV as JSON. Items whose status is ARCHIVED are left out, and told.
"""

from typing import Any

from acidtest.codec.names import fold
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
    wrapped,
)
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import write_rows

_MARKS = frozenset(
    (
        *("source_trace_id", "source_observation_id", "dataset_id", "dataset_name"),
        *("dataset_item_id", "html_source_path", "status"),
    )
)
_ANY = frozenset(("input", "expected_output", "metadata"))
_KEPT = ("source_trace_id", "source_observation_id")
_PASSED_OVER = ("dataset_id", "dataset_name", "created_at", "updated_at", "html_source_path")
_PASSED_OVER_TOO = ("project_id", "valid_from", "is_deleted", "media_references")


def _sniff(source: Source) -> Likeness:
    keys = {fold(key) for key in source.keys}
    if not {"input", "expected_output"} <= keys:
        return 0
    return 2 if keys & _MARKS else 1


def _read(source: Source) -> Found:
    losses = Losses()
    rows = []
    for row in source.rows:
        given = {
            fold(name): cell(row, name, value) if fold(name) in _ANY else value
            for name, value in row.values.items()
        }
        if str(given.get("status") or "ACTIVE").upper() == "ARCHIVED":
            losses.add("status", "an archived item is left out", row.where)
            continue
        rows.append(_case(row, given, losses))
    if not rows:
        raise source.fault("every item is archived", fix="Make items active, and export again.")
    return Found(rows=tuple(rows), losses=losses.told())


def _case(row: Row, given: dict[str, Any], losses: Losses) -> Row:
    metadata = given.get("metadata")
    beside = {name: given[name] for name in _KEPT if given.get(name)}
    if beside:
        metadata = {**wrapped(metadata), **beside}
    for name, value in given.items():
        known = name in ("id", "input", "expected_output", "metadata", "status", *_KEPT)
        if not known and name not in (*_PASSED_OVER, *_PASSED_OVER_TOO) and value is not None:
            losses.add(name, "not a field of a dataset's item", row.where)
    names = ("input", "expected_output")
    more = {"id": given.get("id")}
    return example(
        row, given.get("input"), given.get("expected_output"), metadata, more, names=names
    )


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and an item needs an input",
            fix="Give a file that has questions.",
        )
    write_rows([_item(case) for case in exchanged.golden], path, FORMAT.endings)
    losses = Losses()
    answers = {answer.case_id: answer for answer in exchanged.answers}
    answers_left(losses, answers, "a dataset of Langfuse holds no system's outputs")
    scores_left(losses, exchanged, "a dataset of Langfuse holds no scores")
    return losses.told()


def _item(case: Case) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": case.id,
        "input": {QUESTION: case.question},
        "expectedOutput": expected(case) or None,
    }
    metadata = metadata_of(case, ("id",))
    for name, written in zip(_KEPT, ("sourceTraceId", "sourceObservationId"), strict=True):
        if isinstance(metadata.get(name), str):
            item[written] = metadata.pop(name)
    item["metadata"] = metadata or None
    return item | {"status": "ACTIVE"}


FORMAT = Format(
    name="langfuse",
    sniff=_sniff,
    read=_read,
    write=_write,
    endings=(".json", ".jsonl", ".csv"),
)
