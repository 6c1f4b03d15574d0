"""Requests to spans: what is taken, what is refused and why, and that nothing crashes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from acidtest.data.spans import Arrivals
from acidtest.errors import TraceFormatError
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_json, read_protobuf

TRACE, SPAN, PARENT = "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174", "eee19b7ec3c1b173"


def span(**more: Any) -> dict[str, Any]:
    return {
        "traceId": TRACE.upper(),
        "spanId": SPAN,
        "parentSpanId": PARENT.upper(),
        "name": "retrieve",
        "kind": 1,
        "startTimeUnixNano": "1544712660000000000",
        "endTimeUnixNano": 1544712661000000000,
        "attributes": [{"key": "input.value", "value": {"stringValue": "why?"}}],
        **more,
    }


def request(*spans: Any, resource: Any = None) -> dict[str, Any]:
    named = [{"key": "service.name", "value": {"stringValue": "shop"}}]
    return {
        "resourceSpans": [
            {
                "resource": resource or {"attributes": named},
                "scopeSpans": [{"scope": {"name": "rag", "version": "1.2"}, "spans": list(spans)}],
            }
        ]
    }


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def message(**more: Any) -> ExportTraceServiceRequest:
    built = ExportTraceServiceRequest()
    group = built.resource_spans.add()
    named = group.resource.attributes.add(key="service.name")
    named.value.string_value = "shop"
    part = group.scope_spans.add()
    part.scope.name, part.scope.version = "rag", "1.2"
    fields = {
        "trace_id": bytes.fromhex(TRACE),
        "span_id": bytes.fromhex(SPAN),
        "parent_span_id": bytes.fromhex(PARENT),
        "name": "retrieve",
        "start_time_unix_nano": 1544712660000000000,
        "end_time_unix_nano": 1544712661000000000,
        **more,
    }
    one = part.spans.add(**fields)
    one.attributes.add(key="input.value").value.string_value = "why?"
    return built


def test_json_and_protobuf_bring_the_same_span() -> None:
    by_json, by_message = (
        read_json(encoded(request(span()))),
        read_protobuf(message().SerializeToString()),
    )
    (one,), (two,) = by_json.spans, by_message.spans
    assert one[:6] == two[:6]
    assert one[:6] == (
        TRACE,
        SPAN,
        PARENT,
        "retrieve",
        1544712660000000000,
        1544712661000000000,
    )
    assert (one.form, two.form) == ("json", "protobuf")
    assert by_json.origins == by_message.origins
    assert one.origin == two.origin
    assert len(one.origin) == 64
    body = by_json.origins[one.origin]
    whole = opened("json", one.body, body)
    assert whole == opened("protobuf", two.body, body)
    assert whole.resource == {"service.name": "shop"}
    assert whole.scope == "rag"
    assert whole.attributes == {"input.value": "why?"}


def test_the_body_is_the_span_alone() -> None:
    arrived = read_json(encoded(request(span(name="a"), span(name="b", spanId=PARENT))))
    assert [json.loads(each.body)["name"] for each in arrived.spans] == ["a", "b"]


@pytest.mark.parametrize("parent", ["", "0" * 16, None])
def test_no_parent_is_told_in_three_ways(parent: str | None) -> None:
    assert read_json(encoded(request(span(parentSpanId=parent)))).spans[0].parent_id is None


def test_protobuf_roots_have_no_parent() -> None:
    for none in (b"", bytes(8)):
        body = message(parent_span_id=none).SerializeToString()
        assert read_protobuf(body).spans[0].parent_id is None


@pytest.mark.parametrize(
    ("given_", "why"),
    [
        ({"traceId": TRACE[:31]}, "has 31 characters; it must be 32 hex digits"),
        ({"traceId": "W47/95gDgQPSabYzgT/GDA=="}, "looks like base64"),
        ({"traceId": "0" * 32}, "traceId is all zeros"),
        ({"traceId": ""}, "it has no traceId"),
        ({"traceId": 5}, "it is no span"),
        ({"spanId": "g" * 16}, "spanId 'gggggggggggggggg'"),
        ({"spanId": "0" * 16}, "spanId is all zeros"),
        ({"parentSpanId": "12"}, "parentSpanId '12' has 2 characters"),
        ({"startTimeUnixNano": "yesterday"}, "it is no span"),
    ],
)
def test_a_span_without_valid_ids_is_refused_and_the_others_taken(
    given_: dict[str, Any], why: str
) -> None:
    arrived = read_json(encoded(request(span(**given_), span(), "no span", None)))
    assert len(arrived.spans) == 1
    assert arrived.refused == 3
    assert arrived.why.startswith("resourceSpans[0].scopeSpans[0].spans[0]: ")
    assert why in arrived.why


@pytest.mark.parametrize(
    "given_",
    [{"trace_id": b"\1" * 15}, {"trace_id": bytes(16)}, {"span_id": b""}, {"parent_span_id": b"1"}],
)
def test_a_message_without_valid_ids_is_refused(given_: dict[str, bytes]) -> None:
    arrived = read_protobuf(message(**given_).SerializeToString())
    assert arrived.spans == []
    assert arrived.refused == 1
    assert arrived.why.startswith("resource_spans[0].scope_spans[0].spans[0]: it")
    assert next(iter(given_)) in arrived.why


def test_names_are_cut_and_times_beyond_the_store_are_absent() -> None:
    long = {"name": "\0" + "x" * 300, "startTimeUnixNano": str(2**64 - 1), "endTimeUnixNano": -5}
    one = read_json(encoded(request(span(**long)))).spans[0]
    assert (one.name, one.start_ns, one.end_ns) == ("x" * 200, 0, 0)
    body = message(name="y" * 300, start_time_unix_nano=2**64 - 1, end_time_unix_nano=0)
    two = read_protobuf(body.SerializeToString()).spans[0]
    assert (two.name, two.start_ns, two.end_ns) == ("y" * 200, 0, 0)


def test_null_and_absent_parts_are_empty() -> None:
    assert read_json(b"{}") == Arrivals([], {}, 0, "")
    assert read_protobuf(b"") == Arrivals([], {}, 0, "")
    assert read_json(b'{"resourceSpans": [{"scopeSpans": null}, {"resource": null}]}').spans == []
    bare = {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": TRACE, "spanId": SPAN}]}]}]}
    one = read_json(encoded(bare)).spans[0]
    assert one[2:6] == (None, "", 0, 0)
    assert opened(one.form, one.body, b"{}").start_ns is None


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "not JSON"),
        (b"hello", "not JSON"),
        (b"[]", "not a trace export request"),
        (b'{"resourceSpans": 5}', "not a trace export request"),
        (b'{"resourceMetrics": []}', "no 'resourceSpans'; it has 'resourceMetrics'"),
        (b'{"resource_spans": []}', "no 'resourceSpans'; it has 'resource_spans'"),
        (b'{"resourceSpans": [{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]}", "nests too deep"),
        (b'{"resourceSpans": [NaN]}', "not JSON"),
        (b'{"resourceSpans": [{"x": "\xff"}]}', "not UTF-8 at byte 26"),
    ],
)
def test_a_body_that_is_no_request_is_refused_whole(body: bytes, why: str) -> None:
    with pytest.raises(TraceFormatError, match="POST /v1/traces") as told:
        read_json(body)
    assert why in told.value.what
    assert told.value.fix


@pytest.mark.parametrize("body", [b"\x0a\xff", b"hello", b"\x7a\x01x"])
def test_bytes_that_are_no_message_are_refused_whole(body: bytes) -> None:
    with pytest.raises(TraceFormatError, match="POST /v1/traces"):
        read_protobuf(body)


def test_half_a_surrogate_pair_costs_no_request() -> None:
    text = json.dumps(request(span(name="cut \\")))
    body = text.replace("why?", r"cut \ud83d, whole \ud83d\ude00, told \\ud83d").encode()
    one = read_json(body).spans[0]
    assert opened(one.form, one.body, b"").attributes == {
        "input.value": "cut \ufffd, whole 😀, told \\ud83d"
    }


def test_numbers_of_any_size_are_read() -> None:
    huge = {"key": "n", "value": {"intValue": 7}}
    text = json.dumps(request(span(attributes=[huge]))).replace("7}}]", "7" * 5000 + "}}]")
    one = read_json(text.encode()).spans[0]
    told = opened(one.form, one.body, b"").attributes["n"]
    assert isinstance(told, str)
    assert told.startswith("777")
    assert len(told) < 500


def test_origins_are_told_apart_and_shared() -> None:
    other = {"attributes": [{"key": "service.name", "value": {"stringValue": "bank"}}]}
    both = request(span())
    both["resourceSpans"] += request(span(spanId=PARENT), span(spanId="1" * 16), resource=other)[
        "resourceSpans"
    ]
    arrived = read_json(encoded(both))
    assert len(arrived.origins) == 2
    assert len({each.origin for each in arrived.spans}) == 2
    assert arrived.spans[1].origin == arrived.spans[2].origin


def test_origins_that_never_repeat_do_not_fill_the_memory() -> None:
    from acidtest.tracing.otlp import receive

    for i in range(700):
        named = {"attributes": [{"key": "pid", "value": {"intValue": i}}]}
        read_json(encoded(request(span(), resource=named)))
    assert len(receive._by_json._known) <= 512


_JSON = encoded(request(span(), span(traceId="1")))
_MESSAGE = message().SerializeToString()
_noise = st.lists(
    st.tuples(
        st.integers(0, 5000),
        st.sampled_from(["put", "cut", "twice"]),
        st.binary(min_size=1, max_size=6)
        | st.sampled_from(
            [b"\\ud800", b"NaN", b"1e999", b"[[[[", b"\xff", b"null", b"-1", b"9" * 40, b'"', b"{}"]
        ),
    ),
    min_size=1,
    max_size=4,
)


def _mutated(body: bytes, noise: list[tuple[int, str, bytes]]) -> bytes:
    for at, how, what in noise:
        place = at % (len(body) + 1)
        if how == "put":
            body = body[:place] + what + body[place:]
        elif how == "cut":
            body = body[:place] + body[place + len(what) :]
        else:
            body = body[:place] + what + body[place + len(what) :]
    return body


@given(noise=_noise)
def test_mutated_json_gives_spans_or_the_error(noise: list[tuple[int, str, bytes]]) -> None:
    _taken_or_refused(read_json, _mutated(_JSON, noise))


@given(noise=_noise)
def test_mutated_messages_give_spans_or_the_error(noise: list[tuple[int, str, bytes]]) -> None:
    _taken_or_refused(read_protobuf, _mutated(_MESSAGE, noise))


@given(body=st.binary(max_size=300))
def test_any_bytes_give_spans_or_the_error(body: bytes) -> None:
    _taken_or_refused(read_protobuf, body)
    _taken_or_refused(read_json, body)


def _taken_or_refused(read: Any, body: bytes) -> None:
    try:
        arrived = read(body)
    except TraceFormatError:
        return
    assert isinstance(arrived, Arrivals)
    assert bool(arrived.refused) == bool(arrived.why)
    for each in arrived.spans:
        whole = opened(each.form, each.body, arrived.origins[each.origin])
        assert (whole.trace_id, whole.span_id, whole.parent_id) == each[:3]
        assert 0 <= each.start_ns < 2**63


def test_null_is_no_spans():
    assert read_json(b'{"resourceSpans": null}').spans == []
