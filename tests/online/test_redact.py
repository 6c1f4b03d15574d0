"""Redaction of spans: nothing that must not be stored reaches a database's files, whatever form it came in."""

import json

import pytest

from acidtest.data.spans import Arrivals, Span, SpanEvent
from acidtest.errors import BadConfig, UnknownName
from acidtest.online.redact import Redaction, key_of
from acidtest.online.redact_own import check_redaction
from acidtest.store.spans import SpanStore
from acidtest.tracing.otlp.open import gathered, opened
from acidtest.tracing.otlp.receive import read_json, read_protobuf

MAIL = "anna@mail.example"
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
KEY = "k" * 16


def span(**more) -> Span:
    return Span(trace_id=TRACE, span_id=SPAN, start_ns=1, end_ns=2, **more)


def only(arrivals: Arrivals) -> Span:
    (one,) = arrivals.spans
    return opened(one.form, one.body, arrivals.origins[one.origin])


def redacted(given: Span, *patterns: str, **more) -> Span:
    return only(Redaction(patterns or ("email",), **more)(gathered([given])))


def everywhere(text: str) -> Span:
    return span(
        name=f"ask {text}",
        status="error",
        status_message=f"no {text}",
        attributes={
            "input.value": json.dumps({"messages": [{"content": f"line\n{text}"}], text: 1}),
            "list": [text, {"deep": [text]}],
            f"of {text}": "value",
        },
        events=(SpanEvent(name=text, attributes={"exception.message": text}),),
        resource={"host": text},
        scope=text,
    )


def test_every_text_of_a_span_is_redacted():
    clean = redacted(everywhere(MAIL))
    assert MAIL not in repr(clean)
    assert clean.name == "ask [email]"
    assert json.loads(clean.attributes["input.value"]) == {
        "messages": [{"content": "line\n[email]"}],
        "[email]": 1,
    }
    assert (clean.trace_id, clean.span_id, clean.start_ns, clean.status) == (
        TRACE,
        SPAN,
        1,
        "error",
    )
    assert clean.events[0].attributes == {"exception.message": "[email]"}
    assert clean.resource == {"host": "[email]"}


def test_json_whose_keys_stand_twice_hides_nothing():
    clean = redacted(span(attributes={"input.value": f'{{"a": "{MAIL}", "a": "x"}}'}))
    assert MAIL not in repr(clean)


def test_what_holds_nothing_stays_as_it_was():
    given = span(
        attributes={"input.value": '{ "a" : [1, 2.50] }', "n": 5, "x": 1.5, "b": True, "no": None}
    )
    assert (
        redacted(given, "email", "card", "phone", "ip", "iban", "secret").attributes
        == given.attributes
    )


def test_a_card_that_is_a_number_is_redacted():
    assert redacted(span(attributes={"n": 4111111111111111}), "card").attributes == {"n": "[card]"}


def test_attributes_named_like_secrets_lose_their_value():
    given = {
        "http.request.header.authorization": "abc",
        "db.password": "x",
        "llm.token_count.prompt": 7,
    }
    assert redacted(span(attributes=given), "secret").attributes == {
        "http.request.header.authorization": "[secret]",
        "db.password": "[secret]",
        "llm.token_count.prompt": 7,
    }


def test_own_patterns_are_redacted():
    clean = redacted(span(attributes={"a": "by EMP-1234"}), "re:EMP-[0-9]{4}")
    assert clean.attributes == {"a": "by [redacted]"}


def test_the_function_comes_after_the_patterns():
    clean = redacted(span(name=MAIL), "email", function=str.upper)
    assert clean.name == "[EMAIL]"


def leaky(text: str) -> str:
    raise ValueError(text)


@pytest.mark.parametrize("function", [leaky, lambda text: None])
def test_a_span_that_cannot_be_redacted_is_refused_and_not_quoted(function):
    done = Redaction(function=function)(gathered([span(name=MAIL), span(name="")]))
    assert len(done.spans) == 1
    assert done.refused == 1
    assert "could not be redacted" in done.why
    assert MAIL not in done.why


def test_the_reason_of_what_was_refused_before_is_redacted_too():
    done = Redaction(("email",))(Arrivals([], {}, 1, f"{MAIL} is no id"))
    assert (done.refused, done.why) == (1, "[email] is no id")


def test_users_and_sessions_are_hashed_alike_each_time():
    given = {
        "user.id": MAIL,
        "session.id": "s-1",
        "metadata": '{"user_id": "u-1"}',
        "input.value": "hi",
    }
    redaction = Redaction(("email",), key=KEY)
    clean = only(redaction(gathered([span(attributes=given)]))).attributes
    assert clean["user.id"] == redaction.hashed(MAIL) != Redaction(key="o" * 16).hashed(MAIL)
    assert len(clean["user.id"]) == 32
    assert clean["session.id"] == Redaction(key=KEY).hashed("s-1")
    assert json.loads(clean["metadata"]) == {"user_id": redaction.hashed("u-1")}
    assert clean["input.value"] == "hi"


def test_without_a_key_ids_stay():
    assert Redaction(("email",)).hashed("anna") == "anna"
    assert redacted(span(attributes={"user.id": "u-1"})).attributes == {"user.id": "u-1"}


def test_bad_settings_are_refused():
    with pytest.raises(UnknownName, match="emial"):
        check_redaction(["emial"], "acidtest.toml: [online] redact")
    with pytest.raises(BadConfig, match="no regular expression"):
        check_redaction(["re:("], "here")
    with pytest.raises(BadConfig, match="ACIDTEST_HASH_KEY has 3 characters"):
        Redaction(key="abc")
    with pytest.raises(BadConfig, match="ACIDTEST_HASH_KEY"):
        key_of({}, "here")
    assert key_of({"ACIDTEST_HASH_KEY": KEY}, "here") == KEY


def as_protobuf() -> Arrivals:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

    def pair(key, text):
        return KeyValue(key=key, value=AnyValue(string_value=text))

    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.append(pair("host", MAIL))
    part = group.scope_spans.add()
    part.scope.name = MAIL
    made = part.spans.add(
        trace_id=bytes.fromhex(TRACE),
        span_id=bytes.fromhex(SPAN),
        name=MAIL,
        trace_state=MAIL,
        start_time_unix_nano=1,
        end_time_unix_nano=2,
    )
    made.attributes.append(pair("input.value", f"ask {MAIL}"))
    made.status.message = MAIL
    made.events.add(name=MAIL).attributes.append(pair("m", MAIL))
    made.links.add(trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(SPAN)).attributes.append(
        pair("m", MAIL)
    )
    return read_protobuf(request.SerializeToString())


def as_json() -> Arrivals:
    value = {"stringValue": f"ask {MAIL}"}
    made = {
        "traceId": TRACE,
        "spanId": SPAN,
        "name": MAIL,
        "traceState": MAIL,
        "unknownField": MAIL,
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
        "attributes": [{"key": "input.value", "value": value}],
        "events": [{"name": MAIL, "attributes": [{"key": "m", "value": value}]}],
        "status": {"message": MAIL},
    }
    scope = {"scope": {"name": MAIL}, "spans": [made]}
    resource = {"attributes": [{"key": "host", "value": value}]}
    request = {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}
    return read_json(json.dumps(request).encode())


@pytest.mark.parametrize("arrived", [as_protobuf, as_json, lambda: gathered([everywhere(MAIL)])])
def test_nothing_reaches_the_files_of_the_database(arrived, tmp_path):
    def stored(name: str, arrivals: Arrivals) -> bytes:
        folder = tmp_path / name
        folder.mkdir()
        with SpanStore(str(folder / "store.db")) as store:
            store.add([arrivals], now_ms=1, quiet_ms=1, ended_ms=1)
            # Also what the write-ahead log holds: it is gone when the store is closed.
            return b"".join(path.read_bytes() for path in folder.iterdir())

    assert MAIL.encode() in stored("raw", arrived())
    clean = stored("clean", Redaction(("email",))(arrived()))
    assert MAIL.encode() not in clean
    assert b"[email]" in clean


@pytest.mark.parametrize(
    "key",
    [
        "user.id",
        "session.id",
        "enduser.id",
        "user_id",
        "userId",
        "session_id",
        "thread_id",
        "conversation.id",
        "conversation.session_id",
        "gen_ai.conversation.id",
        "langfuse.user.id",
        "langfuse.session.id",
        "langfuse.trace.user_id",
        "mlflow.trace.user",
        "mlflow.trace.session",
        "traceloop.association.properties.chat_id",
    ],
)
def test_ids_are_hashed_under_every_name_that_conventions_have_for_them(key):
    clean = redacted(span(attributes={key: "u-1", f"{key}.x": "u-2"}), key=KEY).attributes
    assert clean == {key: Redaction(key=KEY).hashed("u-1"), f"{key}.x": "u-2"}
