"""Files that are no traces, or only in part: what is said of them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.spans import Span
from acidtest.errors import AcidtestError, TraceFormatError, UnknownName
from acidtest.tracing.files.cells import cell
from acidtest.tracing.files.format import Refused
from acidtest.tracing.files.registry import _OURS, FORMATS, read_traces
from acidtest.tracing.files.times import nanos
from acidtest.tracing.otlp.open import gathered

SPAN = {"context": {"trace_id": "a", "span_id": "b"}, "attributes": {}}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "", "the file is empty"),
        ("a.jsonl", "\n\n", "the file is empty"),
        ("a.json", "[]", "the file is empty"),
        ("a.json", "{", ":1: not JSON: the text ends too early"),
        ("a.jsonl", '{"a": 1} 2', ":1: there is more after the JSON value"),
        ("a.json", "[[1]]", "no trace of a known format: a list"),
        ("a.json", '{"a": 1}', "no trace of a known format: a mapping with 'a'"),
        ("a.csv", "x,y\n1,2\n", ":2: this is no trace of a known format"),
        ("a.json", "[" * 100_000, "nests too deep"),
        ("a.json", '{"resource_spans": []}', "the body has no 'resourceSpans'"),
        ("a.json", '{"resourceSpans": []}', "it holds no span"),
        ("a.parquet", "no parquet", "not Parquet that can be read"),
        ("a.pb", "hello", "not a trace export request in protobuf"),
        (
            "a.json",
            '{"runs": [{"run_type": 1}]}',
            "nothing in it is a span; line 1: a run has no id",
        ),
    ],
)
def test_a_file_that_is_no_trace(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(TraceFormatError) as told:
        list(read_traces(path))
    assert message in str(told.value)
    assert str(told.value).startswith(str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TraceFormatError, match="no such file"):
        list(read_traces(tmp_path / "none.json"))
    with pytest.raises(TraceFormatError, match="this is a folder"):
        list(read_traces(tmp_path))


def test_a_format_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'phoenix'"):
        list(read_traces(tmp_path / "a.json", "phenix"))


def test_a_format_that_the_file_is_not_of(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(SPAN))
    with pytest.raises(TraceFormatError, match="it does not look like langfuse"):
        list(read_traces(path, "langfuse"))
    assert set(FORMATS) > {"otlp", "langfuse", "langsmith", "phoenix", "trulens", "deepeval"}


def test_items_of_another_kind_are_counted_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    items: list[Any] = [
        SPAN,
        5,
        {"a": 1},
        {"context": {"trace_id": "x" * 65, "span_id": "b"}},
        SPAN,
    ]
    path.write_bytes(gzip.compress("\n".join(json.dumps(each) for each in items).encode()))
    (found,) = read_traces(path)
    assert len(found.spans) == 2
    assert found.refused == 3
    assert found.why == f"{path}:2: it is the number 5, not a mapping"


@pytest.mark.parametrize("bad", ["\0", "\ud800", "x" * 65])
def test_ids_that_cannot_be_kept_are_refused(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([SPAN, {**SPAN, "parent_id": f"p{bad}"}]))
    (found,) = read_traces(path)
    assert (len(found.spans), found.refused) == (1, 1)


def test_a_long_file_comes_in_parts_and_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w") as stream:
        for i in range(1200):
            stream.write(
                json.dumps({**SPAN, "context": {"trace_id": "t", "span_id": f"s{i}"}}) + "\n"
            )
        stream.write("{")  # read only when the parts before it were taken
    found = read_traces(path)
    assert [len(next(found).spans) for _ in range(2)] == [500, 500]
    with pytest.raises(TraceFormatError, match=":1201: not JSON"):
        list(found)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("2025-01-01T00:00:00Z", 1735689600 * 10**9),
        ("2025-01-01 00:00:00.000001", 1735689600 * 10**9 + 1000),
        ("2025-01-01T01:00:00+01:00", 1735689600 * 10**9),
        (1735689600, 1735689600 * 10**9),
        (1735689600.5, 1735689600 * 10**9 + 5 * 10**8),
        (1735689600123, 1735689600123 * 10**6),
        (1735689600123456, 1735689600123456 * 10**3),
        (1735689600123456789, 1735689600123456789),
        ("1735689600123", 1735689600123 * 10**6),
        ([1735689600, 5], 1735689600 * 10**9 + 5),
        ("soon", None),
        (-1, None),
        (0, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**30, None),
        (True, None),
        ([1], None),
        (["a", 2], None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
        (None, None),
    ],
)
def test_times_in_all_their_spellings(given_: Any, expected: int | None) -> None:
    assert nanos(given_) == expected


def test_cells_are_read_as_literals_and_never_run() -> None:
    assert cell("{'a': [None, True, 1.5]}") == {"a": [None, True, 1.5]}
    assert cell('{"a": null}') == {"a": None}
    assert cell("[1") == "[1"
    for hostile in ("[__import__('os').getpid()]", "[" * 5000, "{[]: 1}", "[1,]" + "x"):
        assert cell(hostile) == hostile
    assert cell("plain") == "plain"


_KEYS = st.sampled_from(
    [
        "trace",
        "observations",
        "id",
        "traceId",
        "parentObservationId",
        "scores",
        "input",
        "output",
        "metadata",
        "usageDetails",
        "costDetails",
        "type",
        "level",
        "run_type",
        "runs",
        "child_runs",
        "parent_run_id",
        "trace_id",
        "dotted_order",
        "inputs",
        "outputs",
        "extra",
        "feedback",
        "feedback_stats",
        "tags",
        "uuid",
        "llmSpans",
        "retrieverSpans",
        "baseSpans",
        "parentUuid",
        "costPerInputToken",
        "inputTokenCount",
        "costPerOutputToken",
        "outputTokenCount",
        "metricsData",
        "spanContext",
        "spanId",
        "startTime",
        "endTime",
        "parentSpanContext",
        "status",
        "events",
        "resource",
        "context",
        "span_id",
        "attributes",
        "parent",
        "links",
        "annotations",
        "start_time",
        "context.trace_id",
        "context.span_id",
        "attributes.input.value",
        "a.score",
        "record",
        "record_attributes",
        "json",
        "block",
        "spans",
        "final_output",
        "name",
        "timestamp",
        "score",
        "value",
        "key",
        "n",
        "avg",
        "values",
        "role",
        "content",
        "attributes.metadata",
    ]
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**130), 2**130)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["{", "{'a': 1}", '{"a": {"b": []}}', "[1]", "RETRIEVER", "llm", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(item=st.dictionaries(_KEYS, _VALUES, max_size=8))
def test_items_of_any_shape_give_spans_or_reasons(item: dict[str, Any]) -> None:
    for form in _OURS:
        form.fits(item)
        found = list(form.spans(item)) if form.fits(item) else []
        spans = [each for each in found if isinstance(each, Span)]
        assert all(each.why for each in found if isinstance(each, Refused))
        assert len(gathered(spans).spans) == len(spans)


@given(body=st.binary(max_size=200))
def test_bytes_of_any_kind_give_spans_or_the_error(
    body: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    for name in ("any.json", "any.jsonl", "any.csv", "any.pb"):
        path = folder / name
        path.write_bytes(body)
        try:
            list(read_traces(path))
        except AcidtestError as told:
            assert str(path) in str(told)  # noqa: PT017 - either way is right
