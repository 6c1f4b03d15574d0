"""One connection at a time, on a transport that does not exist: what is read on, and when it ends."""

import asyncio
from weakref import ref

import pytest
import uvicorn
from uvicorn.server import ServerState

from acidtest.server import protocol
from acidtest.server.protocol import BoundedProtocol

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"


class Transport:
    def __init__(self):
        self.reading, self.closed, self.written = True, False, b""

    def get_extra_info(self, name):
        return None

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def is_closing(self):
        return self.closed

    def close(self):
        self.closed = True

    def write(self, data):
        self.written += data

    def get_write_buffer_size(self):
        return 0

    def abort(self):
        self.closed = True


class Application:
    """Answers when it is let."""

    def __init__(self):
        self.may, self.begun = asyncio.Semaphore(0), 0

    async def __call__(self, scope, receive, send):
        self.begun += 1
        while (await receive()).get("more_body"):
            pass
        await self.may.acquire()
        start = {"type": "http.response.start", "status": 200, "headers": []}
        await send(start | {"headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
async def line():
    app, transport = Application(), Transport()
    config = uvicorn.Config(app, http=BoundedProtocol, ws="none", lifespan="off", log_config=None)
    config.load()
    made = BoundedProtocol(config, ServerState(), {})
    made.connection_made(transport)
    yield made, transport, app
    transport.closed = True
    made.connection_lost(None)
    for task in list(made.tasks):
        task.cancel()
    await asyncio.gather(*made.tasks, return_exceptions=True)


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_nothing_more_is_read_while_requests_wait_for_their_turn(line):
    made, transport, app = line
    made.data_received(HEAD * 4)
    for answered in range(3):
        await settled()
        assert (app.begun, transport.reading) == (answered + 1, False)
        app.may.release()
    await settled()
    assert (app.begun, transport.reading) == (4, True)  # the last is heard out
    app.may.release()
    await settled()
    assert transport.written.count(b"200 OK") == 4
    assert transport.reading


async def test_a_request_takes_no_memory_once_it_is_answered(line):
    made, _transport, app = line
    made.data_received(BODY + b"12345")
    await settled()
    request = ref(made.cycle)
    app.may.release()
    await settled()
    made.data_received(HEAD)
    await settled()
    assert request() is None  # nor does it wait until garbage is looked for


async def test_who_sends_hundreds_of_requests_at_once_is_cut_off(line):
    made, transport, _app = line
    made.data_received(HEAD * 500)
    assert not transport.closed
    made.data_received(HEAD * 500 + BODY + b"12345")
    assert transport.closed
    assert len(made.pipeline) <= 500


@pytest.mark.parametrize(
    ("sent", "ends"),
    [
        ([HEAD, HEAD[:20]], True),
        ([BODY + b"12"], True),
        ([BODY + b"12", b"3"], True),
        ([HEAD], False),
    ],
)
async def test_a_connection_ends_when_the_rest_of_a_request_does_not_come(
    line, monkeypatch, sent, ends
):
    made, transport, app = line
    monkeypatch.setattr(protocol, "_IDLE_S", 0.05)
    monkeypatch.setattr(protocol, "_BODY_S", 0.05)
    app.may.release()
    for part in sent:
        made.data_received(part)
        await settled()
    await asyncio.sleep(0.1)
    assert transport.closed is ends
