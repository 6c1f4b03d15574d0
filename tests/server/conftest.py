"""Talking to an application without a network, and to a real server process."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acidtest.project.config import Config
from acidtest.server.app import create_app
from acidtest.server.settings import Settings
from acidtest.server.site import Site


class Answered(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Client:
    """Asks an ASGI application."""

    def __init__(self, app: Any, site: Site) -> None:
        self.app = app
        self.site = site
        self.cookies: dict[str, str] = {}

    async def __call__(
        self,
        method: str,
        path: str,
        body: bytes | list[bytes] = b"",
        *,
        length: int | None = None,
        pause_s: float = 0.0,
        **headers: str,
    ) -> Answered:
        given = {"host": "127.0.0.1:7373"} | {k.replace("_", "-"): v for k, v in headers.items()}
        if isinstance(body, bytes):
            given.setdefault("content-length", str(len(body)))
            body = [body]
        if length is not None:
            given["content-length"] = str(length)
        if self.cookies and "cookie" not in given:
            given["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        where, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": where,
            "raw_path": where.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(k.encode(), v.encode()) for k, v in given.items() if v],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 7373),
            "state": {},
        }
        events = [
            {"type": "http.request", "body": part, "more_body": n < len(body)}
            for n, part in enumerate(body, 1)
        ]
        sent: list[Any] = []

        async def receive() -> Any:
            if events:
                await asyncio.sleep(pause_s)
                return events.pop(0)
            await asyncio.sleep(3600)
            return None

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        if not sent:
            raise ConnectionError("no answer")
        told = [(k.decode().lower(), v.decode()) for k, v in sent[0]["headers"]]
        for key, value in told:
            if key == "set-cookie":
                name, _, rest = value.partition("=")
                self.cookies[name] = rest.partition(";")[0]
        parts = b"".join(message.get("body", b"") for message in sent[1:])
        return Answered(sent[0]["status"], told, parts)


@asynccontextmanager
async def alive(app: Any) -> AsyncIterator[None]:
    """Run the lifespan of an application."""
    inbox: asyncio.Queue[Any] = asyncio.Queue()
    outbox: asyncio.Queue[Any] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.create_task(app(scope, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        assert (await outbox.get())["type"] == "lifespan.shutdown.complete"
        await task


Opener = Callable[..., Any]


@pytest.fixture
def opened(tmp_path: Path) -> Opener:
    """Open an application: `async with opened(token=...) as client`."""

    @asynccontextmanager
    async def open_it(
        *, redact: Any = None, store: str = "", config: Config | None = None, **given: Any
    ) -> AsyncIterator[Client]:
        settings = Settings(store=store or str(tmp_path / "served.db"), **given)
        config = config or Config(folder=str(tmp_path))
        site = Site(settings, config)
        app = create_app(settings, config, site=site, redact=redact)
        async with alive(app):
            yield Client(app, site)

    return open_it


class Served(NamedTuple):
    address: str
    process: "subprocess.Popen[str]"


Starter = Callable[..., Any]


@pytest.fixture
def served(tmp_path: Path) -> Starter:
    """Start a real server: `with served("--token", "t") as server`."""

    @contextmanager
    def start(*options: str, **environment: str) -> Iterator[Served]:
        command = [sys.executable, "-m", "acidtest", "serve", "--port", "0"]
        with (tmp_path / "served.err").open("a") as errors:
            process = subprocess.Popen(
                [*command, "--store", str(tmp_path / "s.db"), *options],
                stdout=subprocess.PIPE, stderr=errors, text=True, cwd=tmp_path,
                env=os.environ | environment,
            )  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Serving on "), (tmp_path / "served.err").read_text()
            yield Served(line.split()[-1], process)
        finally:
            if process.poll() is None:
                process.terminate()
            process.communicate(timeout=30)

    return start
