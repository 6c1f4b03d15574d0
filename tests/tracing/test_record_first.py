"""The first answer that a program records: it waits for no import, and nothing is lost however the program goes on."""

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from acidtest.data.traces import Trace
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_json
from acidtest.tracing.recording.service import service_name
from acidtest.tracing.understand.trace import understand


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[bytes] = []

    def traces(self) -> dict[str, Trace]:
        found: dict[str, list[Any]] = {}
        for body in self.got:
            arrivals = read_json(body)
            for span in arrivals.spans:
                whole = opened(span.form, span.body, arrivals.origins[span.origin])
                found.setdefault(span.trace_id, []).append(whole)
        return {name: understand(spans) for name, spans in found.items()}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        self.server.got.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def run(code: str, server: Server, **more: str) -> list[str]:
    environ = {k: v for k, v in os.environ.items() if not k.startswith("OTEL_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environ, "ACIDTEST_URL": f"http://127.0.0.1:{server.server_address[1]}", **more},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.split()


def test_the_applications_thread_imports_nothing_that_sending_needs(server: Server) -> None:
    code = """
import sys, threading
import acidtest as at
seen = {}
class Watching:
    def find_spec(self, name, path=None, target=None):
        seen.setdefault(name, threading.current_thread() is threading.main_thread())
sys.meta_path.insert(0, Watching())
before = set(sys.modules)
print(at.record(question="q", answer="a", contexts=["c"], usage={"input_tokens": 3}))
mine = {name for name, main in list(seen.items()) if main} - before
assert not mine & {"msgspec", "http.client", "ssl", "logging", "acidtest.data.answers"}, mine
assert mine <= {
    "_weakrefset", "importlib", "threading", "atexit", "weakref", "contextvars",
    "acidtest.tracing", "acidtest.tracing.record", "acidtest.tracing.recording",
    *(f"acidtest.tracing.recording.{n}" for n in ("kept", "loading", "sender", "service")),
}, mine
"""
    (trace_id,) = run(code, server)
    (trace,) = server.traces().values()
    assert (trace.id, trace.answer, trace.usage.input_tokens) == (trace_id, "a", 3)


def test_what_is_changed_later_is_sent_as_it_was(server: Server) -> None:
    code = """
import acidtest as at
class Document:
    page_content, metadata, id = "was", {"source": "s"}, "d1"
document, said = Document(), {"score": 1, "comment": "good"}
contexts = [document, {"text": "t1", "metadata": {"url": "u"}}]
at.record(question="q", contexts=contexts, feedback=said, tags=(t for t in ["x"]))
document.page_content, contexts[1]["text"] = "is", "t2"
contexts.clear()
said.clear()
"""
    run(code, server)
    (trace,) = server.traces().values()
    assert [chunk.text for chunk in trace.retrieved] == ["was", "t1"]
    assert trace.tags == ("x",)
    assert [given.comment for given in trace.feedback] == ["good"]


def test_many_threads_at_once_and_the_end_of_the_program(server: Server) -> None:
    code = """
import sys, threading
import acidtest as at
def some(n):
    for i in range(20):
        sys.stdout.write(at.record(question=f"{n} {i}") + "\\n")
threads = [threading.Thread(target=some, args=(n,)) for n in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
"""
    ids = run(code, server)
    assert len(ids) == 160
    assert set(server.traces()) == set(ids)


def test_a_loop_goes_on_and_feedback_comes_at_once(server: Server) -> None:
    code = """
import asyncio
import acidtest as at
async def ask(n):
    trace_id = at.record(question=str(n))
    await asyncio.sleep(0)
    at.feedback(trace_id, score=0)
    print(trace_id)
async def main():
    await asyncio.gather(*(ask(n) for n in range(30)))
asyncio.run(main())
"""
    ids = run(code, server)
    found = server.traces()
    assert set(found) == set(ids)
    assert all([given.good for given in trace.feedback] == [False] for trace in found.values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_children_that_are_forked_at_once_can_import_and_send(server: Server) -> None:
    code = """
import os, sys
import acidtest as at
print(at.record(question="parent"), flush=True)
for n in range(4):
    if os.fork() == 0:
        import msgspec, http.client
        print(at.record(question=f"child {n}"), flush=True)
        sys.exit()
for n in range(4):
    assert os.wait()[1] == 0
"""
    ids = run(code, server)
    assert len(ids) == 5
    assert set(server.traces()) == set(ids)


def test_what_cannot_be_written_down_is_counted_and_the_others_are_sent(server: Server) -> None:
    code = """

import logging; logging.disable()
import acidtest as at
recorder = at.Recorder()
recorder.record(question="q", usage={"input_tokens": "many"})
print(recorder.record(question="good"))
assert recorder.flush(30)
assert (recorder.sent, recorder.dropped) == (1, 1), (recorder.sent, recorder.dropped)
"""
    assert run(code, server) == list(server.traces())


def test_a_service_that_is_not_named_is_called_by_its_program(server: Server) -> None:
    code = (
        "import sys; sys.argv = ['bin/answer.py']; import acidtest as at; at.record(question='q')"
    )
    run(code, server)
    run(code, server, OTEL_SERVICE_NAME="shop")
    run("import acidtest as at; at.record(question='q')", server)
    told = [trace.service for trace in server.traces().values()]
    assert told == ["unknown_service:answer", "shop", None]


@pytest.mark.parametrize(
    ("environ", "argv", "name"),
    [
        ({}, ["/srv/app/answer.py"], "unknown_service:answer"),
        ({}, ["C:\\srv\\answer.py"], "unknown_service:answer"),
        ({}, ["/usr/bin/gunicorn", "app:app"], "unknown_service:gunicorn"),
        ({}, ["/site-packages/uvicorn/__main__.py"], "unknown_service:uvicorn"),
        ({}, ["-c"], "unknown_service:python"),
        ({}, [""], "unknown_service:python"),
        ({}, [], "unknown_service:python"),
        ({"OTEL_SERVICE_NAME": " "}, ["a.py"], "unknown_service:a"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "a=b, service.name=my%20shop"}, ["a.py"], "my shop"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=x", "OTEL_SERVICE_NAME": "y"}, [], "y"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name"}, ["a.py"], "unknown_service:a"),
    ],
)
def test_names_of_services(environ, argv, name) -> None:
    assert service_name(environ, argv) == name
