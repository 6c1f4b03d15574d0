import asyncio
import gzip
import json
import os
import zlib

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from acidtest.errors import StoreError
from acidtest.server.replies import status, taken
from acidtest.server.settings import MEBIBYTE
from acidtest.store.spans import SpanStore

JSON, PROTOBUF = "application/json", "application/x-protobuf"
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def span(trace=TRACE, span_id=SPAN, **more):
    return {
        "traceId": trace,
        "spanId": span_id,
        "name": "rag",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
    } | more


def as_json(*spans):
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def as_protobuf(*ids, name="rag"):
    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add().scope_spans.add().spans
    for trace, span_id in ids:
        spans.add(
            trace_id=trace, span_id=span_id, name=name, start_time_unix_nano=1, end_time_unix_nano=2
        )
    return request.SerializeToString()


def ids(client, trace=TRACE):
    return [kept.span_id for kept in client.site.open(SpanStore).spans_of([trace])[trace]]


async def test_json_is_stored_and_answered_in_json(opened):
    async with opened() as client:
        answer = await client("POST", "/v1/traces", as_json(span()), content_type=JSON)
        assert (answer.status, answer.header("content-type"), answer.body) == (200, JSON, b"{}")
        assert ids(client) == [SPAN]


async def test_protobuf_is_stored_and_answered_in_protobuf(opened):
    async with opened() as client:
        body = as_protobuf((bytes.fromhex(TRACE), bytes.fromhex(SPAN)))
        answer = await client("POST", "/v1/traces", body, content_type=PROTOBUF)
        assert (answer.status, answer.header("content-type"), answer.body) == (200, PROTOBUF, b"")
        assert ids(client) == [SPAN]


@pytest.mark.parametrize("body", [b"", as_protobuf()])
async def test_a_request_of_no_spans_is_fine(opened, body):
    async with opened() as client:
        assert (await client("POST", "/v1/traces", body, content_type=PROTOBUF)).status == 200


async def test_spans_that_were_refused_are_a_partial_success(opened):
    async with opened() as client:
        answer = await client(
            "POST", "/v1/traces", as_json(span(), span(trace="00")), content_type=JSON
        )
        partial = answer.json()["partialSuccess"]
        assert (answer.status, partial["rejectedSpans"]) == (200, "1")
        assert "spans[1]" in partial["errorMessage"]
        assert ids(client) == [SPAN]
        body = as_protobuf((b"x", b"y"), (b"", b""), (bytes.fromhex(TRACE), b"12345678"))
        answer = await client("POST", "/v1/traces", body, content_type=PROTOBUF)
        told = ExportTraceServiceResponse.FromString(answer.body).partial_success
        assert (answer.status, told.rejected_spans) == (200, 2)
        assert "spans[0]" in told.error_message
        counters = client.site.counters
        assert (counters.spans_accepted, counters.spans_refused) == (2, 3)


@pytest.mark.parametrize("kind", [JSON, PROTOBUF])
@pytest.mark.parametrize(
    "body", [b"\xff\xfe\x00", b"{", b"[1]", b"\x0a\xff\xff\xff\xff\x0f", b'{"resourceSpans": 3}']
)
async def test_what_is_no_request_is_final_and_told_in_its_own_encoding(opened, kind, body):
    async with opened() as client:
        answer = await client("POST", "/v1/traces", body, content_type=kind)
        assert (answer.status, answer.header("content-type")) == (400, kind)
        if kind == JSON:
            assert answer.json()["code"] == 3
        else:
            assert answer.body.startswith(b"\x08\x03\x12")
        assert answer.header("retry-after") is None


@pytest.mark.parametrize(
    ("method", "headers", "code"),
    [
        ("GET", {"content_type": JSON}, 405),
        ("PUT", {"content_type": JSON}, 405),
        ("POST", {}, 415),
        ("POST", {"content_type": "text/plain"}, 415),
        ("POST", {"content_type": "application/x-www-form-urlencoded"}, 415),
        ("POST", {"content_type": JSON, "content_encoding": "deflate"}, 415),
        ("POST", {"content_type": JSON, "content_encoding": "gzip, gzip"}, 415),
        ("POST", {"content_type": f"{JSON}; charset=utf-8"}, 200),
        ("POST", {"content_type": "Application/JSON", "content_encoding": "identity"}, 200),
    ],
)
async def test_methods_and_types(opened, method, headers, code):
    async with opened() as client:
        answer = await client(method, "/v1/traces", as_json(span()), **headers)
        assert answer.status == code
        if code == 405:
            assert answer.header("allow") == "POST"
        if code == 415:
            assert answer.header("accept-encoding") == "gzip"


def in_parts(body, size=1000):
    return [body[n : n + size] for n in range(0, len(body), size)]


async def test_gzip_whole_in_parts_and_of_several_members(opened):
    bodies = [
        as_json(span(span_id=f"{n:016x}", attributes=[{"key": os.urandom(3000).hex()}]))
        for n in range(1, 4)
    ]
    halves = [gzip.compress(bodies[2][:500]), gzip.compress(bodies[2][500:])]
    packed = [
        gzip.compress(bodies[0]),
        in_parts(gzip.compress(bodies[1]), 100),
        in_parts(b"".join(halves), 7),
    ]
    async with opened() as client:
        for body in packed:
            answer = await client(
                "POST", "/v1/traces", body, content_type=JSON, content_encoding="gzip"
            )
            assert (answer.status, answer.body) == (200, b"{}")
        assert len(ids(client)) == 3
        assert client.site.room.taken == 0


@pytest.mark.parametrize(
    "body",
    [
        as_json(span()),
        gzip.compress(as_json(span()))[:-9],
        gzip.compress(b"{}") + b"junk",
        gzip.compress(b"{}") + gzip.compress(b"") * 2_000,
        zlib.compress(b"{}"),
        b"\x1f\x8b",
    ],
    ids=["plain", "cut off", "with more", "many empty", "zlib", "a beginning"],
)
async def test_what_is_no_gzip_is_final(opened, body):
    async with opened() as client:
        answer = await client(
            "POST", "/v1/traces", body, content_type=JSON, content_encoding="gzip"
        )
        assert answer.status == 400
        assert client.site.room.taken == 0


async def test_a_body_too_large_is_refused_before_it_is_read(opened):
    async with opened() as client:
        answer = await client("POST", "/v1/traces", [], length=17 * MEBIBYTE, content_type=JSON)
        assert (answer.status, answer.json()["code"]) == (413, 8)
        answer = await client("POST", "/v1/traces", [bytes(MEBIBYTE)] * 20, content_type=JSON)
        assert answer.status == 413
        assert client.site.room.taken == 0


async def test_a_bomb_is_seen_while_it_is_small(opened):
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(MEBIBYTE)) for _ in range(200)) + packer.flush()
    async with opened() as client:
        held = []
        give = client.site.room.give
        client.site.room.give = lambda size: (held.append(client.site.room.taken), give(size))
        answer = await client(
            "POST", "/v1/traces", bomb, content_type=JSON, content_encoding="gzip"
        )
        assert answer.status == 413
        assert max(held) <= 17 * MEBIBYTE


async def test_a_body_that_never_ends_is_let_go(opened):
    async with opened(body_s=0.1) as client:
        answer = await client("POST", "/v1/traces", [b"{"], length=100, content_type=JSON)
        assert answer.status == 400  # what came was no JSON
        slow = await client("POST", "/v1/traces", [b" "] * 9, pause_s=0.05, content_type=JSON)
        assert slow.status == 408
        assert client.site.room.taken == 0


async def test_more_than_fits_waits_and_is_then_sent_away(opened):
    async with opened(room_bytes=40_000, patience_s=0.05) as client:
        body = b" " * 20_000 + as_json(span())
        ask = {"content_type": JSON, "length": 30_000}
        slow = asyncio.create_task(
            client("POST", "/v1/traces", [body[:20_000], body[20_000:]], pause_s=0.2, **ask)
        )
        await asyncio.sleep(0.3)
        answer = await client("POST", "/v1/traces", body, **ask)
        assert (answer.status, answer.header("retry-after"), answer.json()["code"]) == (
            503,
            "1",
            14,
        )
        assert (await slow).status == 200
        assert (await client("POST", "/v1/traces", body, **ask)).status == 200
        assert (client.site.room.taken, client.site.room.waiting) == (0, 0)


async def test_what_waits_a_little_is_taken(opened):
    async with opened(room_bytes=1000, patience_s=5.0) as client:
        ask = {"content_type": JSON, "length": 900}
        many = [
            client("POST", "/v1/traces", [as_json(span(span_id=f"{n:016x}"))], pause_s=0.01, **ask)
            for n in range(1, 9)
        ]
        assert {answer.status for answer in await asyncio.gather(*many)} == {200}
        assert len(ids(client)) == 8


async def test_a_client_that_goes_away_leaves_nothing_behind(opened):
    async with opened() as client:
        parts = [b" " * 20_000] * 2
        task = asyncio.create_task(
            client("POST", "/v1/traces", parts, length=50_000, pause_s=0.2, content_type=JSON)
        )
        await asyncio.sleep(0.3)
        assert client.site.room.taken == 50_000
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert client.site.room.taken == 0


@pytest.mark.parametrize(("passing", "code", "retry"), [(True, 503, "5"), (False, 500, None)])
async def test_faults_of_the_store_are_told_by_whether_they_pass(
    opened, monkeypatch, passing, code, retry
):
    def full(*_args, **_kwargs):
        error = StoreError("the disk /secret/place is full")
        error.passing = passing
        raise error

    async with opened() as client:
        with monkeypatch.context() as patch:
            patch.setattr(SpanStore, "add", full)
            answer = await client("POST", "/v1/traces", as_json(span()), content_type=JSON)
        assert (answer.status, answer.header("retry-after")) == (code, retry)
        assert "secret" not in answer.text
        assert client.site.counters.spans_accepted == 0
        assert (
            await client("POST", "/v1/traces", as_json(span()), content_type=JSON)
        ).status == 200


async def test_what_the_store_cannot_take_costs_the_others_nothing(opened, monkeypatch):
    add = SpanStore.add

    def picky(store, arrivals, **times):
        if any(span.name == "poison" for some in arrivals for span in some.spans):
            raise StoreError("no")
        add(store, arrivals, **times)

    monkeypatch.setattr(SpanStore, "add", picky)
    async with opened() as client:
        names = ["rag"] * 5 + ["poison"] + ["rag"] * 5
        asked = [
            client(
                "POST",
                "/v1/traces",
                as_json(span(span_id=f"{n:016x}", name=name)),
                content_type=JSON,
            )
            for n, name in enumerate(names, 1)
        ]
        codes = [answer.status for answer in await asyncio.gather(*asked)]
        assert codes == [500 if name == "poison" else 200 for name in names]
        assert len(ids(client)) == 10


async def test_spans_are_redacted_before_they_are_stored(opened):
    def redact(arrivals):
        if any(b"stubborn" in one.body for one in arrivals.spans):
            return arrivals._replace(spans=[], refused=1, why="it could not be redacted")
        hidden = [
            one._replace(body=one.body.replace(b"secret", b"******")) for one in arrivals.spans
        ]
        return arrivals._replace(spans=hidden)

    async with opened(redact=redact) as client:
        await client(
            "POST", "/v1/traces", as_json(span(status={"message": "secret"})), content_type=JSON
        )
        (kept,) = client.site.open(SpanStore).spans_of([TRACE])[TRACE]
        assert b"******" in kept.body
        body = as_json(span(span_id="c" * 16, status={"message": "stubborn"}))
        answer = await client("POST", "/v1/traces", body, content_type=JSON)
        partial = {"rejectedSpans": "1", "errorMessage": "it could not be redacted"}
        assert (answer.status, answer.json()) == (200, {"partialSuccess": partial})
        assert ids(client) == [SPAN]


@pytest.mark.parametrize(("refused", "why"), [(0, ""), (1, "no id"), (10**6, "é" * 1000)])
def test_answers_are_what_the_library_reads(refused, why):
    read = ExportTraceServiceResponse.FromString(taken("protobuf", refused, why)).partial_success
    assert (read.rejected_spans, read.error_message) == (refused, why[:500])
    partial = json.loads(taken("json", refused, why)).get("partialSuccess", {})
    assert int(partial.get("rejectedSpans", 0)) == refused


def test_a_status_is_code_and_message():
    assert status("protobuf", 14, "x" * 200) == b"\x08\x0e\x12\xc8\x01" + b"x" * 200
    assert json.loads(status("json", 3, "why")) == {"code": 3, "message": "why"}


async def test_a_large_body_is_taken_too(opened):
    many = [
        span(span_id=f"{n:016x}", attributes=[{"key": "k", "value": {"stringValue": "x" * 3000}}])
        for n in range(1, 500)
    ]
    async with opened() as client:
        assert (await client("POST", "/v1/traces", as_json(*many), content_type=JSON)).status == 200
        assert len(ids(client)) == 499


async def test_on_postgres_as_well(opened, postgres_url):
    async with opened(store=postgres_url) as client:
        answer = await client(
            "POST", "/v1/traces", as_json(span(name="nul\0\ud800")), content_type=JSON
        )
        assert answer.status in (200, 400)
        assert (
            await client("POST", "/v1/traces", as_json(span()), content_type=JSON)
        ).status == 200
        assert ids(client) == [SPAN]
        assert (await client("GET", "/health")).status == 200
        assert (await client("GET", "/runs")).status == 200
