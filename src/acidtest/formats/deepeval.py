"""DeepEval: goldens and test cases, in JSON, CSV and JSON lines as `EvaluationDataset.save_as` writes them.

Names may be in snake_case or camelCase. In CSV and JSON lines, lists of texts stand in one text, parted by
`|`; a retrieved passage that knows its source is written `deepeval_source=...,deepeval_context=...`.
"""

from typing import Any

from acidtest.codec.names import CASE, fold
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Chunk
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.beside import packed
from acidtest.formats.cells import opened
from acidtest.formats.deepeval_parts import LIST, passage, texts, with_metadata
from acidtest.formats.deepeval_turns import conversation
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import chunks_left, fields_left, scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ending_of, write_rows

_NAMES = {
    "input": "question",
    "expected_output": "reference",
    "actual_output": "generated_answer",
    "context": "evidence",
    "retrieval_context": "retrieved",
}
_LISTS = ("context", "retrieval_context")
_MAPPINGS = ("additional_metadata", "custom_column_key_values", "tools_called", "expected_tools")
_MARKS = frozenset(
    ("actual_output", "retrieval_context", "expected_tools", "custom_column_key_values")
)
_OURS = frozenset(name for names in CASE.values() for name in names) - {"context", "input"}
_BACK = ("name", "comments", "source_file", "custom_column_key_values", "tools_called")
_HELD = frozenset(("question", "reference", "metadata"))
_PLACE = "DeepEval has no place for it"


def _sniff(source: Source) -> Likeness:
    keys = {fold(key) for key in source.keys}
    if "scenario" in keys and keys & {"turns", "expected_outcome", "user_description"}:
        return 2
    if "input" not in keys:
        return 0
    return 2 if keys & _MARKS else 1 if keys & {"context", "expected_output"} else 0


def _read(source: Source) -> Found:
    losses = Losses()
    found = []
    for row in source.rows:
        values = {fold(name): value for name, value in row.values.items() if value is not None}
        if "input" in values or "scenario" not in values:
            found.append(_golden(row, values))
            continue
        case = conversation(row, values, losses)
        if case is not None:
            found.append(case)
    if not found:
        raise source.fault(
            "no conversation has a turn of the user: a scenario alone asks nothing",
            fix="Simulate the conversations first, and convert the file with their turns.",
        )
    return Found(rows=tuple(found), losses=losses.told())


def _golden(row: Row, given: dict[str, Any]) -> Row:
    values: dict[str, Any] = {}
    beside: dict[str, Any] = {}
    for name, value in given.items():
        if name in _LISTS:
            values[_NAMES[name]] = texts(row, name, value)
        elif name in _NAMES:
            values[_NAMES[name]] = value
        elif name in _MAPPINGS:
            beside[name] = opened(row, name, value)
        elif name in _OURS and name != "metadata":
            values[name] = value
        else:
            beside[name] = value
    if "retrieved" in values:
        values["retrieved"] = [passage(text) for text in values["retrieved"]]
    return with_metadata(row, values, beside)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and a golden needs one",
            fix="Give a file that has questions.",
        )
    flat = ending_of(path, FORMAT.endings) != ".json"
    answers = {answer.case_id: answer for answer in exchanged.answers}
    losses = Losses()
    rows = [_row(case, answers.get(case.id), losses, flat=flat) for case in exchanged.golden]
    write_rows(rows, path, FORMAT.endings)
    fields_left(losses, exchanged.answers, ("case_id", "text", "retrieved"), _PLACE)
    scores_left(losses, exchanged, "DeepEval's datasets hold no scores")
    return losses.told()


def _row(case: Case, answer: Answer | None, losses: Losses, *, flat: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "input": case.question,
        "actual_output": None if answer is None else answer.text,
        "expected_output": case.reference,
        "retrieval_context": None if answer is None else _retrieved(answer, losses),
        "context": [one.text for one in case.evidence] or None,
    }
    metadata = packed(case, _HELD)
    row |= {name: metadata.pop(name) for name in _BACK if name in metadata}
    row["additional_metadata"] = metadata or None
    if flat:
        for name in _LISTS:
            if row[name] is not None and any(LIST in text for text in row[name]):
                losses.add(_NAMES[name], f"a text holds {LIST}, which parts texts here", case.id)
            row[name] = None if row[name] is None else LIST.join(row[name])
    return row


def _retrieved(answer: Answer, losses: Losses) -> list[str] | None:
    if answer.retrieved is None:
        return None
    chunks_left(losses, answer, ("text", "source"), _PLACE)
    if any(chunk.text is None for chunk in answer.retrieved):
        losses.add("retrieved", "a chunk has no text", answer.case_id)
    return [_marked(chunk) for chunk in answer.retrieved if chunk.text is not None]


def _marked(chunk: Chunk) -> str:
    text = chunk.text or ""
    return (
        text if chunk.source is None else f"deepeval_source={chunk.source},deepeval_context={text}"
    )


FORMAT = Format(
    name="deepeval",
    sniff=_sniff,
    read=_read,
    write=_write,
    endings=(".json", ".jsonl", ".csv"),
    outputs=True,
)
