"""LangSmith: a dataset's examples, as exported (JSON, JSON lines, CSV) and in the form that is cloned.

JSON is `[{"inputs": {...}, "outputs": {...}, "metadata": {...}, "split": ...}]`, or the same under
`examples`. In CSV either the cells of `inputs` and `outputs` hold JSON, or each part has a column
(`inputs.question`, `input_question`).
"""

import re
from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.data.outcomes import MetricSpec, Outcome
from acidtest.errors import UsageError
from acidtest.formats.cells import cell
from acidtest.formats.examples import (
    QUESTION,
    answers_left,
    example,
    expected,
    metadata_of,
    part_of,
    wrapped,
)
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.leave import scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.scores import number_of, outcome, spec
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ending_of, write_rows

_PARTS = ("inputs", "outputs", "metadata")
_FLAT = re.compile(r"(?P<part>inputs?|outputs?|metadata)[._](?P<name>.+)")
_OWN = ("dataset_id", "created_at", "modified_at", "source_run_id", "name", "attachments")
_NAMES = ("inputs", "outputs")
_SCORED = re.compile(r".*(?:score|correctness|rating)$")


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    if "inputs" in keys and not any(key.startswith("feedback") for key in keys):
        return 2 if "outputs" in keys else 1
    flat = [match for key in keys if (match := re.fullmatch(r"(inputs?|outputs?)[._].+", key))]
    parts = {match[1].rstrip("s") for match in flat}
    feedback = any(key.startswith(("feedback.", "reference.")) for key in keys)
    phoenix = any(key.startswith("attributes.") for key in keys) or "example_id" in keys
    return 0 if feedback or phoenix or len(parts) < 2 else 1


def _read(source: Source) -> Found:
    losses = Losses()
    rows, outputs = list[Row](), list[Output]()
    specs: dict[str, MetricSpec] = {}
    for row in source.rows:
        parts = _parts(row, losses)
        scores = _scored(parts["outputs"])
        told = {name: spec("langsmith", name) for name in scores}
        specs |= told
        found: dict[str, Outcome] = {
            told[name].name: outcome(value) for name, value in scores.items()
        }
        outputs.append(Output(row=len(rows), scores=found))
        rows.append(_case(row, parts))
    systems = (
        (System(name=source.stem, outputs=tuple(outputs), specs=tuple(specs.values())),)
        if specs
        else ()
    )
    return Found(rows=tuple(rows), systems=systems, losses=losses.told())


def _parts(row: Row, losses: Losses) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(_PARTS)
    for name, value in row.values.items():
        match = _FLAT.fullmatch(name)
        if name in _PARTS:
            found[name] = cell(row, name, value)
        elif match and value is not None:
            part = match["part"] if match["part"] == "metadata" else match["part"].rstrip("s") + "s"
            inner = found[part] if isinstance(found[part], dict) else {}
            found[part] = {**inner, match["name"]: part_of(row, match["name"], value)}
        elif name in ("id", "split"):
            found[name] = value
        elif value is not None:
            why = "says nothing of the case" if name in _OWN else "not a field of an example"
            losses.add(name, why, row.where)
    return found


def _scored(outputs: object) -> dict[str, Any]:
    """Return the outputs that are scores, where an example holds a verdict on a prediction."""
    if not isinstance(outputs, dict):
        return {}
    return {
        name: value
        for name, value in outputs.items()
        if _SCORED.match(name) and not isinstance(value, str) and number_of(value) is not None
    }


def _case(row: Row, parts: dict[str, Any]) -> Row:
    split = parts.get("split")
    metadata = parts["metadata"]
    if isinstance(metadata, dict) and "dataset_split" in metadata:
        metadata = dict(metadata)
        split = split or metadata.pop("dataset_split")
    scored = _scored(parts["outputs"])
    outputs = parts["outputs"]
    if scored:
        outputs = {name: value for name, value in outputs.items() if name not in scored}
    more: dict[str, Any] = {"id": parts.get("id")}
    splits = split if isinstance(split, list) else [split]
    if splits and isinstance(splits[0], str) and len(splits) == 1:
        more["split"] = splits[0]
    elif any(splits):
        metadata = {**wrapped(metadata), "dataset_split": splits}
    return example(row, parts["inputs"], outputs, metadata, more, names=_NAMES)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and an example needs inputs",
            fix="Give a file that has questions.",
        )
    flat = ending_of(path, FORMAT.endings) == ".csv"
    write_rows([_example(case, flat=flat) for case in exchanged.golden], path, FORMAT.endings)
    losses = Losses()
    answers = {answer.case_id: answer for answer in exchanged.answers}
    answers_left(losses, answers, "a dataset of LangSmith holds no system's outputs")
    scores_left(losses, exchanged, "a dataset of LangSmith holds no scores")
    return losses.told()


def _example(case: Case, *, flat: bool) -> dict[str, Any]:
    metadata = metadata_of(case, ("split",))
    if flat:  # for the upload of CSV, where columns are named as inputs and outputs
        row: dict[str, Any] = {f"input_{QUESTION}": case.question}
        row |= {f"output_{name}": value for name, value in expected(case).items()}
    else:
        row = {"inputs": {QUESTION: case.question}, "outputs": expected(case)}
    if metadata:
        row["metadata"] = metadata
    return row | ({"split": case.split} if case.split is not None else {})


FORMAT = Format(
    name="langsmith",
    sniff=_sniff,
    read=_read,
    write=_write,
    endings=(".jsonl", ".json", ".csv"),
)
