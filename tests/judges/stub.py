"""A model's endpoint on this machine, with scripted faults: `python tests/judges/stub.py --latency-ms 50`.

It speaks just enough HTTP/1.1 to break it on purpose: hang, cut the connection, never end. What it
replies is a script in tests; as a program it answers chat completions with an instance of the schema
that the request carries.
"""

import argparse
import asyncio
import contextlib
import functools
import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    """What the endpoint does with one request.

    `fault`: "hang" never answers, "cut" breaks off in the middle of the body, "endless" never stops.
    """

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = JSON
    fault: str = ""


@dataclass(frozen=True)
class Asked:
    """A request, as it came."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self):
        """The body, decoded."""
        return json.loads(self.raw)


Script = Reply | Callable[[Asked], Reply]


class Stub:
    """The endpoint: `script` is worked off one reply a request, the last one repeated."""

    def __init__(
        self, *script: Script, latency_s: float = 0.0, tls: ssl.SSLContext | None = None
    ) -> None:
        self.script = list(script)
        self.latency_s = latency_s
        self.tls = tls
        self.asked: list[Asked] = []
        self.in_flight = self.peak = self.connections = 0
        self.keep = True
        self._server: asyncio.Server | None = None
        self._open: set[_Connection] = set()

    async def start(self, port: int = 0) -> "Stub":
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Connection(self), "127.0.0.1", port, ssl=self.tls
        )
        return self

    @property
    def origin(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        self._server.close()
        for connection in list(self._open):
            connection.transport.abort()
        await self._server.wait_closed()

    def next(self, asked: Asked) -> Reply:
        if self.keep:
            self.asked.append(asked)
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return said(asked) if callable(said) else said


class _Connection(asyncio.Protocol):
    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        self.buffer = b""

    def connection_made(self, transport) -> None:
        self.transport = transport
        self.stub._open.add(self)
        self.stub.connections += 1

    def connection_lost(self, exc) -> None:
        self.stub._open.discard(self)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = self.buffer[:end].decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
        size = int(headers.get("content-length", 0))
        if len(self.buffer) < end + 4 + size:
            return
        raw, self.buffer = self.buffer[end + 4 : end + 4 + size], self.buffer[end + 4 + size :]
        method, path, _ = first.split(" ", 2)
        stub = self.stub
        stub.in_flight += 1
        stub.peak = max(stub.peak, stub.in_flight)
        reply = stub.next(Asked(method, path, headers, raw))
        if stub.latency_s:
            asyncio.get_running_loop().call_later(stub.latency_s, self._answer, reply)
        else:
            self._answer(reply)

    def _answer(self, reply: Reply) -> None:
        self.stub.in_flight -= 1
        if reply.fault == "hang" or self.transport.is_closing():
            return
        size = len(reply.body) + (1000 if reply.fault == "cut" else 0)
        lines = [f"HTTP/1.1 {reply.status} {'OK' if reply.status < 400 else 'Failed'}"]
        lines += [f"Content-Type: {reply.content_type}"]
        if reply.fault != "endless":
            lines += [f"Content-Length: {size}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + reply.body)
        if reply.fault == "cut":
            self.transport.close()
        if reply.fault == "endless":
            self._flood()

    def _flood(self) -> None:
        if not self.transport.is_closing():
            if self.transport.get_write_buffer_size() < 1_000_000:
                self.transport.write(b"x" * 1_000_000)
            asyncio.get_running_loop().call_soon(self._flood)


@contextlib.asynccontextmanager
async def serving(*script: Script, latency_s: float = 0.0):
    """Serve a script; give the endpoint."""
    stub = await Stub(*script, latency_s=latency_s).start()
    try:
        yield stub
    finally:
        await stub.stop()


class Threaded:
    """The endpoint in a thread of its own, for programs and for code that has a loop of its own."""

    def __init__(
        self, *script: Script, latency_s: float = 0.0, tls: ssl.SSLContext | None = None
    ) -> None:
        self.stub = Stub(*script, latency_s=latency_s, tls=tls)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)

    def __enter__(self):
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self.stub.start(), self.loop).result(10)
        self.url = f"{self.stub.origin}/v1"
        return self

    def __exit__(self, *_) -> None:
        asyncio.run_coroutine_threadsafe(self.stub.stop(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    @property
    def questions(self):
        """The bodies of all that was asked of the model."""
        return [asked.raw for asked in self.stub.asked if asked.method == "POST"]


def says(value, status: int = 200, **more) -> Reply:
    """Reply with JSON."""
    return Reply(json.dumps(value).encode(), status, **more)


def instance(schema: dict, defs: dict | None = None, name: str = "", place: int = 0):
    """Return the plainest value that fits a schema: items are numbered, nothing is quoted."""
    defs = schema.get("$defs", {}) if defs is None else defs
    if "$ref" in schema or "anyOf" in schema:
        chosen = schema["anyOf"][0] if "anyOf" in schema else defs[schema["$ref"].split("/")[-1]]
        return instance(chosen, defs, name, place)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        members = schema["properties"].items()
        return {name: instance(node, defs, name, place) for name, node in members}
    if kind == "array":
        count = schema.get("minItems", 1)
        return [instance(schema["items"], defs, name, n) for n in range(count)]
    text = "" if "quote" in name else "as it says"
    return {"integer": place + 1, "number": 1.0, "boolean": True, "null": None}.get(kind, text)


@functools.lru_cache
def _content(schema: bytes) -> str:
    return json.dumps(instance(json.loads(schema)))


def chat(asked: Asked) -> Reply:
    """Answer a chat completion with an instance of its schema."""
    body = msgspec.json.decode(asked.raw)
    content = _content(msgspec.json.encode(body["response_format"]["json_schema"]["schema"]))
    return says(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": f"{body['model']}-2026-11-01",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content, "refusal": None},
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": len(asked.raw) // 4,
                "completion_tokens": len(content) // 4,
                "total_tokens": (len(asked.raw) + len(content)) // 4,
                "prompt_tokens_details": {"cached_tokens": 0},
            },
        }
    )


def model(asked: Asked) -> Reply:
    """Answer as a server does that knows any model by name: its list of models is empty."""
    return chat(asked) if asked.method == "POST" else says({"object": "list", "data": []})


async def _serve(port: int, latency_s: float) -> None:
    stub = await Stub(model, latency_s=latency_s).start(port)
    stub.keep = False
    print(f"ready {stub.origin}", flush=True)  # noqa: T201 - a program
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency-ms", type=float, default=50.0)
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.port, options.latency_ms / 1000))
