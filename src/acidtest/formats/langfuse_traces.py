"""Langfuse: traces with their scores, as the API gives them (JSON: a list, or `data`) and the export writes.

A trace's `input` is the question, its `output` the answer, `latency` is in seconds. `scores` is a list of
`{"name", "value", "stringValue", "dataType", "comment"}`; in a table each score may have its own column
(`scores.NAME`).
"""

from typing import Any

from acidtest.codec.names import fold
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Latency, Usage
from acidtest.data.outcomes import Failure, MetricSpec, Outcome
from acidtest.formats.asked import answered, asked
from acidtest.formats.cells import cell
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.scores import named, number_of, outcome, spec
from acidtest.formats.source import Source

_COLUMN = "scores."
_WORDS = frozenset(("id", "session_id"))
_SCORE_ROW = frozenset(("name", "value", "trace_id", "data_type"))


def _sniff(source: Source) -> Likeness:
    keys = {fold(key) for key in source.keys}
    if keys >= _SCORE_ROW:
        return 2
    scored = "scores" in keys or any(key.startswith(_COLUMN) for key in keys)
    return 2 if scored and {"input", "output"} <= keys and "expected_output" not in keys else 0


def _read(source: Source) -> Found:
    if {fold(key) for key in source.keys} >= _SCORE_ROW:
        raise source.fault(
            "scores that name traces: no row has a question or an answer",
            fix="Export the traces with their scores.",
        )
    losses = Losses()
    rows, outputs = list[Row](), list[Output]()
    specs: dict[str, MetricSpec] = {}
    for row in source.rows:
        given = {
            fold(name): value if fold(name) in _WORDS else cell(row, name, value)
            for name, value in row.values.items()
        }
        question = asked(row, given.get("input"), "input")
        text, more = answered(given.get("output"))
        for name in more:
            losses.add(f"output.{name}", "not a part of the answer", row.where)
        values: dict[str, Any] = {"question": question.question, "source": "log"}
        values |= {
            name: given[key]
            for name, key in (("id", "id"), ("group", "session_id"), ("tags", "tags"))
            if given.get(key)
        }
        if question.history:
            values["history"] = list(question.history)
        if question.more:
            values["metadata"] = {"input": question.more}
        answer = Answer(case_id="", text=text, latency_ms=_latency(given), usage=_usage(given))
        outputs.append(Output(row=len(rows), answer=answer, scores=_scores(given, specs)))
        rows.append(Row(where=row.where, values=values, error=row.error, flat=row.flat))
    system = System(name=source.stem, outputs=tuple(outputs), specs=tuple(specs.values()))
    return Found(rows=tuple(rows), systems=(system,), losses=losses.told())


def _latency(given: dict[str, Any]) -> Latency | None:
    took = number_of(given.get("latency"))
    return Latency(total=took * 1000) if took is not None and 0 <= took < 1e9 else None


def _usage(given: dict[str, Any]) -> Usage | None:
    cost = number_of(given.get("total_cost"))
    return Usage(cost_usd=cost) if cost is not None and 0 < cost < 1e9 else None


def _scores(given: dict[str, Any], specs: dict[str, MetricSpec]) -> dict[str, Outcome]:
    listed = given.get("scores")
    parts = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    parts += [
        {"name": name.removeprefix(_COLUMN), "value": value}
        for name, value in given.items()
        if name.startswith(_COLUMN) and value is not None
    ]
    found: dict[str, Outcome] = {}
    for part in parts:
        if not isinstance(part.get("name"), str):
            continue
        told = specs.setdefault(named("langfuse", part["name"]), spec("langfuse", part["name"]))
        found.setdefault(told.name, _outcome(part))
    return found


def _outcome(part: dict[str, Any]) -> Outcome:
    kind = part.get("dataType", part.get("data_type"))
    label = part.get("stringValue", part.get("string_value"))
    if kind in ("CATEGORICAL", "TEXT"):
        return Failure("a category, not a number", str(label)[:1000])
    return outcome(part.get("value"), reason=str(part.get("comment") or ""))


FORMAT = Format(name="langfuse-traces", sniff=_sniff, read=_read)
