"""continuous-eval: rows of `question`, `answer`, `ground_truths`, `retrieved_contexts` and annotations.

Several right answers are alternatives. Its `annotation` of an answer (correct, incorrect) is a person's word:
it becomes the score `continuous_eval_annotation`.
"""

from typing import Any

from acidtest.codec.names import ANSWER_ANYWHERE, CASE, fold
from acidtest.codec.rows.row import Row
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.scores import spec
from acidtest.formats.source import Source

_MARKS = frozenset(("ground_truth_context", "ground_truth_contexts", "ground_truths", "annotation"))
_KNOWN = frozenset(
    name for table in (CASE, ANSWER_ANYWHERE) for names in table.values() for name in names
)
_SAID = {"correct": 1.0, "incorrect": 0.0}


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    return 2 if "question" in keys and keys & _MARKS and keys & {"ground_truths", "answer"} else 0


def _read(source: Source) -> Found:
    told = spec("continuous_eval", "annotation")
    rows = tuple(_case(row) for row in source.rows)
    if "annotation" not in source.keys:
        return Found(rows=rows)
    outputs = tuple(
        Output(row=number, scores={told.name: _verdict(row)})
        for number, row in enumerate(source.rows)
    )
    system = System(name=source.stem, outputs=outputs, specs=(told,))
    return Found(rows=rows, systems=(system,))


def _case(row: Row) -> Row:
    values: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for name, value in row.values.items():
        if name == "answer":
            values["generated_answer"] = value
        elif fold(name) in _KNOWN:
            values[name] = value
        elif value is not None and name != "annotation":
            more[name] = value
    if more:
        values["metadata"] = more
    return Row(where=row.where, values=values, error=row.error, flat=row.flat)


def _verdict(row: Row) -> Outcome:
    said = row.values.get("annotation")
    value = _SAID.get(str(said).strip().lower())
    if value is None:
        return Failure("the annotation is neither correct nor incorrect", str(said)[:200])
    return Score(value, f"annotated as {said}")


FORMAT = Format(name="continuous-eval", sniff=_sniff, read=_read)
