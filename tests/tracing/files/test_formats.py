"""Each format's fields become OpenInference attributes, and what its spans said is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.spans import Span
from acidtest.tracing.files.registry import read_traces
from acidtest.tracing.otlp.open import opened

TRACE, SPAN = "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174"


def spans(path: Path, form: str | None = None) -> list[Span]:
    return [
        opened(span.form, span.body, found.origins[span.origin])
        for found in read_traces(path, form)
        for span in found.spans
    ]


def written(tmp_path: Path, value: Any, name: str = "traces.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(value))
    return path


def request(name: str, span_id: str = SPAN) -> dict[str, Any]:
    span = {"traceId": TRACE, "spanId": span_id, "name": name}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def test_otlp_in_each_of_its_shapes(tmp_path: Path) -> None:
    one, two = request("a"), request("b", "1" * 16)
    whole = written(tmp_path, one)
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f"{json.dumps(one)}\n\n{json.dumps(two)}\n")
    collector = tmp_path / "collector.json"  # which writes lines under this name too
    collector.write_text(f"{json.dumps(one)}\n{json.dumps(two)}\n")
    listed = written(tmp_path, [one, two], "listed.json")
    assert [span.name for span in spans(whole)] == ["a"]
    for path in (lines, collector, listed):
        assert [span.name for span in spans(path)] == ["a", "b"]


def test_otlp_in_protobuf(tmp_path: Path) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    bodies = []
    for name in ("a", "b"):
        message = ExportTraceServiceRequest()
        span = message.resource_spans.add().scope_spans.add().spans.add(name=name)
        span.trace_id, span.span_id = bytes.fromhex(TRACE), bytes.fromhex(SPAN)
        bodies.append(message.SerializeToString())
    whole, parts = tmp_path / "one.pb", tmp_path / "collector.pb"
    whole.write_bytes(bodies[0])
    parts.write_bytes(b"".join(len(body).to_bytes(4, "big") + body for body in bodies))
    assert [span.name for span in spans(whole)] == ["a"]
    assert [span.name for span in spans(parts)] == ["a", "b"]


LANGFUSE = {
    "trace": {
        "id": "t1",
        "name": "ask",
        "timestamp": "2025-06-05T15:45:52.000Z",
        "sessionId": "s",
        "userId": "u",
        "tags": ["beta"],
        "environment": "live",
        "input": '"How long?"',
        "output": {"answer": "30 days"},
        "metadata": '{"resourceAttributes": {"service.name": "shop"}, "scope": {"name": "sdk"}, "own": 1}',
        "scores": [
            {"name": "thumbs", "value": 1, "source": "API", "dataType": "NUMERIC", "comment": "ok"},
            {
                "name": "tone",
                "value": 0,
                "stringValue": "rude",
                "source": "ANNOTATION",
                "dataType": "CATEGORICAL",
                "observationId": "o2",
            },
        ],
    },
    "observations": [
        {
            "id": "o1",
            "traceId": "t1",
            "parentObservationId": None,
            "type": "RETRIEVER",
            "name": "search",
            "startTime": "2025-06-05T15:45:52.100Z",
            "endTime": "2025-06-05T15:45:52.200Z",
            "input": "How long?",
            "output": '[{"pageContent": "30 days.", "metadata": {"id": "c1"}, "score": 0.5}]',
            "metadata": "{}",
        },
        {
            "id": "o2",
            "traceId": "t1",
            "parentObservationId": "o1",
            "type": "GENERATION",
            "startTime": "2025-06-05T15:45:52.300Z",
            "endTime": "2025-06-05T15:45:53.000Z",
            "model": "m-1",
            "modelParameters": {"temperature": 0},
            "usageDetails": {"input": 10, "output": 5, "total": 15},
            "costDetails": {"total": 0.25},
            "promptName": "rag",
            "promptVersion": 3,
            "level": "ERROR",
            "statusMessage": "cut off",
            "metadata": {"attributes": {"llm.system": "x"}},
        },
    ],
}


def test_what_a_person_corrected_in_langfuse_is_no_thumb_down(tmp_path: Path) -> None:
    corrected = {
        "name": "output",
        "value": 0,
        "dataType": "CORRECTION",
        "longStringValue": "14 days.",
        "source": "ANNOTATION",
    }
    trace = LANGFUSE["trace"] | {
        "scores": [corrected],
        "corrections": [corrected | {"observationId": "o1"}],
    }
    given = LANGFUSE | {"trace": trace}
    for each in spans(written(tmp_path, given))[:2]:
        assert {k: v for k, v in each.attributes.items() if k.startswith("annotations.")} == {
            "annotations.0.annotation.name": "correction",
            "annotations.0.annotation.explanation": "14 days.",
            "annotations.0.annotation.annotator_kind": "HUMAN",
        }


def test_langfuse(tmp_path: Path) -> None:
    root, retriever, generation = spans(written(tmp_path, LANGFUSE))
    assert (root.trace_id, root.span_id, root.parent_id) == ("t1", "t1", None)
    assert root.start_ns == 1749138352000000000
    assert root.end_ns == 1749138353000000000
    assert root.resource == {"service.name": "shop"}
    assert root.scope == "sdk"
    assert root.attributes == {
        "openinference.span.kind": "CHAIN",
        "session.id": "s",
        "user.id": "u",
        "tag.tags": ["beta"],
        "langfuse.environment": "live",
        "metadata": '{"own": 1}',
        "input.value": "How long?",
        "input.mime_type": "text/plain",
        "output.value": '{"answer": "30 days"}',
        "output.mime_type": "application/json",
        "annotations.0.annotation.name": "thumbs",
        "annotations.0.annotation.score": 1,
        "annotations.0.annotation.explanation": "ok",
        "annotations.0.annotation.annotator_kind": "API",
    }
    assert retriever.parent_id == "t1"
    found = "retrieval.documents.0.document"
    assert retriever.attributes["openinference.span.kind"] == "RETRIEVER"
    assert retriever.attributes[f"{found}.content"] == "30 days."
    assert retriever.attributes[f"{found}.id"] == "c1"
    assert retriever.attributes[f"{found}.score"] == 0.5
    assert generation.parent_id == "o1"
    assert (generation.status, generation.status_message) == ("error", "cut off")
    assert generation.attributes == {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m-1",
        "llm.invocation_parameters": '{"temperature": 0}',
        "llm.token_count.prompt": 10,
        "llm.token_count.completion": 5,
        "llm.token_count.total": 15,
        "llm.cost.total": 0.25,
        "llm.prompt_template.version": "rag:3",
        "llm.system": "x",
        "annotations.0.annotation.name": "tone",
        "annotations.0.annotation.label": "rude",
        "annotations.0.annotation.annotator_kind": "HUMAN",
    }


def test_langfuse_as_the_api_gives_it(tmp_path: Path) -> None:
    nested = {**LANGFUSE["trace"], "observations": LANGFUSE["observations"]}
    assert spans(written(tmp_path, nested)) == spans(written(tmp_path, LANGFUSE, "b.json"))
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(each) for each in LANGFUSE["observations"]))
    assert [span.span_id for span in spans(rows)] == ["o1", "o2"]


def test_langfuse_in_snake_case_and_as_a_table(tmp_path: Path) -> None:
    observed = {
        "id": "o1",
        "trace_id": "t1",
        "parent_observation_id": None,
        "type": "GENERATION",
        "start_time": "2025-06-05 15:45:52.100000",
        "usage_details": '{"input": 10}',
    }
    (span,) = spans(written(tmp_path, observed, "observations.jsonl"))
    assert (span.trace_id, span.span_id, span.parent_id) == ("t1", "o1", "t1")
    assert span.start_ns == 1749138352100000000
    assert span.attributes["llm.token_count.prompt"] == 10
    table = tmp_path / "traces.csv"
    table.write_text(
        "id,timestamp,name,userId,input,output,tags,scores\n"
        't1,2025-06-05T15:45:52Z,ask,u,"""How long?""",30 days,"[""beta""]",'
        '"[{""name"": ""thumbs"", ""value"": 1}]"\n'
    )
    (root,) = spans(table)
    assert root.attributes["input.value"] == "How long?"
    assert root.attributes["output.value"] == "30 days"
    assert root.attributes["tag.tags"] == ["beta"]
    assert root.attributes["annotations.0.annotation.score"] == 1
    timed = {
        "id": "t1",
        "timestamp": "2025-06-05T15:45:52Z",
        "input": 1,
        "output": 2,
        "sessionId": "s",
        "latency": 1.5,
    }
    (root,) = spans(written(tmp_path, timed, "timed.json"))
    assert root.start_ns is not None
    assert root.end_ns == root.start_ns + 1_500_000_000


def run(name: str, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "run_type": "chain",
        "start_time": "2024-05-01T10:00:00.000001",
        "end_time": "2024-05-01T10:00:01",
        **more,
    }


LANGSMITH = [
    run(
        "r",
        trace_id="r",
        inputs={"question": "How long?"},
        outputs={"answer": "30 days", "more": 1},
        tags=["beta"],
        extra={"metadata": {"thread_id": "s", "user_id": "u"}},
        feedback_stats={"thumbs": {"n": 1, "avg": 1.0}},
    ),
    run(
        "f",
        trace_id="r",
        parent_run_id="r",
        run_type="retriever",
        inputs={"query": "How long?"},
        outputs={"documents": [{"page_content": "30 days.", "metadata": {"id": "c1"}}]},
        error="slow",
    ),
    run(
        "g",
        trace_id="r",
        parent_run_id="r",
        run_type="llm",
        extra={"metadata": {"ls_model_name": "m-1", "ls_provider": "p"}},
        prompt_tokens=10,
        completion_tokens=5,
        total_tokens=15,
        total_cost="0.25",
        feedback=[{"key": "tone", "score": 0, "value": "rude", "comment": "why so"}],
    ),
]


def test_langsmith(tmp_path: Path) -> None:
    root, retriever, generation = spans(written(tmp_path, LANGSMITH))
    assert (root.trace_id, root.span_id, root.parent_id) == ("r", "r", None)
    assert root.start_ns == 1714557600000001000
    assert root.attributes == {
        "openinference.span.kind": "CHAIN",
        "session.id": "s",
        "user.id": "u",
        "tag.tags": ["beta"],
        "metadata": '{"thread_id": "s", "user_id": "u"}',
        "input.value": "How long?",
        "input.mime_type": "text/plain",
        "output.value": '{"answer": "30 days", "more": 1}',
        "output.mime_type": "application/json",
        "annotations.0.annotation.name": "thumbs",
        "annotations.0.annotation.score": 1.0,
    }
    assert retriever.parent_id == "r"
    assert (retriever.status, retriever.status_message) == ("error", "slow")
    assert retriever.attributes["retrieval.documents.0.document.content"] == "30 days."
    assert retriever.attributes["retrieval.documents.0.document.id"] == "c1"
    assert generation.attributes["llm.model_name"] == "m-1"
    assert generation.attributes["llm.provider"] == "p"
    assert generation.attributes["llm.token_count.prompt"] == 10
    assert generation.attributes["annotations.0.annotation.label"] == "rude"
    assert generation.attributes["annotations.0.annotation.explanation"] == "why so"


def test_langsmith_runs_may_be_nested_or_in_a_list(tmp_path: Path) -> None:
    root, *children = [{**each} for each in LANGSMITH]
    del root["trace_id"]
    bare = [
        {k: v for k, v in each.items() if k not in ("trace_id", "parent_run_id")}
        for each in children
    ]
    nested = written(tmp_path, {**root, "child_runs": bare})
    listed = written(tmp_path, {"runs": LANGSMITH}, "b.json")
    assert spans(nested) == spans(listed)


def test_langsmith_tells_the_trace_by_the_place_of_a_run(tmp_path: Path) -> None:
    placed = run("c", parent_run_id="b", dotted_order="20240501T100000000001Za.20240501T1Zb.20Zc")
    lost = run("d", parent_run_id="b")
    path = written(tmp_path, [placed, lost])
    (found,) = read_traces(path)
    assert [each.trace_id for each in found.spans] == ["a"]
    assert found.refused == 1
    assert found.why.endswith(":1: item 2: a run has a parent_run_id and no trace_id")


PHOENIX = {
    "name": "search",
    "span_kind": "RETRIEVER",
    "parent_id": None,
    "start_time": "2023-09-07T12:54:47.293922-06:00",
    "end_time": "2023-09-07T18:54:48Z",
    "status_code": "OK",
    "status_message": "",
    "context.trace_id": TRACE,
    "context.span_id": SPAN,
    "attributes.input.value": "How long?",
    "attributes.llm.token_count.prompt": 3.0,
    "attributes.retrieval.documents": [{"document.content": "30 days.", "document.score": 0.5}],
    "hallucination.score": 1.0,
    "hallucination.label": "hallucinated",
    "hallucination.explanation": "made up",
}


def _phoenix(path: Path) -> None:
    (span,) = spans(path)
    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE, SPAN, None)
    assert (span.name, span.status) == ("search", "ok")
    assert span.start_ns == 1694112887293922000
    assert span.end_ns == 1694112888000000000
    assert float(span.attributes.pop("llm.token_count.prompt")) == 3
    assert span.attributes == {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "How long?",
        "retrieval.documents": [{"document.content": "30 days.", "document.score": 0.5}],
        "annotations.0.annotation.name": "hallucination",
        "annotations.0.annotation.score": 1.0,
        "annotations.0.annotation.label": "hallucinated",
        "annotations.0.annotation.explanation": "made up",
    }


def test_phoenix_in_json_and_jsonl(tmp_path: Path) -> None:
    _phoenix(written(tmp_path, [PHOENIX]))
    _phoenix(written(tmp_path, PHOENIX, "spans.jsonl"))


def test_phoenix_in_csv_with_cells_that_python_printed(tmp_path: Path) -> None:
    import csv

    path = tmp_path / "spans.csv"
    with path.open("w", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["", *PHOENIX])  # pandas writes its index without a name
        table.writerow([0, *("" if each is None else str(each) for each in PHOENIX.values())])
    _phoenix(path)


def test_phoenix_in_parquet_with_times(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    from datetime import datetime

    times = {
        name: datetime.fromisoformat(PHOENIX[name]).astimezone()
        for name in ("start_time", "end_time")
    }
    path = tmp_path / "spans.parquet"
    polars.DataFrame([{**PHOENIX, **times, "attributes.score": float("nan")}]).write_parquet(path)
    _phoenix(path)


def test_phoenix_nested_is_read_as_a_dump(tmp_path: Path) -> None:
    nested = {
        "name": "search",
        "context": {"trace_id": TRACE, "span_id": SPAN},
        "span_kind": "RETRIEVER",
        "status_code": "ERROR",
        "status_message": "no index",
        "attributes": {"input.value": "How long?"},
        "annotations": [
            {"name": "q", "annotator_kind": "HUMAN", "result": {"score": 0.0, "label": "bad"}}
        ],
    }
    path = written(tmp_path, nested)
    assert spans(path) == spans(path, "phoenix") == spans(path, "otel-sdk")
    (span,) = spans(path)
    assert (span.status, span.status_message) == ("error", "no index")
    assert span.attributes["openinference.span.kind"] == "RETRIEVER"
    assert span.attributes["annotations.0.annotation.score"] == 0
    assert span.attributes["annotations.0.annotation.annotator_kind"] == "HUMAN"


def test_trulens(tmp_path: Path) -> None:
    cells = {
        "record": {"name": "ask", "parent_span_id": "255", "status": "STATUS_CODE_ERROR"},
        "event_id": "7",
        "record_attributes": {"ai.observability.span_type": "retrieval", "n": [None, True, 0.5]},
        "resource_attributes": {"service.name": "shop"},
        "start_timestamp": "2025-11-14 12:28:26.000001",
        "timestamp": "2025-11-14 12:28:27",
        "trace": {"trace_id": str(2**127), "parent_id": "255", "span_id": "18446744073709551615"},
    }
    as_json = written(tmp_path, cells)
    table = tmp_path / "events.csv"
    row = ",".join('"' + str(each).replace('"', '""') + '"' for each in cells.values())
    table.write_text(f",{','.join(cells)}\n0,{row}\n")
    assert spans(as_json) == spans(table)
    (span,) = spans(table)
    assert span == Span(
        trace_id="8" + "0" * 31,
        span_id="f" * 16,
        parent_id="00000000000000ff",
        name="ask",
        start_ns=1763123306000001000,
        end_ns=1763123307000000000,
        status="error",
        attributes={"ai.observability.span_type": "retrieval", "n": [None, True, 0.5]},
        resource={"service.name": "shop"},
    )


def test_deepeval(tmp_path: Path) -> None:
    trace = {
        "uuid": "t1",
        "name": "ask",
        "threadId": "s",
        "userId": "u",
        "tags": ["beta"],
        "environment": "live",
        "input": "How long?",
        "output": "30 days",
        "feedback": {"rating": 1, "explanation": "quick"},
        "startTime": "2026-01-29T09:53:13.461Z",
        "baseSpans": [],
        "retrieverSpans": [
            {
                "uuid": "f",
                "output": ["30 days.", "60 days."],
                "embedder": "e-1",
                "status": "ERRORED",
                "error": "slow",
            }
        ],
        "llmSpans": [
            {
                "uuid": "g",
                "parentUuid": "f",
                "model": "m-1",
                "inputTokenCount": 10,
                "outputTokenCount": 5,
                "costPerInputToken": 0.01,
                "costPerOutputToken": 0.02,
                "metricsData": [{"name": "Faithfulness", "score": 1.0, "reason": "all there"}],
            },
            {"name": "no uuid"},
        ],
    }
    path = written(tmp_path, trace)
    (found,) = read_traces(path)
    assert found.refused == 1
    assert "a span of llmSpans has no uuid" in found.why
    root, generation, retriever = spans(path)
    assert root.resource == {"deployment.environment": "live"}
    assert root.attributes == {
        "openinference.span.kind": "CHAIN",
        "session.id": "s",
        "user.id": "u",
        "tag.tags": ["beta"],
        "input.value": "How long?",
        "input.mime_type": "text/plain",
        "output.value": "30 days",
        "output.mime_type": "text/plain",
        "annotations.0.annotation.name": "user_feedback",
        "annotations.0.annotation.score": 1,
        "annotations.0.annotation.explanation": "quick",
        "annotations.0.annotation.annotator_kind": "USER",
    }
    assert retriever.parent_id == "t1"
    assert (retriever.status, retriever.status_message) == ("error", "slow")
    assert retriever.attributes["retrieval.documents.1.document.content"] == "60 days."
    assert retriever.attributes["embedding.model_name"] == "e-1"
    assert generation.parent_id == "f"
    assert generation.attributes["llm.cost.total"] == pytest.approx(0.2)
    assert generation.attributes["annotations.0.annotation.explanation"] == "all there"


def test_documents_that_javascript_did_not_write_out_are_none(tmp_path: Path) -> None:
    one = {"uuid": "t", "retrieverSpans": [{"uuid": "f", "output": ["[object Object]"]}]}
    _, retriever = spans(written(tmp_path, one))
    assert not [name for name in retriever.attributes if name.startswith("retrieval.")]


def test_spans_of_javascript(tmp_path: Path) -> None:
    span = {
        "name": "ai.embed",
        "spanContext": {"traceId": TRACE.upper(), "spanId": SPAN},
        "parentSpanContext": {"traceId": TRACE, "spanId": "1" * 16},
        "startTime": [1770132006, 15000000],
        "endTime": [1770132006, 269932417],
        "attributes": {"ai.operationId": "ai.embed"},
        "status": {"code": 2, "message": "no key"},
        "events": [{"name": "e", "time": [1, 2], "attributes": {"a": 1}}],
        "resource": {"attributes": {"service.name": "shop"}},
        "instrumentationScope": {"name": "ai"},
    }
    (found,) = spans(written(tmp_path, [span]))
    assert found.trace_id == TRACE
    assert found.parent_id == "1" * 16
    assert (found.start_ns, found.end_ns) == (1770132006015000000, 1770132006269932417)
    assert (found.status, found.status_message, found.scope) == ("error", "no key", "ai")
    assert found.events[0].at_ns == 1_000_000_002
    assert found.resource == {"service.name": "shop"}


def test_dumps_of_the_python_sdk(tmp_path: Path) -> None:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource({"service.name": "shop"}), shutdown_on_exit=False)
    tracer = provider.get_tracer("rag")
    with (
        tracer.start_as_current_span("ask") as parent,
        tracer.start_as_current_span("find") as child,
    ):
        child.set_attribute("input.value", "How long?")
        child.add_event("seen", {"n": 1})
    path = tmp_path / "console.json"  # as ConsoleSpanExporter writes it: one after the other
    path.write_text(child.to_json() + "\n" + parent.to_json() + "\n")
    found, root = spans(path)
    context = child.get_span_context()
    assert found.trace_id == f"{context.trace_id:032x}"
    assert found.span_id == f"{context.span_id:016x}"
    assert found.parent_id == root.span_id
    assert root.parent_id is None
    assert found.start_ns is not None
    assert abs(found.start_ns - child.start_time) < 1000
    assert found.attributes["input.value"] == "How long?"
    assert found.events[0].attributes == {"n": 1}
    assert found.resource["service.name"] == "shop"


def test_dumps_with_whole_numbers_and_a_final_output(tmp_path: Path) -> None:
    span = {"context": {"trace_id": 2**128 - 1, "span_id": 1}, "parent": {"span_id": None}}
    child = {"context": {"trace_id": 2**128 - 1, "span_id": 2}, "parent": {"span_id": 1}}
    root, inner = spans(written(tmp_path, {"spans": [span, child], "final_output": "30 days"}))
    assert root.trace_id == "f" * 32
    assert (root.span_id, root.parent_id) == ("0" * 15 + "1", None)
    assert inner.parent_id == root.span_id
    assert root.attributes["output.value"] == "30 days"
    assert inner.attributes == {}


def test_bare_attributes_have_ids_of_what_they_say(tmp_path: Path) -> None:
    one = {"openinference.span.kind": "LLM", "input.value": "a"}
    path = written(tmp_path, one)
    assert spans(path) == spans(path)
    (span,) = spans(path)
    (other,) = spans(written(tmp_path, {**one, "input.value": "b"}, "b.json"))
    assert len(span.trace_id) == 32
    assert len(span.span_id) == 16
    assert span.trace_id != other.trace_id
    assert span.attributes == one
