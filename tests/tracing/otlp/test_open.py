"""Kept spans opened whole, and closed again."""

import json
from typing import Any

import msgspec
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Message

from acidtest.data.spans import Origin, Span, SpanEvent
from acidtest.errors import TraceFormatError
from acidtest.tracing.otlp.open import closed, gathered, opened, status_of
from acidtest.tracing.otlp.values import CUT, from_json, plain

ORIGIN = msgspec.json.encode(Origin(resource={"service.name": "shop"}, scope="rag"))


def test_every_kind_of_value_becomes_a_plain_one() -> None:
    values = [
        {"key": "text", "value": {"stringValue": "a"}},
        {"key": "whole", "value": {"intValue": "-9007199254740993"}},
        {"key": "number", "value": {"intValue": 3}},
        {"key": "double", "value": {"doubleValue": 0.5}},
        {"key": "told", "value": {"doubleValue": "NaN"}},
        {"key": "yes", "value": {"boolValue": True}},
        {"key": "list", "value": {"arrayValue": {"values": [{"intValue": "1"}, {}]}}},
        {"key": "none", "value": {"arrayValue": {}}},
        {
            "key": "map",
            "value": {"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": False}}]}},
        },
        {"key": "bytes", "value": {"bytesValue": "AAE="}},
        {"key": "empty", "value": {}},
    ]
    body = json.dumps({"traceId": "1" * 32, "spanId": "2" * 16, "attributes": values}).encode()
    assert opened("json", body, b"").attributes == {
        "text": "a",
        "whole": -9007199254740993,
        "number": 3,
        "double": 0.5,
        "told": "NaN",
        "yes": True,
        "list": [1, None],
        "none": [],
        "map": {"k": False},
        "bytes": "AAE=",
        "empty": None,
    }


def test_messages_give_the_same_values() -> None:
    message = Message(trace_id=b"\1" * 16, span_id=b"\2" * 8, name="x")
    message.attributes.add(key="double").value.double_value = float("inf")
    message.attributes.add(key="bytes").value.bytes_value = b"\0\1"
    pairs = message.attributes.add(key="map").value.kvlist_value.values
    pairs.add(key="k").value.int_value = -1
    message.attributes.add(key="list").value.array_value.values.add().bool_value = True
    message.attributes.add(key="empty")
    message.status.code = Message().status.STATUS_CODE_ERROR
    message.status.message = "no index"
    event = message.events.add(name="exception", time_unix_nano=5)
    event.attributes.add(key="exception.message").value.string_value = "boom"
    message.links.add(trace_id=b"\3" * 16, span_id=b"\4" * 8)
    span = opened("protobuf", message.SerializeToString(), ORIGIN)
    assert span == Span(
        trace_id="01" * 16,
        span_id="02" * 8,
        name="x",
        status="error",
        status_message="no index",
        attributes={
            "double": "Infinity",
            "bytes": "AAE=",
            "map": {"k": -1},
            "list": [True],
            "empty": None,
            "otel.links": [{"trace_id": "03" * 16, "span_id": "04" * 8}],
        },
        events=(SpanEvent(name="exception", at_ns=5, attributes={"exception.message": "boom"}),),
        resource={"service.name": "shop"},
        scope="rag",
    )


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (2, "error"),
        ("2", "error"),
        ("STATUS_CODE_ERROR", "error"),
        ("StatusCode.OK", "ok"),
        ("ok", "ok"),
        (0, "unset"),
        ("STATUS_CODE_UNSET", "unset"),
        (9, "unset"),
        (None, "unset"),
        ([], "unset"),
    ],
)
def test_a_status_has_many_spellings(code: Any, status: str) -> None:
    assert status_of(code) == status


def test_a_closed_span_opens_as_it_was() -> None:
    span = Span(
        trace_id="t",
        span_id="s",
        parent_id="p",
        name="n" * 300,
        start_ns=1,
        status="ok",
        attributes={"a": [1, {"b": 0.5}]},
        events=(SpanEvent(name="e"),),
        resource={"service.name": "shop"},
        scope="rag",
    )
    one = closed(span)
    arrived = gathered([span, span])
    assert arrived.spans == [one, one]
    assert one[:6] == ("t", "s", "p", "n" * 200, 1, 0)
    assert one.form == "span"
    assert opened("span", one.body, arrived.origins[one.origin]) == span
    assert b"shop" not in one.body


def test_what_json_cannot_hold_is_closed_all_the_same() -> None:
    wild = {"half": "\ud800", "huge": 10**30, "\udfff": float("nan"), "odd": {1: {2, 3}}}
    span = Span(trace_id="t", span_id="s", attributes=wild, start_ns=2**70)
    one = closed(span)
    assert one.start_ns == 0
    attributes = opened("span", one.body, b"").attributes
    assert attributes["half"] == "\ufffd"
    assert attributes["huge"] == str(10**30)
    assert attributes["\ufffd"] == "NaN"
    assert attributes["odd"] == {"1": "{2, 3}"}


def test_nesting_is_cut_off() -> None:
    deep: Any = "end"
    for _ in range(200):
        deep = {"arrayValue": {"values": [deep]}}
    assert CUT in json.dumps(from_json([{"key": "a", "value": deep}]))
    for _ in range(200):
        deep = [deep]
    assert CUT in json.dumps(plain(deep))


@pytest.mark.parametrize(
    ("form", "body"), [("json", b"{"), ("json", b"[1]"), ("protobuf", b"\xff"), ("span", b"{}")]
)
def test_a_damaged_body_is_told_in_words(form: Any, body: bytes) -> None:
    with pytest.raises(TraceFormatError, match=f"a kept span of the form '{form}' cannot be read"):
        opened(form, body, b"")


def test_odd_parts_of_json_are_left_out() -> None:
    odd = {
        "traceId": "1" * 32,
        "spanId": "2" * 16,
        "name": 5,
        "attributes": [{"value": {}}, 5, {"key": "bare", "value": "as it is"}],
        "status": "fine",
        "events": [7, {"name": "e", "timeUnixNano": "x"}],
        "links": {},
    }
    span = opened("json", json.dumps(odd).encode(), b"")
    assert span.attributes == {"bare": "as it is"}
    assert span.events == (SpanEvent(name="e"),)
    assert span.name == ""
