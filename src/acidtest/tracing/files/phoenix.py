"""Phoenix: the table of spans (`get_spans_dataframe`) in CSV, Parquet or JSONL, with columns of evaluations.

Attributes are columns `attributes.NAME`; evaluations are columns `NAME.score`, `NAME.label` and
`NAME.explanation`. Cells of a CSV that hold lists are JSON or Python's way to print them.
"""

from collections.abc import Iterator
from typing import Any

from acidtest.data.spans import Span
from acidtest.tracing.files.attributes import annotations, mapping
from acidtest.tracing.files.cells import cell
from acidtest.tracing.files.format import Refused, TraceFormat
from acidtest.tracing.files.otel import span_of

_JUDGED = ("score", "label", "explanation")


def _fits(item: dict[str, Any]) -> bool:
    if "context.trace_id" in item or "context.span_id" in item:
        return True
    return isinstance(item.get("context"), dict) and {"span_kind", "status_code"} <= item.keys()


def _spans(item: dict[str, Any]) -> Iterator[Span | Refused]:
    if isinstance(item.get("context"), dict):
        yield span_of(item)
        return
    attributes: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    judged: dict[str, dict[str, Any]] = {}
    for column, given in item.items():
        if given is None or given == "":
            continue
        name, _, field = column.rpartition(".")
        if column.startswith("attributes."):
            attributes[column.removeprefix("attributes.")] = cell(given)
        elif name and field in _JUDGED and not column.startswith("context."):
            judged.setdefault(name.removeprefix("eval."), {})[field] = _number(given, field)
        else:
            rest[column] = given
    whole = mapping(cell(rest.get("attributes")))
    told = [{"name": name, **fields} for name, fields in judged.items()]
    yield span_of(
        {
            **rest,
            "context": {
                "trace_id": rest.get("context.trace_id"),
                "span_id": rest.get("context.span_id"),
            },
            "attributes": annotations(told) | whole | attributes,
            "events": cell(rest.get("events")),
            "links": cell(rest.get("links")),
        }
    )


def _number(given: Any, field: str) -> Any:
    if field != "score" or not isinstance(given, str):
        return given
    try:
        return float(given)
    except ValueError:
        return None


PHOENIX = TraceFormat(
    name="phoenix",
    title="Phoenix: the table of spans, as CSV, Parquet, JSON or JSONL",
    fits=_fits,
    spans=_spans,
)
