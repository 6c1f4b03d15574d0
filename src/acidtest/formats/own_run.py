"""acidtest's saved runs: one, or several in one file."""

from typing import Any

import msgspec

from acidtest.atomic import write_whole
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.runs import load_runs
from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.runs import RUN_FORMAT, RUNS_FORMAT, CaseResult
from acidtest.errors import UsageError
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ending_of

_CASE = ("reference", "relevant", "relevant_docs", "evidence", "answerable", "tags", "group")
_OUTPUT = ("retrieved", "candidates", "citations", "abstained", "latency_ms", "usage", "failure")
_ENDINGS = (".json",)


def _sniff(source: Source) -> Likeness:
    document = source.document
    known = isinstance(document, dict) and document.get("format") in (RUN_FORMAT, RUNS_FORMAT)
    return 2 if known else 0


def _read(source: Source) -> Found:
    runs = load_runs(source.path)
    rows: dict[str, Row] = {}
    for run in runs:
        for case in run.cases:
            rows.setdefault(
                case.id, Row(where=f"{source.path}: case {shown(case.id)}", values=_values(case))
            )
    place = {name: number for number, name in enumerate(rows)}
    systems = tuple(
        System(
            name=run.name,
            outputs=tuple(Output(row=place[case.id], answer=_answer(case)) for case in run.cases),
        )
        for run in runs
    )
    return Found(rows=tuple(rows.values()), systems=systems, runs=runs)


def _values(case: CaseResult) -> dict[str, Any]:
    values: dict[str, Any] = {"id": case.id, "question": case.question}
    for name in _CASE:
        value = getattr(case, name)
        if value is not None and value != ():
            values[name] = msgspec.to_builtins(value)
    return values


def _answer(case: CaseResult) -> Answer:
    return Answer(
        case_id=case.id, text=case.answer, **{name: getattr(case, name) for name in _OUTPUT}
    )


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if not exchanged.runs:
        raise UsageError(
            "there are no scores to write as a run",
            fix="Evaluate the outputs: acidtest run --golden G --outputs F. See --to acidtest-outputs.",
        )
    ending_of(path, _ENDINGS)
    if len(exchanged.runs) == 1:
        write_whole(path, exchanged.runs[0].to_json())
    else:
        several = {"format": RUNS_FORMAT, "runs": exchanged.runs}
        write_whole(path, msgspec.json.format(msgspec.json.encode(several), indent=1))
    losses = Losses()
    for case in exchanged.golden or ():
        for name in ("history", "split", "source", "metadata"):
            if getattr(case, name):
                why = "a run does not hold it: write the cases with --to acidtest"
                losses.add(name, why, case.id)
    return losses.told()


FORMAT = Format(name="acidtest-run", sniff=_sniff, read=_read, write=_write, endings=_ENDINGS)
