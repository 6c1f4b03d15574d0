"""DeepEval: the JSON of a test run, with the scores of every metric for every test case.

`{"testCases": [{"input", "actualOutput", ..., "metricsData": [{"name", "score", "success", "reason",
"error", "evaluationModel"}]}]}`; a list of test results (`testResults`, snake_case) is read too.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from acidtest.codec.names import fold
from acidtest.codec.rows.row import Row
from acidtest.data.outcomes import Failure, MetricSpec, Outcome
from acidtest.data.terms import Direction
from acidtest.formats.deepeval_parts import passage
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.scores import number_of, outcome, spec
from acidtest.formats.source import Source

_LISTS = ("testCases", "test_cases", "testResults", "test_results")
_CONVERSATIONS = ("conversationalTestCases", "conversational_test_cases")
_NAMES = {
    "input": "question",
    "actual_output": "generated_answer",
    "expected_output": "reference",
    "context": "evidence",
}
_METADATA = ("additional_metadata", "metadata")


def _sniff(source: Source) -> Likeness:
    found = _list(source)
    first = found[1][0] if found and found[1] else None
    return 2 if isinstance(first, dict) and _metrics(first) is not None else 0


def _list(source: Source) -> tuple[str, list[Any]] | None:
    document = source.document if source.form == "json" else None
    if not isinstance(document, dict):
        return None
    inner = document.get("testRunData", document)
    for name in _LISTS:
        rows = inner.get(name) if isinstance(inner, dict) else None
        if isinstance(rows, list) and rows:
            return name, rows
    return None


def _metrics(case: Mapping[str, Any]) -> list[Any] | None:
    value = case.get("metricsData", case.get("metrics_data"))
    return value if isinstance(value, list) else None


def _read(source: Source) -> Found:
    found = _list(source)
    if found is None:
        raise source.fault("not a test run of DeepEval: it has no testCases")
    losses = Losses()
    document = source.document
    for name in _CONVERSATIONS:
        for _ in document.get(name) or ():
            losses.add(name, "conversations' scores belong to no single answer")
    rows = source.under(found[1], found[0])
    specs: dict[str, MetricSpec] = {}
    lower = _lower_is_better(rows)
    judges: set[str] = set()
    outputs = []
    for number, row in enumerate(rows):
        scores: dict[str, Outcome] = {}
        for one in _metrics(row.values) or ():
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                direction: Direction = "lower" if one["name"] in lower else "higher"
                made = spec("deepeval", one["name"], judged=True, direction=direction)
                told = specs.setdefault(one["name"], made)
                scores[told.name] = _outcome(one)
                judges |= {str(v) for k, v in one.items() if fold(k) == "evaluation_model" and v}
        outputs.append(Output(row=number, scores=scores))
    system = System(
        name=str(document.get("identifier") or source.stem),
        outputs=tuple(outputs),
        specs=tuple(specs.values()),
        judge=", ".join(sorted(judges)) or None,
    )
    cases = tuple(_case(row, losses) for row in rows)
    return Found(rows=cases, systems=(system,), losses=losses.told())


def _lower_is_better(rows: Iterable[Row]) -> set[str]:
    """Return the metrics that passed below their threshold, or failed above it.

    Hallucination, bias and toxicity were better when lower in older versions; in version 4 no metric is. So
    the file has to tell.
    """
    found = set()
    for row in rows:
        for one in _metrics(row.values) or ():
            if not isinstance(one, dict) or not isinstance(one.get("success"), bool):
                continue
            score, threshold = number_of(one.get("score")), number_of(one.get("threshold"))
            if score is None or threshold is None or score == threshold:
                continue
            if (score < threshold) == one["success"]:
                found.add(str(one.get("name")))
    return found


def _outcome(metric: Mapping[str, Any]) -> Outcome:
    error = metric.get("error")
    if error:
        return Failure("DeepEval could not score it", str(error)[:4000])
    return outcome(metric.get("score"), reason=str(metric.get("reason") or ""))


def _case(row: Row, losses: Losses) -> Row:
    given = {fold(name): value for name, value in row.values.items() if value is not None}
    values: dict[str, Any] = {ours: given[name] for name, ours in _NAMES.items() if name in given}
    if isinstance(given.get("retrieval_context"), list):
        values["retrieved"] = [passage(text) for text in given["retrieval_context"]]
    usage = {
        ours: given[name]
        for name, ours in (
            ("input_token_count", "input_tokens"),
            ("output_token_count", "output_tokens"),
        )
        if name in given
    }
    if usage:
        values["usage"] = usage
    if isinstance(given.get("tags"), list):
        values["tags"] = given["tags"]
    metadata: dict[str, Any] = next(
        (given[n] for n in _METADATA if isinstance(given.get(n), dict)), {}
    )
    beside = {name: given[name] for name in ("name", "comments") if given.get(name)}
    if metadata or beside:
        values["metadata"] = {**metadata, **beside}
    for name in ("tools_called", "expected_tools", "trace"):
        if given.get(name):
            losses.add(name, "results are read without it", row.where)
    return Row(where=row.where, values=values, error=row.error)


FORMAT = Format(name="deepeval-results", sniff=_sniff, read=_read)
