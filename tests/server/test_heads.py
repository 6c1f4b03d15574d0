"""Heads and framing that are rare, or could be read in two ways, over a real connection."""

import gzip
import re
import socket
from urllib.parse import urlsplit

from tests.server.test_serve import as_json, ask

SPAN = as_json("a" * 32, ["b" * 16])
ZIPPED = gzip.compress(SPAN)
CHUNK = b"%x\r\n%s\r\n0\r\n" % (len(SPAN), SPAN)
TYPE = b"Content-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
TOKEN = b"a-token-of-some-length"


def post(extra, body=SPAN, *, length=True, path=b"/v1/traces", kind=TYPE):
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\n%s%s" % (path, kind, extra)
    return head + (b"Content-Length: %d\r\n" % len(body) if length else b"") + b"\r\n" + body


def get(extra=b"", path=b"/health"):
    return b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (path, extra)


H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
FEEDBACK = b"/api/traces/x/feedback"
LAST = get(b"Connection: close\r\n")

CASES = {
    "chunked": (post(CHUNKED, CHUNK + b"\r\n", length=False), [200]),
    "with trailers": (post(CHUNKED, CHUNK + b"X: y\r\n\r\n", length=False), [200]),
    "gzip": (post(b"Content-Encoding: gzip\r\n", ZIPPED), [200]),
    "gzip twice": (post(b"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n", ZIPPED), [400]),
    "gzip in gzip": (post(b"Content-Encoding: gzip, gzip\r\n", ZIPPED), [415]),
    "coded on the way": (post(b"Transfer-Encoding: gzip, chunked\r\n", CHUNK + b"\r\n", length=False), [501]),
    "two types": (post(b"Content-Type: application/x-protobuf\r\n"), [400]),
    "two lengths": (post(b"Content-Length: 5\r\n"), [400]),
    "length and chunks": (post(CHUNKED, CHUNK + b"\r\n"), [400]),
    "two hosts": (get(b"Host: evil.example\r\n"), [400]),
    "a form that is packed": (post(b"Content-Encoding: gzip\r\n", ZIPPED, path=b"/login"), [415]),
    "feedback that is packed": (post(b"Content-Encoding: gzip\r\n", ZIPPED, path=FEEDBACK), [415]),
    "feedback with a query": (post(b"", b'{"score":1}', path=FEEDBACK + b"?score=1"), [400]),
    "another protocol": (get(H2C), [200]),
    "another protocol, with a body": (post(H2C), [200]),
    "another protocol, in chunks": (post(H2C + CHUNKED, CHUNK + b"\r\n", length=False), [200]),
    "another protocol, again": (post(H2C) + get(H2C) + post(H2C), [200, 200, 200]),
    "a socket": (get(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"), [200]),
    "a tunnel": (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "expecting": (post(b"Expect: 100-continue\r\n"), [100, 200]),
    "in a row": (get() + post(b"") + get() + post(b"", path=b"/nope"), [200, 200, 200, 404]),
    "a long address": (get(path=b"/" + b"a" * 60_000), [404]),
    "too long an address": (get(path=b"/" + b"a" * 70_000), [400]),
}  # fmt: skip
ENDS = {"two lengths", "length and chunks", "a tunnel", "too long an address"}
"""After these the connection is closed; after the others it goes on."""


def answers(address, data):
    where = urlsplit(address)
    with socket.create_connection((where.hostname, where.port), timeout=20) as line:
        came = b""
        try:
            line.sendall(data)
            while part := line.recv(65536):
                came += part
        except ConnectionError:
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", came)]


def test_each_is_answered_once_and_the_connection_goes_on(served, tmp_path):
    with served() as server:
        found = {name: answers(server.address, data + LAST) for name, (data, _) in CASES.items()}
    assert found == {
        name: statuses + ([] if name in ENDS else [200]) for name, (_, statuses) in CASES.items()
    }
    assert (tmp_path / "served.err").read_text() == ""


def test_what_comes_behind_a_body_is_no_header(served):
    shown = b"Authorization: Bearer " + TOKEN + b"\r\n"
    with served("--token", TOKEN.decode()) as server:
        late = post(CHUNKED, CHUNK + shown + b"\r\n", length=False)
        assert answers(server.address, late + LAST) == [401, 200]
        early = post(CHUNKED + shown, CHUNK + b"\r\n", length=False)
        assert answers(server.address, early + LAST) == [200, 200]


def test_who_is_refused_before_he_sends_is_not_waited_for(served):
    head = b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\n" + TYPE
    head += b"Expect: 100-continue\r\nContent-Length: 99000000\r\n\r\n"
    with served() as server:
        assert answers(server.address, head) == [413]  # and the connection is closed
        assert ask(server.address, "/health")[0] == 200


def test_who_is_refused_while_he_sends_sees_the_answer(served):
    """Closed at once, the connection would be reset, and the answer lost with it."""
    body = bytes(17 << 20)
    head = b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + TYPE
    head += b"Content-Length: %d\r\n\r\n" % len(body)
    with served() as server:
        assert [answers(server.address, head + body) for _ in range(5)] == [[413]] * 5
