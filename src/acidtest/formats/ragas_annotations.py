"""Ragas' metric annotations: inputs, what the metric said, and whether a person accepted it.

One metric a member, each a list of `{metric_input, metric_output, prompts, is_accepted, target}`. The
person's verdict is the score: what the metric said where it was accepted, `target` where it was not.
"""

from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.ragas_turns import single
from acidtest.formats.scores import number_of, outcome, spec
from acidtest.formats.source import Source

_MARKS = {"metric_input", "metric_output", "is_accepted"}
_RENAMED = {"response": "generated_answer"}


def _sniff(source: Source) -> Likeness:
    document = source.document if source.form == "json" else None
    if not isinstance(document, dict) or not document:
        return 0
    firsts = [rows[0] for rows in document.values() if isinstance(rows, list) and rows]
    alike = [isinstance(first, dict) and first.keys() >= _MARKS for first in firsts]
    return 2 if alike and all(alike) else 0


def _read(source: Source) -> Found:
    document = source.document
    if not isinstance(document, dict):
        raise source.fault("not an object with a list for each metric")
    losses = Losses()
    cases: list[Row] = []
    outputs: list[Output] = []
    place: dict[str, int] = {}
    specs = {}
    for metric, annotations in document.items():
        told = specs[metric] = spec("ragas", metric, judged=True)
        said = spec("ragas", f"{metric}_by_metric", judged=True)
        specs[f"{metric} said"] = said
        for row in source.under(annotations, metric):
            case = _case(row, losses)
            key = repr(sorted(case.values.items()))
            if key in place:
                losses.add(metric, "the same sample again: the first one counts", row.where)
                continue
            place[key] = len(cases)
            scores = {told.name: _verdict(row), said.name: outcome(row.values.get("metric_output"))}
            outputs.append(Output(row=len(cases), scores=scores))
            cases.append(case)
            if row.values.get("prompts"):
                losses.add("prompts", "the metric's own prompts are not kept", row.where)
    system = System(name=source.stem, outputs=tuple(outputs), specs=tuple(specs.values()))
    return Found(rows=tuple(cases), systems=(system,), losses=losses.told())


def _case(row: Row, losses: Losses) -> Row:
    given = row.values.get("metric_input")
    if not isinstance(given, dict) or not given.get("user_input"):
        raise row.fault("has no question", field="metric_input.user_input")
    inner = single(Row(where=row.where, values=given, error=row.error), losses)
    values: dict[str, Any] = {
        _RENAMED.get(name, name): value for name, value in inner.values.items() if value is not None
    }
    return Row(where=row.where, values=values, error=row.error)


def _verdict(row: Row) -> Outcome:
    said, target = row.values.get("metric_output"), row.values.get("target")
    if row.values.get("is_accepted") is True:
        return outcome(said, reason="a person accepted the metric's verdict")
    if target is not None:
        return outcome(target, reason="a person corrected the metric's verdict")
    number = number_of(said)
    if number in (0.0, 1.0):
        return Score(1.0 - number, "a person rejected the metric's verdict, which was the opposite")
    return Failure("a person rejected the metric's verdict and gave none")


FORMAT = Format(name="ragas-annotations", sniff=_sniff, read=_read)
