"""Recording answers: what arrives, and that the application never notices when nothing does."""

import http.server
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.traces import Trace
from acidtest.tracing import record as module
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_json
from acidtest.tracing.record import Recorder
from acidtest.tracing.understand.trace import understand


class Server(http.server.ThreadingHTTPServer):
    """A receiver of traces that answers as it is told to, and keeps what it got."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.wait = threading.Event()
        self.wait.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that did not wait for the answer."""

    def traces(self) -> dict[str, Trace]:
        found: dict[str, list[Any]] = {}
        for _, body in self.got:
            arrivals = read_json(body)
            assert not arrivals.refused, arrivals.why
            for span in arrivals.spans:
                whole = opened(span.form, span.body, arrivals.origins[span.origin])
                found.setdefault(span.trace_id, []).append(whole)
        return {name: understand(spans) for name, spans in found.items()}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.wait.wait(20)
        status, headers, answer = (
            self.server.answers.pop(0) if self.server.answers else (200, {}, b"{}")
        )
        if 200 <= status < 300:
            self.server.got.append(({**self.headers, "path": self.path}, body))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(answer))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield running
    running.wait.set()
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture
def recorders() -> Iterator[list[Recorder]]:
    made: list[Recorder] = []
    yield made
    for each in made:
        each.close(0.2)


@pytest.fixture
def recorder(server: Server, recorders: list[Recorder]) -> Recorder:
    recorders.append(Recorder(server.url, timeout_s=2))
    return recorders[0]


def test_an_answer_is_understood_as_it_was_recorded(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(
        question="How long?",
        answer="30 days.",
        contexts=[
            Chunk(id="c1", text="Within 30 days.", score=0.9, doc_id="d1", source="faq.md"),
            {"id": "c2", "text": "Or 60.", "score": 0.5, "metadata": {"page": 3}},
            "Just a text.",
            {"id": "c4"},
        ],
        session="s",
        user="u",
        model="m-1",
        usage={"input_tokens": 10, "output_tokens": 5, "cost_usd": 0.25},
        latency_ms={"retrieve": 100, "generate": 300, "total": 500},
        feedback=True,
        tags=["beta"],
        metadata={"shop": 7},
        prompt_version="v2",
    )
    assert recorder.flush()
    trace = server.traces()[trace_id]
    assert trace.missing == {}
    assert (trace.question, trace.answer) == ("How long?", "30 days.")
    assert trace.retrieved is not None
    assert [chunk.id for chunk in trace.retrieved] == ["c1", "c2", None, "c4"]
    assert [chunk.text for chunk in trace.retrieved] == [
        "Within 30 days.",
        "Or 60.",
        "Just a text.",
        None,
    ]
    assert [chunk.score for chunk in trace.retrieved] == [0.9, 0.5, None, None]
    assert trace.retrieved[0].doc_id == "d1"
    assert trace.retrieved[0].source == "faq.md"
    assert trace.retrieved[1].metadata["page"] == 3
    assert (trace.session, trace.user, trace.model) == ("s", "u", "m-1")
    assert trace.usage == Usage(input_tokens=10, output_tokens=5, cost_usd=0.25, model="m-1")
    assert trace.latency_ms == Latency(retrieve=100, generate=300, total=500)
    assert trace.tags == ("beta",)
    assert trace.metadata["shop"] == 7
    assert trace.prompt_version == "v2"
    (said,) = trace.feedback
    assert (said.name, said.score, said.good, said.by) == ("feedback", 1, True, "user")
    assert recorder.dropped == 0
    assert recorder.sent == 1


def test_what_was_not_told_is_missing(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(question="How long?", answer="30 days.")
    assert recorder.flush()
    trace = server.traces()[trace_id]
    assert set(trace.missing) == {"retrieved", "model", "usage", "latency"}
    assert trace.latency_ms is None


def test_nothing_found_is_told_apart_from_nothing_told(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(question="How long?", answer="I do not know.", contexts=[])
    assert recorder.flush()
    assert server.traces()[trace_id].retrieved == ()


def test_an_answer_that_failed(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(question="How long?", error="no index")
    assert recorder.flush()
    assert server.traces()[trace_id].error == "no index"


def test_feedback_comes_later_and_joins_its_answer(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(question="How long?", answer="30 days.", latency_ms=5)
    assert recorder.flush()
    recorder.feedback(trace_id, score=0, comment="It says 60.")
    recorder.feedback(trace_id.upper(), label="thumbs_down", name="thumbs")
    assert recorder.flush()
    trace = server.traces()[trace_id]
    assert trace.question == "How long?"
    assert trace.latency_ms == Latency(total=5)
    told = {each.name: each for each in trace.feedback}
    assert (told["feedback"].score, told["feedback"].comment) == (0, "It says 60.")
    assert [each.good for each in trace.feedback] == [False, False]
    assert told["thumbs"].label == "thumbs_down"
    assert not trace.notes


def test_contexts_of_other_kinds(server: Server, recorder: Recorder) -> None:
    class Document:
        page_content = "Within 30 days."
        metadata = {"id": "c1", "source": "faq.md"}  # noqa: RUF012

    trace_id = recorder.record(
        question="q", answer="a", contexts=(each for each in [Document(), 5])
    )
    other = recorder.record(question="q", answer="a", contexts=[{"odd": 1}, {"content": "c"}])
    assert recorder.flush()
    found = server.traces()[trace_id].retrieved
    assert found is not None
    assert [(chunk.id, chunk.text, chunk.source) for chunk in found] == [
        ("c1", "Within 30 days.", "faq.md"),
        (None, "5", None),
    ]
    found = server.traces()[other].retrieved
    assert found is not None
    assert [chunk.text for chunk in found] == ['{"odd": 1}', "c"]


def test_token_service_and_path_are_sent(
    server: Server, recorders: list[Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACIDTEST_TOKEN", "secret")
    monkeypatch.setenv("ACIDTEST_URL", f"{server.url}/v1/traces")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "shop")
    recorders.append(Recorder())
    trace_id = recorders[0].record(question="q")
    assert recorders[0].flush()
    ((headers, _),) = server.got
    assert headers["Authorization"] == "Bearer secret"
    assert headers["path"] == "/v1/traces"
    assert server.traces()[trace_id].service == "shop"


def test_the_module_keeps_one_recorder_for_each_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_recorders", {})
    monkeypatch.setenv("ACIDTEST_URL", server.url)
    trace_id = module.record(question="q", answer="a")
    module.feedback(trace_id, score=True)
    (only,) = module._recorders.values()
    assert only.flush()
    only.close()
    assert server.traces()[trace_id].feedback[0].good is True


def test_a_server_that_is_down_costs_the_application_nothing(
    recorders: list[Recorder], caplog: pytest.LogCaptureFixture
) -> None:
    recorders.append(Recorder("http://127.0.0.1:9", most=50))
    with caplog.at_level(logging.WARNING):
        began = time.perf_counter()
        ids = {recorders[0].record(question="q", answer="a") for _ in range(200)}
        took = time.perf_counter() - began
        assert not recorders[0].flush(0.2)
    assert len(ids) == 200
    assert took < 5
    assert 85 <= recorders[0].dropped <= 150  # up to 64 are on their way, and 50 may wait
    told = [each.message for each in caplog.records]
    assert len([each for each in told if "cannot be reached" in each]) == 1
    assert len([each for each in told if "more waits than may" in each]) == 1
    began = time.perf_counter()
    recorders[0].close(3)
    assert time.perf_counter() - began < 2.5
    assert recorders[0].dropped == 200


def test_what_waited_is_sent_once_the_server_is_up(server: Server, recorder: Recorder) -> None:
    server.answers += [(503, {"Retry-After": "0"}, b"full"), (429, {"Retry-After": "0"}, b"")]
    trace_id = recorder.record(question="q")
    assert recorder.flush()
    assert list(server.traces()) == [trace_id]
    assert (recorder.sent, recorder.dropped) == (1, 0)


def test_a_slow_server_holds_nobody_up(server: Server, recorders: list[Recorder]) -> None:
    server.wait.clear()
    recorders.append(Recorder(server.url, timeout_s=3))
    began = time.perf_counter()
    trace_id = recorders[0].record(question="q")
    assert time.perf_counter() - began < 2
    assert not recorders[0].flush(0.1)
    server.wait.set()
    assert recorders[0].flush()
    assert trace_id in server.traces()
    assert recorders[0].dropped == 0


def test_a_silent_server_counts_as_down(
    server: Server, recorders: list[Recorder], caplog: pytest.LogCaptureFixture
) -> None:
    server.wait.clear()
    recorders.append(Recorder(server.url, timeout_s=0.1))
    with caplog.at_level(logging.WARNING):
        trace_id = recorders[0].record(question="q")
        assert not recorders[0].flush(0.4)
        server.wait.set()
        assert recorders[0].flush()
    assert "the server cannot be reached: timed out" in caplog.text
    assert trace_id in server.traces()  # maybe twice: the same span is kept once
    assert recorders[0].dropped == 0


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((401, {}, b"Send the token"), "the server answered 401: Send the token"),
        ((400, {}, b"\xff"), "the server answered 400"),
        ((302, {"Location": "/"}, b""), "the server answered 302"),
    ],
)
def test_a_refusal_is_final_and_told_once(
    server: Server,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
    answer: tuple[int, dict[str, str], bytes],
    why: str,
) -> None:
    server.answers += [answer, answer]
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            recorder.record(question="q")
            assert recorder.flush()
    assert (recorder.sent, recorder.dropped) == (0, 2)
    (told,) = [each.message for each in caplog.records]
    assert why in told


def test_spans_that_the_server_left_out_are_told(
    server: Server, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    body = json.dumps({"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too long"}})
    server.answers.append((200, {}, body.encode()))
    with caplog.at_level(logging.WARNING):
        recorder.record(question="q")
        assert recorder.flush()
    assert recorder.dropped == 1
    assert "the server refused 2 spans: too long" in caplog.text


def test_a_connection_that_the_server_closed_is_opened_again(
    server: Server, recorder: Recorder
) -> None:
    server.answers.append((200, {"Connection": "close"}, b"{}"))
    for _ in range(3):
        recorder.record(question="q")
        assert recorder.flush()
    assert recorder.sent == 3


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    "odd",
    [
        {"question": Odd()},
        {"question": "q", "contexts": [Odd()]},
        {"question": "q", "contexts": 5},
        {"question": "q", "usage": {"input_tokens": "many"}},
        {"question": "q", "latency_ms": "soon"},
        {"question": "q", "latency_ms": float("nan")},
        {"question": "q", "feedback": Odd()},
    ],
)
def test_what_cannot_be_written_down_never_raises(
    recorder: Recorder, odd: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert len(recorder.record(**odd)) == 32
    assert recorder.dropped == 1
    assert "cannot be written down" in caplog.text


@pytest.mark.parametrize("odd", ["", "abc", "x" * 32, "1" * 31, None, 5])
def test_feedback_on_no_trace_never_raises(recorder: Recorder, odd: Any) -> None:
    recorder.feedback(odd, score=1)
    assert recorder.dropped == 1


def test_hostile_texts_arrive(server: Server, recorder: Recorder) -> None:
    trace_id = recorder.record(
        question="half \ud800 {0} %s",
        answer="<script>\0",
        contexts=["\udfff", {"text": "t", "score": float("nan")}],
        metadata={"n": 10**30, "odd": {1, 2}, "inf": float("inf")},
    )
    assert recorder.flush()
    trace = server.traces()[trace_id]
    assert trace.question == "half \ufffd {0} %s"
    assert trace.retrieved is not None
    assert trace.retrieved[0].text == "\ufffd"
    assert recorder.dropped == 0


def test_an_address_that_is_none_is_told(
    recorders: list[Recorder], caplog: pytest.LogCaptureFixture
) -> None:
    for address in ("localhost:7373", "ftp://a", "http://", "http://a:port"):
        recorders.append(Recorder(address))
        with caplog.at_level(logging.WARNING):
            recorders[-1].record(question="q")
            assert recorders[-1].flush()
            recorders[-1].record(question="q")
        assert recorders[-1].dropped == 2
    assert caplog.text.count("is no address of a server") == 4


def test_more_bytes_than_may_wait_are_dropped(
    server: Server, recorders: list[Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acidtest.tracing.recording.sender.MOST_BYTES", 5_000)
    recorders.append(Recorder(server.url))
    recorders[0].record(question="q" * 10_000)
    assert recorders[0].dropped == 1
    recorders[0].record(question="q")
    assert recorders[0].flush()
    assert recorders[0].sent == 1


def test_many_threads_record_at_once(server: Server, recorder: Recorder) -> None:
    def work() -> None:
        for _ in range(50):
            recorder.record(question="q", answer="a", contexts=["c"])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert recorder.flush(10)
    assert recorder.sent == 200
    assert len(server.traces()) == 200
    assert len(server.got) < 200  # several in one request


def run(code: str, server: Server) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "ACIDTEST_URL": server.url},
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_the_end_of_a_program_sends_what_waits(server: Server) -> None:
    code = "import acidtest as at; print(at.record(question='q', answer='a', contexts=['c']))"
    done = run(code, server)
    assert done.returncode == 0, done.stderr
    assert list(server.traces()) == [done.stdout.strip()]


def test_the_end_of_a_program_waits_for_no_server_long(server: Server) -> None:
    server.wait.clear()
    began = time.perf_counter()
    done = run("import acidtest as at; at.record(question='q')", server)
    assert done.returncode == 0
    assert "the program ended" in done.stderr
    assert time.perf_counter() - began < 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_worker_sends_its_own(server: Server) -> None:
    code = """
import os, acidtest as at
print(at.record(question="parent"), flush=True)
at.Recorder  # loaded before the fork
if os.fork() == 0:
    print(at.record(question="child"), flush=True)
    import sys
    sys.exit()
os.wait()
"""
    done = run(code, server)
    assert done.returncode == 0, done.stderr
    assert set(server.traces()) == set(done.stdout.split())
    assert len(server.traces()) == 2


def test_recording_imports_little(tmp_path: Path) -> None:
    code = """
import sys
import acidtest.tracing.record
heavy = {"numpy", "aiohttp", "sqlalchemy", "google.protobuf", "urllib.request", "polars"} & sys.modules.keys()
assert not heavy, heavy
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
