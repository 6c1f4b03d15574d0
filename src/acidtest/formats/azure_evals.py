"""Azure's evaluation tools for RAG: `ground_truth.jsonl`, and `eval_results.jsonl` with ratings of 1 to 5.

Rows are `{"question", "truth"}`, in results with `answer`, `context` (what was retrieved), `latency` (in
seconds) and metrics such as `gpt_groundedness`. Ratings stay on their scale; a row's `gpt_..._reason` is
the reason.
"""

from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Chunk, Latency
from acidtest.data.outcomes import Outcome
from acidtest.formats.cells import opened
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.scores import is_column_of_numbers, number_of, outcome, spec
from acidtest.formats.source import Source

_OWN = ("question", "truth", "answer", "context", "latency", "id")
_REASON = "_reason"
_TEXT = ("description", "content", "text", "sourcepage_content")


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    if not {"question", "truth"} <= keys:
        return 0
    return 2 if keys == {"question", "truth"} or any(k.startswith("gpt_") for k in keys) else 1


def _read(source: Source) -> Found:
    losses = Losses()
    rows = source.rows
    values = [row.values for row in rows]
    names = dict.fromkeys(name for row in values for name in row)
    metrics = {
        name: spec("azure", name, judged=name.startswith("gpt_"))
        for name in names
        if name not in _OWN and is_column_of_numbers(values, name)
    }
    cases = tuple(_case(row) for row in rows)
    if "answer" not in names:
        return Found(rows=cases)
    outputs = []
    for number, row in enumerate(rows):
        scores: dict[str, Outcome] = {
            told.name: outcome(
                row.values.get(name), reason=str(row.values.get(f"{name}{_REASON}") or "")
            )
            for name, told in metrics.items()
        }
        outputs.append(Output(row=number, answer=_answer(row), scores=scores))
        for name, value in row.values.items():
            known = name in _OWN or name in metrics
            if not known and name.removesuffix(_REASON) not in metrics and value is not None:
                losses.add(name, "neither an answer nor a number", row.where)
    system = System(name=source.stem, outputs=tuple(outputs), specs=tuple(metrics.values()))
    return Found(rows=cases, systems=(system,), losses=losses.told())


def _case(row: Row) -> Row:
    values = {
        "id": row.values.get("id"),
        "question": row.values.get("question"),
        "reference": row.values.get("truth"),
    }
    return Row(where=row.where, values=values, error=row.error, flat=row.flat)


def _answer(row: Row) -> Answer:
    text, took = row.values.get("answer"), number_of(row.values.get("latency"))
    if text is not None and not isinstance(text, str):
        raise row.fault("an answer must be text", field="answer")
    return Answer(
        case_id="",
        text=text,
        retrieved=_retrieved(row),
        latency_ms=Latency(total=took * 1000) if took is not None and 0 <= took < 1e9 else None,
    )


def _retrieved(row: Row) -> tuple[Chunk, ...] | None:
    value = row.values.get("context")
    if value is None:
        return None
    value = opened(row, "context", value)
    if isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
        return tuple(_chunk(str(name), one) for name, one in value.items())
    if isinstance(value, list):
        return tuple(Chunk(text=str(one)) for one in value)
    return (Chunk(text=str(value)),)


def _chunk(name: str, one: dict[str, Any]) -> Chunk:
    key = next((key for key in _TEXT if isinstance(one.get(key), str)), None)
    more = {k: v for k, v in one.items() if k != key}
    return Chunk(id=name, text=None if key is None else one[key], metadata=more)


FORMAT = Format(name="azure-evals", sniff=_sniff, read=_read)
