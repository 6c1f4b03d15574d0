"""Ragas: rows of an `EvaluationDataset`, of a testset, or of a result with a column for each metric.

Field names of Ragas 0.2 and later (`user_input`, `response`, `retrieved_contexts`, `reference`, ...) and of
0.1 (`question`, `answer`, `contexts`, `ground_truth`). A testset of 0.1 (it has `evolution_type`) calls
the source passages `contexts`: they are evidence there.
"""

from collections.abc import Collection, Iterable
from typing import Any

from acidtest.codec.names import CASE, fold
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.leave import chunks_left, fields_left, scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.ragas_turns import single
from acidtest.formats.scores import NAN, is_column_of_numbers, outcome, spec
from acidtest.formats.source import Source
from acidtest.formats.write_rows import write_rows

_CASE = ("user_input", "question", "reference", "ground_truth", "ground_truths", "id")
_LISTS = ("reference_contexts", "reference_context_ids")
_ANSWER = ("response", "answer", "retrieved_contexts", "contexts", "retrieved_context_ids")
_CARRIED = ("persona_name", "query_style", "query_length", "synthesizer_name", "rubrics")
_KEPT = frozenset((*_CARRIED, "multi_responses"))
_RENAMED = {"answer": "generated_answer", "response": "generated_answer"}
_SAMPLE = frozenset((*_CASE, *_LISTS, *_ANSWER, *_KEPT, "metadata"))
_TESTSET = "evolution_type"
_OURS = frozenset(name for names in CASE.values() for name in names)
_PLACE = "Ragas has no place for it"


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    if "user_input" in keys or {"question", "contexts"} <= keys:
        return 2 if not {"evidence", "answerable", "relevant"} & keys else 1
    return 1 if "question" in keys and keys & {"ground_truth", "answer", "expected_answer"} else 0


def _read(source: Source) -> Found:
    rows = source.rows
    losses = Losses()
    samples = [single(row, losses) for row in rows]
    metrics = _metrics(samples)
    testset = any(_TESTSET in row.values for row in samples)
    cases = tuple(_case(row, metrics, testset=testset) for row in samples)
    if not metrics:
        return Found(rows=cases, losses=losses.told())
    specs = {name: spec("ragas", name, judged=True) for name in metrics}
    outputs = tuple(
        Output(
            row=number,
            scores={
                one.name: outcome(row.values.get(name), missing=f"{NAN} (an empty cell)")
                for name, one in specs.items()
            },
        )
        for number, row in enumerate(samples)
    )
    system = System(name=source.stem, outputs=outputs, specs=tuple(specs.values()))
    return Found(rows=cases, systems=(system,), losses=losses.told())


def _metrics(rows: Iterable[Row]) -> list[str]:
    values = [row.values for row in rows]
    names = dict.fromkeys(name for row in values for name in row)
    if not any(row.get(name) for row in values for name in _ANSWER):
        return []  # nothing was answered, so nothing was scored
    return [
        name
        for name in names
        if name not in _SAMPLE and fold(name) not in _OURS and is_column_of_numbers(values, name)
    ]


def _case(row: Row, metrics: Collection[str], *, testset: bool) -> Row:
    values: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in row.values.items():
        if name in metrics or value is None:
            continue
        if name == "contexts" and testset:
            values["reference_contexts"] = value
        elif name in _RENAMED:
            values[_RENAMED[name]] = value
        elif name in _SAMPLE or fold(name) in _OURS:
            values[name] = value
        else:
            extra[name] = value
    _joined(values)
    if extra:
        inner = values.get("metadata")
        values["metadata"] = {**(inner if isinstance(inner, dict) else {}), **extra}
        if inner is not None and not isinstance(inner, dict):
            values["metadata"]["metadata"] = inner
    return Row(where=row.where, values=values, error=row.error, flat=row.flat)


def _joined(values: dict[str, Any]) -> None:
    """Give each reference context the id that stands at its place."""
    texts, ids = (values.get(name) for name in _LISTS)
    if not isinstance(texts, list) or not isinstance(ids, list) or len(texts) != len(ids):
        return
    if all(isinstance(text, str) for text in texts):
        values["reference_contexts"] = [
            {"text": text, "chunk_id": str(name)} for text, name in zip(texts, ids, strict=True)
        ]


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and Ragas needs one in every row",
            fix="Give a file that has questions.",
        )
    answers = {answer.case_id: answer for answer in exchanged.answers}
    losses = Losses()
    rows = [_sample(case, answers.get(case.id), losses) for case in exchanged.golden]
    write_rows(rows, path, FORMAT.endings)
    held = ("question", "reference", "relevant", "evidence", "metadata", "answerable")
    fields_left(losses, exchanged.golden, held, _PLACE)
    fields_left(losses, exchanged.answers, ("case_id", "text", "retrieved"), _PLACE)
    scores_left(losses, exchanged, "Ragas' datasets hold no scores")
    return losses.told()


def _sample(case: Case, answer: Answer | None, losses: Losses) -> dict[str, Any]:
    row: dict[str, Any] = {"user_input": case.question}
    if answer is not None:
        row |= _answered(answer, losses)
    if case.reference is not None:
        row["reference"] = case.reference
    if case.evidence:
        row["reference_contexts"] = [one.text for one in case.evidence]
    ids = _ids(case, losses)
    if ids:
        row["reference_context_ids"] = ids
    if not case.answerable:
        losses.add("answerable", _PLACE, case.id)
    row |= {name: case.metadata[name] for name in _KEPT if name in case.metadata}
    if case.metadata.keys() - _KEPT:
        losses.add("metadata", _PLACE, case.id)
    return row


def _ids(case: Case, losses: Losses) -> list[str]:
    """Return the relevant ids, in the order of the evidence where that has them."""
    relevant = case.relevant or {}
    ids = [name for name, grade in relevant.items() if grade]
    if set(relevant.values()) - {1}:
        losses.add("relevant", "Ragas has ids without grades", case.id)
    named = [one.chunk_id for one in case.evidence]
    more = ["doc_id", "doc_version", "start", "end"]
    paired = bool(named) and sorted(name or "" for name in named) == sorted(ids)
    if paired:
        ids = [name for name in named if name is not None]
    else:
        more.append("chunk_id")
    if any(getattr(one, name) is not None for one in case.evidence for name in more):
        losses.add("evidence", "Ragas has the texts and relevant ids alone", case.id)
    elif named and not paired and len(named) == len(ids):
        losses.add("evidence", "Ragas takes a text and an id at one place for one passage", case.id)
    return ids


def _answered(answer: Answer, losses: Losses) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if answer.text is not None:
        row["response"] = answer.text
    if answer.retrieved is None:
        return row
    chunks = answer.retrieved
    texts = [chunk.text for chunk in chunks if chunk.text is not None]
    ids = [chunk.id for chunk in chunks if chunk.id is not None]
    if len(texts) == len(chunks):
        row["retrieved_contexts"] = texts
    elif texts:
        losses.add("retrieved.text", "not every chunk has a text", answer.case_id)
    if ids and len(ids) == len(chunks):
        row["retrieved_context_ids"] = ids
    elif ids:
        losses.add("retrieved.id", "not every chunk has an id", answer.case_id)
    chunks_left(losses, answer, ("id", "text"), _PLACE)
    return row


FORMAT = Format(
    name="ragas",
    sniff=_sniff,
    read=_read,
    write=_write,
    endings=(".jsonl", ".json", ".csv"),
    outputs=True,
)
