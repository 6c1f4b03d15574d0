"""Running the server until it is told to stop: what was begun is finished, and nothing acknowledged is lost."""

import asyncio
import contextlib
import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn

from acidtest.errors import UsageError
from acidtest.server.asgi import App
from acidtest.server.protocol import MOST, BoundedProtocol, Limited
from acidtest.server.settings import Settings
from acidtest.server.unread import end_unread

_GRACE_S = 10
"""For how long requests that have begun may go on after the signal to stop."""

_KEEP_ALIVE_S = 75
"""Longer than the pauses of exporters between batches."""

_RECEIVED_BYTES = 64 << 10
"""What the kernel holds of one connection: as much is in memory of each that waits for room, and as much is on
its way at a time, 640 kB a second where that takes 100 ms. Where there are many connections, see
`acidtest.server.protocol`."""

_SENT_BYTES = 256 << 10
"""What the kernel holds of answers that a client does not read."""

_OTHER_FILES = 200
_TICKS = 10  # of a tenth of a second

_SWITCH_S = 0.0005
"""How soon a thread that decodes gives way to the loop, and the loop to one that stores."""


def bound(settings: Settings) -> socket.socket:
    """Return a socket that listens where the settings say.

    Raises:
        UsageError: That is not possible: another program has the port, or the host is not this one.
    """
    host, port = settings.host.strip("[]"), settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVED_BYTES)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_BYTES)
            listener.bind(address)
            listener.listen(1024)
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise UsageError(
            "another program listens there" if taken else f"cannot listen there: {error}",
            where=f"{host}:{port}",
            fix="Choose another one with --port, or 0 for any that is free."
            if taken
            else "Choose an address of this machine with --host.",
        ) from error
    return listener


def address_of(listener: socket.socket, host: str) -> str:
    """Return the URL that a listener answers at."""
    port = listener.getsockname()[1]
    name = host.strip("[]")
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def serve(app: App, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        app: What answers.
        listener: Where it listens.
        ready: Called once it answers.
    """
    config = Limited(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    config.limit_connections = _connections()
    sys.setswitchinterval(_SWITCH_S)
    _Server(config, ready).run(sockets=[listener])


def _connections() -> int:
    """Return how many connections to allow: each takes a file, and the store needs some, too."""
    try:
        import resource
    except ModuleNotFoundError:  # of Unix
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft == resource.RLIM_INFINITY else max(min(MOST, soft - _OTHER_FILES), 16)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            end_unread(list(self.server_state.connections), now)  # type: ignore[arg-type] # ours
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn would send the signal to itself again at the end; to stop when told to is a success.
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread is sent signals: who started this one stops it
            return
        loop = asyncio.get_running_loop()
        both = (signal.SIGINT, signal.SIGTERM)
        for each in both:
            loop.add_signal_handler(each, self._stop)
        try:
            yield
        finally:
            for each in both:
                loop.remove_signal_handler(each)

    def _stop(self) -> None:
        self.should_exit = True
