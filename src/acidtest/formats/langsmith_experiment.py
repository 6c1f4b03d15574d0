"""LangSmith: an experiment's results as a table, as `ExperimentResults.to_pandas()` gives them.

Columns are `inputs.NAME`, `outputs.NAME`, `reference.NAME`, `feedback.KEY`, `error`, `execution_time` (in
seconds), `example_id` and `id`.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.codec.chunks import chunks
from acidtest.codec.fields import Given
from acidtest.codec.names import ANSWER_ANYWHERE, fold
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Latency
from acidtest.data.outcomes import Failure, Outcome
from acidtest.formats.asked import answered
from acidtest.formats.examples import example, part_of
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.scores import number_of, outcome, spec
from acidtest.formats.source import Source

_FEEDBACK = "feedback."
_CONTEXTS = (*ANSWER_ANYWHERE["retrieved"], "context", "documents", "sources")


def _sniff(source: Source) -> Likeness:
    starts = {key.partition(".")[0] for key in source.keys if "." in key}
    return 2 if "inputs" in starts and starts & {"feedback", "reference"} else 0


def _read(source: Source) -> Found:
    losses = Losses()
    rows, outputs = list[Row](), list[Output]()
    names = dict.fromkeys(
        key.removeprefix(_FEEDBACK)
        for row in source.rows
        for key in row.values
        if key.startswith(_FEEDBACK)
    )
    specs = {name: spec("langsmith", name, judged=True) for name in names}
    for row in source.rows:
        parts = _parts(row)
        failure = _failed(row)
        scores: dict[str, Outcome] = {
            told.name: failure or outcome(row.values.get(f"{_FEEDBACK}{name}"))
            for name, told in specs.items()
        }
        answer, more = _answer(row, parts["outputs"], failure)
        for name in more:
            losses.add(f"outputs.{name}", "neither an answer nor what was retrieved", row.where)
        outputs.append(Output(row=len(rows), answer=answer, scores=scores))
        given = {"id": row.values.get("example_id")}
        rows.append(
            example(
                row, parts["inputs"], parts["reference"], None, given, names=("inputs", "reference")
            )
        )
    system = System(name=source.stem, outputs=tuple(outputs), specs=tuple(specs.values()))
    return Found(rows=tuple(rows), systems=(system,), losses=losses.told())


def _parts(row: Row) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {"inputs": {}, "outputs": {}, "reference": {}}
    for name, value in row.values.items():
        part, dot, key = name.partition(".")
        if dot and part in found and value is not None:
            found[part][key] = part_of(row, key, value)
    return found


def _failed(row: Row) -> Failure | None:
    error = row.values.get("error")
    lines = str(error or "").strip().splitlines()
    if not lines:
        return None
    return Failure(lines[-1][:1000], str(error)[:20_000] if len(lines) > 1 else None)


def _answer(
    row: Row, outputs: Mapping[str, Any], failure: Failure | None
) -> tuple[Answer, dict[str, Any]]:
    contexts = next((key for key in outputs if fold(key) in _CONTEXTS), None)
    retrieved = None
    if contexts is not None:
        retrieved = chunks(row, Given("contexts", outputs[contexts]))
    text, more = answered({key: value for key, value in outputs.items() if key != contexts})
    took = number_of(row.values.get("execution_time"))
    latency = Latency(total=took * 1000) if took is not None and took >= 0 else None
    answer = Answer(case_id="", text=text, retrieved=retrieved, latency_ms=latency, failure=failure)
    return answer, more


FORMAT = Format(name="langsmith-experiment", sniff=_sniff, read=_read)
