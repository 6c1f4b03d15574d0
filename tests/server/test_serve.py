import json
import os
import random
import resource
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from urllib.parse import urlsplit

import click
import pytest

from acidtest.cli.serve import command
from acidtest.errors import AcidtestError, MissingExtra
from acidtest.server.token import checked

JSON = {"Content-Type": "application/json"}


def as_json(trace, spans, size=200):
    return json.dumps(
        {"resourceSpans": [{"scopeSpans": [{"spans": [
            {"traceId": trace, "spanId": one, "name": "rag", "startTimeUnixNano": "1", "endTimeUnixNano": "2",
             "attributes": [{"key": "k", "value": {"stringValue": "x" * size}}]}
            for one in spans
        ]}]}]}
    ).encode()  # fmt: skip


def ask(address, path, body=None, headers=None):
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address + path, body, headers or {}), timeout=20
        ) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def stored(path):
    connection = sqlite3.connect(path)
    try:
        return [row[0] for row in connection.execute("SELECT span_id FROM spans")]
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_when_told_to(served, tmp_path, number):
    with served() as server:
        assert urlsplit(server.address).hostname == "127.0.0.1"
        assert ask(server.address, "/health") == (200, b'{"status":"ok"}')
        assert ask(server.address, "/v1/traces", as_json("a" * 32, ["b" * 16]), JSON) == (
            200,
            b"{}",
        )
        server.process.send_signal(number)
        out, _ = server.process.communicate(timeout=20)
        assert (server.process.returncode, out) == (0, "")
    assert stored(tmp_path / "s.db") == ["b" * 16]
    assert (tmp_path / "served.err").read_text() == ""


def test_the_token_comes_from_the_environment_too_and_is_never_told(served, tmp_path):
    with served(ACIDTEST_TOKEN="environment-token") as server:  # noqa: S106 - of no server
        body = as_json("a" * 32, ["b" * 16])
        assert ask(server.address, "/v1/traces", body, JSON)[0] == 401
        shown = {"Authorization": "Bearer environment-token"}
        assert ask(server.address, "/v1/traces", body, JSON | shown)[0] == 200
        assert ask(server.address, "/api/runs?token=environment-token")[0] == 401
    assert (tmp_path / "served.err").read_text() == ""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--host", "0.0.0.0"], "nothing keeps them out"),
        (["--host", "::"], "nothing keeps them out"),
        (["--host", "10.1.2.3"], "nothing keeps them out"),
        (["--token", ""], "it is empty"),
        (["--token", "two words"], "no spaces"),
        (["--token", "t\xe9"], "no spaces"),
        (["--port", "65536"], "65536"),
        (["--token", "x"], "a token of 1 characters is soon guessed: 12 at least"),
        (["--token", "elevenchars"], "secrets.token_urlsafe(32)"),
        (["--token", "aaaaaaaaaaaaaaaaaaaa"], "it repeats itself"),
        (["--token", "passwordpassword"], "it repeats itself"),
        (["--token", "0123456789abcdef"], "or counts"),
        (["--host", "192.0.2.1", "--token", "long-enough-token"], "cannot listen there"),
        (["--store", "nothing://x/y"], "not a database URL"),
    ],
)
def test_what_cannot_be_is_status_2_before_anything_listens(tmp_path, options, told):
    with pytest.raises((AcidtestError, click.ClickException)) as caught:
        command.main(
            ["--port", "0", "--store", str(tmp_path / "s.db"), *options], standalone_mode=False
        )
    error = caught.value
    assert told in (
        error.format_message() if isinstance(error, click.ClickException) else str(error)
    )
    assert (error.exit_status if isinstance(error, AcidtestError) else error.exit_code) == 2


def test_a_token_of_the_environment_is_looked_at_too(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "acidtest", "serve", "--port", "0", "--store", str(tmp_path / "s.db")],
        capture_output=True, text=True, timeout=60, env=os.environ | {"ACIDTEST_TOKEN": "x"},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "ACIDTEST_TOKEN" in done.stderr
    assert "soon guessed" in done.stderr
    assert "secrets.token_urlsafe(32)" in done.stderr


def test_tokens_of_random_signs_are_taken():
    for size in (9, 16, 32):
        for _ in range(200):
            made = secrets.token_urlsafe(size)
            assert checked(made, "0.0.0.0") == made
    assert checked(None, "127.0.0.1") is None


def test_a_port_that_is_taken_is_status_2(served, tmp_path):
    with served() as server:
        port = str(urlsplit(server.address).port)
        other = ["serve", "--port", port, "--store", str(tmp_path / "other.db")]
        done = subprocess.run(
            [sys.executable, "-m", "acidtest", *other], capture_output=True, text=True, timeout=60
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "another program listens there" in done.stderr
    assert "--port" in done.stderr


def test_what_was_acknowledged_before_a_kill_is_there_exactly_once(served, tmp_path):
    acknowledged = []

    def send(address, who):
        for n in range(10**6):
            ids = [f"{who:04x}{n:08x}{k:04x}" for k in range(20)]
            try:
                code, _ = ask(
                    address, "/v1/traces", as_json(f"{who:016x}{n:016x}", ids, 3000), JSON
                )
            except (OSError, HTTPException):  # killed before the answer, or in the middle of it
                return
            if code == 200:
                acknowledged.extend(ids)

    for round_ in range(2):
        with served() as server:
            threads = [
                threading.Thread(target=send, args=(server.address, round_ * 10 + n))
                for n in range(1, 5)
            ]
            for thread in threads:
                thread.start()
            time.sleep(0.4)
            server.process.kill()
            for thread in threads:
                thread.join()
    with served() as server:
        assert ask(server.address, "/health")[0] == 200
    there = stored(tmp_path / "s.db")
    assert len(acknowledged) >= 40
    assert len(there) == len(set(there))
    assert set(acknowledged) <= set(there)
    assert len(there) % 20 == 0  # no half of a request


def test_a_request_that_has_begun_is_finished_when_told_to_end(served, tmp_path):
    with served() as server:
        body = as_json("a" * 32, ["b" * 16])
        where = urlsplit(server.address)
        with socket.create_connection((where.hostname, where.port)) as line:
            head = f"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            line.sendall(head.encode() + body[:50])
            time.sleep(0.2)
            server.process.terminate()
            time.sleep(0.3)
            line.sendall(body[50:])
            assert line.recv(1000).startswith(b"HTTP/1.1 200 ")
        server.process.communicate(timeout=20)
        assert server.process.returncode == 0
    assert stored(tmp_path / "s.db") == ["b" * 16]


def test_a_full_disk_refuses_and_recovers(tmp_path):
    code = (
        "import resource, sys, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, resource.RLIM_INFINITY))\n"
        "from acidtest.cli import main\n"
        f"sys.argv = ['acidtest', 'serve', '--port', '0', '--store', {str(tmp_path / 's.db')!r}]\n"
        "main()\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        address = server.stdout.readline().split()[-1]
        codes, taken = [], []
        for n in range(1, 41):
            ids = [f"{n:015x}{k:x}" for k in range(8)]
            codes.append(ask(address, "/v1/traces", as_json(f"{n:032x}", ids, 30_000), JSON)[0])
            taken += ids if codes[-1] == 200 else []
        assert codes[0] == 200
        assert 503 in codes  # later ones are taken where the log was moved into the store meanwhile
        resource.prlimit(
            server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        )
        until = time.monotonic() + 10
        last = as_json("f" * 32, ["f" * 16])
        while (
            code := ask(address, "/v1/traces", last, JSON)[0]
        ) == 503 and time.monotonic() < until:
            time.sleep(0.1)
        assert code == 200
    finally:
        server.terminate()
        server.communicate(timeout=20)
    assert sorted(stored(tmp_path / "s.db")) == sorted([*taken, "f" * 16])


def hostile(rng):  # noqa: PLR0911 - one a kind
    """Bytes that no client of good will sends."""
    whole = as_json("a" * 32, ["b" * 16])
    post = b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\n"
    typed = post + b"Content-Type: application/json\r\n"
    kind = rng.randrange(14)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 3000))
    if kind == 1:
        return typed + b"Content-Length: 99999999999999999999\r\n\r\n{}"
    if kind == 2:
        return typed + b"Content-Length: -5\r\n\r\n{}"
    if kind == 3:
        return typed + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n"
    if kind == 4:
        return b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
    if kind == 5:
        return post + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 500) for n in range(500)) + b"\r\n"
    if kind == 6:
        deep = b"[" * 100_000
        return typed + b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep)
    if kind == 7:
        broken = bytearray(whole)
        for _ in range(rng.randrange(1, 8)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        return typed + b"Content-Length: %d\r\n\r\n%s" % (len(broken), bytes(broken))
    if kind == 8:
        junk = rng.randbytes(rng.randrange(5000))
        head = post + b"Content-Type: application/x-protobuf\r\nContent-Length: %d\r\n\r\n"
        return head % len(junk) + junk
    if kind == 9:
        return typed + b"Content-Encoding: gzip\r\nContent-Length: 30\r\n\r\n" + rng.randbytes(30)
    if kind == 10:
        return b"GET /runs/%ff%00%0a..%2f HTTP/1.1\r\nHost: localhost\r\nCookie: \xff\xfe=;\r\n\r\n"
    if kind == 11:
        return b"GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    if kind == 12:
        return b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50
    return typed + b"Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n" + whole[:100]


def throw(where, data):
    try:
        with socket.create_connection(where, timeout=2) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            while line.recv(65536):
                pass
    except OSError:
        pass


def test_hostile_bytes_never_take_it_down(served, tmp_path):
    rng = random.Random(11)
    with served() as server, ThreadPoolExecutor(20) as pool:
        where = urlsplit(server.address)
        for _ in pool.map(
            lambda data: throw((where.hostname, where.port), data),
            [hostile(rng) for _ in range(300)],
        ):
            pass
        assert server.process.poll() is None
        body = as_json("c" * 32, ["d" * 16])
        assert ask(server.address, "/v1/traces", body, JSON) == (200, b"{}")
        assert ask(server.address, "/health")[0] == 200
    assert "Traceback" not in (tmp_path / "served.err").read_text()
    assert "d" * 16 in stored(tmp_path / "s.db")


def test_an_address_and_headers_that_never_end_are_cut_off(served):
    with served() as server:
        where = urlsplit(server.address)
        for begin in (b"GET /", b"GET / HTTP/1.1\r\nX: "):
            with socket.create_connection((where.hostname, where.port)) as line:
                line.settimeout(10)
                answer = b""
                try:
                    line.sendall(begin)
                    for _ in range(64):
                        line.sendall(b"a" * (1 << 20))
                    answer = line.recv(1000)
                except OSError:
                    answer = b"cut off"
                assert answer in (b"", b"cut off") or answer.startswith(b"HTTP/1.1 4")
        assert ask(server.address, "/health")[0] == 200


@pytest.mark.parametrize("module", ["litestar", "uvicorn", "httptools", "opentelemetry.proto"])
def test_what_is_not_installed_is_named_with_its_extra(monkeypatch, tmp_path, module):
    for name in [
        name for name in sys.modules if name.partition(".")[0] == module.partition(".")[0]
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'acidtest\[server\]'"):
        command.main(["--store", str(tmp_path / "s.db")], standalone_mode=False)
