"""Clients that announce and do not send, ask and do not read, come and say nothing: others get through."""

import contextlib
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.server.test_serve import JSON, as_json, ask

HEAD = b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


def line(address, received=0):
    """Open a connection."""
    where = urlsplit(address)
    made = socket.socket()
    if received:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
    made.settimeout(20)
    made.connect((where.hostname, where.port))
    return made


@contextmanager
def changed(tmp_path, code):
    """Start a server after some code, such as one that makes a patience short."""
    code += (
        "\nfrom acidtest.cli.serve import command\ncommand.main(['--port', '0', '--store', 's.db'])"
    )
    with (tmp_path / "err").open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE, stderr=errors, text=True, cwd=tmp_path,
        )  # fmt: skip
    try:
        yield server.stdout.readline().split()[-1]
        assert server.poll() is None, (tmp_path / "err").read_text()
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert (tmp_path / "err").read_text() == ""


def exported(address, body, seconds=10.0):
    """Send as exporters do: again, where it says so."""
    until = time.monotonic() + seconds
    while (code := ask(address, "/v1/traces", body, JSON)[0]) == 503 and time.monotonic() < until:
        time.sleep(0.2)
    return code


@pytest.mark.parametrize("sent", [0, 1, 20_000])
def test_who_announces_much_and_sends_little_keeps_nobody_out(served, sent):
    with served() as server, ExitStack() as stack:
        for _ in range(60):
            one = stack.enter_context(line(server.address))
            one.sendall(HEAD % 1_000_000 + b" " * sent)
        time.sleep(0.3)
        for n in range(5):
            body = as_json(f"{n:032x}", [f"{n:016x}"], 800_000)
            assert exported(server.address, body, 5.0) == 200


def test_a_slow_link_goes_on_among_those(served):
    body = as_json("a" * 32, ["b" * 16], 100_000)
    with served() as server, ExitStack() as stack:
        slow = stack.enter_context(line(server.address))
        slow.sendall(HEAD % len(body))
        for _ in range(60):
            one = stack.enter_context(line(server.address))
            one.sendall(HEAD % 1_000_000 + b" " * 20_000)
        for begin in range(0, len(body), 4_000):
            slow.sendall(body[begin : begin + 4_000])
            time.sleep(0.1)
        assert slow.recv(1000).startswith(b"HTTP/1.1 200 ")


def test_forms_take_room_too(served):
    form = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\r\n"
    with served() as server, ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(line(server.address)).sendall(form + b"a" * 600_000)
        time.sleep(0.5)
        metrics = ask(server.address, "/metrics")[1].decode()
        held = float(metrics.partition("\nacidtest_body_bytes ")[2].split()[0])
        assert 5e6 < held <= 16 << 20
        assert exported(server.address, as_json("a" * 32, ["b" * 16])) == 200


PAGE = b"GET /runs HTTP/1.1\r\nHost: localhost\r\n\r\n"
SPAN = as_json("a" * 32, ["b" * 16], 10)
EXPORT = HEAD % len(SPAN) + SPAN


def cut_off(one, data, seconds):
    """Send for some time, whatever comes back; say whether the connection was ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            one.sendall(data)
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize("request_", [PAGE, EXPORT], ids=["page", "export"])
def test_who_asks_and_never_reads_is_cut_off(tmp_path, request_):
    quick = "from acidtest.server import unread\nunread.UNREAD_S = 1.0"
    with changed(tmp_path, quick) as address, line(address, 4096) as one:
        assert cut_off(one, request_, 120)  # a busy machine: it takes some seconds
        assert ask(address, "/health")[0] == 200


def test_who_reads_slowly_gets_all(tmp_path):
    quick = "from acidtest.server import unread\nunread.UNREAD_S = 1.0"
    with changed(tmp_path, quick) as address, line(address, 16_384) as one:
        one.sendall(PAGE * 300)
        came = b""
        until = time.monotonic() + 60
        while came.count(b"</html>") < 300 and time.monotonic() < until:
            came += one.recv(32_768)
            time.sleep(0.02)
        assert came.count(b"HTTP/1.1 200 ") == 300


def test_connections_that_say_nothing_give_way_to_new_ones(tmp_path):
    few = "from acidtest.server import run\nrun.MOST = 20"
    with changed(tmp_path, few) as address, ExitStack() as stack:
        lines = [stack.enter_context(line(address)) for _ in range(40)]
        assert ask(address, "/health")[0] == 200
        with contextlib.suppress(ConnectionError):
            assert lines[0].recv(10) == b""  # the first is gone
        lines[-1].sendall(PAGE)
        assert lines[-1].recv(15).startswith(b"HTTP/1.1 200")


def test_hundreds_that_say_nothing_cost_little(served):
    with served() as server, ExitStack() as stack:
        assert ask(server.address, "/health")[0] == 200
        before = resident(server.process.pid)
        for _ in range(400):
            stack.enter_context(line(server.address))
        assert ask(server.address, "/health")[0] == 200
        assert resident(server.process.pid) - before < 400 * 40_000


def resident(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
