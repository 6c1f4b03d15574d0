"""HTTP/1.1 as uvicorn speaks it, with an end to what a client may send outside of a body."""

import asyncio
import socket
from collections.abc import Callable
from heapq import nsmallest
from typing import Any
from weakref import ref

import httptools
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from acidtest.server.lingering import Lingering
from acidtest.server.unread import Unread
from acidtest.server.upgrade import without_upgrade

_STRAY_BYTES = 64 << 10
"""The most of addresses, headers and framing that may come in a row."""

_IDLE_S = 30.0
"""For how long a client may take to send a request's head."""

_BODY_S = 60.0
"""For how long it may take to send a body to those who do not look at the time themselves."""

_IGNORED_BYTES = 64 << 20
"""How much of a body is thrown away after the answer, before the connection is closed."""

_MOST_IN_LINE = 500
"""Requests that may wait for their turn on one connection; one that sends more at once is closed."""

_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)

_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"retry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)

_AHEAD_BYTES = 64 << 10
"""How much of a body may come before anybody asks for it: the less, the longer all of it takes."""

_NARROW_BYTES = 32 << 10

_FEW = 32
"""Connections that may be ahead; where there are more, little is held of each."""

MOST = 2_000
"""Connections at a time; a further one takes the place of one that is idle for longest."""

_SOME = 20
"""One in so many is ended at a time."""


class Limited(uvicorn.Config):
    """How to run, with a limit of its own to connections, where the system allows fewer."""

    limit_connections = MOST


class _InTurn(FlowControl):
    """Reads no more of a connection as long as something that came on it waits for its turn.

    uvicorn would go on with every request that it begins, and with every piece of a body that it hands on: who
    sends faster than is answered fills the memory.
    """

    def __init__(self, transport: asyncio.Transport, waits: Callable[[], bool]) -> None:
        super().__init__(transport)
        self._waits = waits

    def resume_reading(self) -> None:
        """Read on, if nothing waits."""
        if not self._waits():
            super().resume_reading()


def _narrow(transport: asyncio.Transport) -> None:
    """Let the kernel hold less of a connection, where there are many of them."""
    connected = transport.get_extra_info("socket")
    if connected is not None and connected.family in (socket.AF_INET, socket.AF_INET6):
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _NARROW_BYTES)


class BoundedProtocol(HttpToolsProtocol):
    """One connection. uvicorn would keep as much of addresses and headers as comes."""

    unread: Unread
    idle_since: float | None = None
    """Since when it waits for a request; None while one is answered."""

    _in_body = False
    _offered = False
    _ends = False
    _moved = False
    _stray = 0
    _ignored = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a head."""
        super().connection_made(transport)
        self.flow = _InTurn(transport, self._waits)
        self.idle_since = self.loop.time()
        self.unread = Unread(transport, self.idle_since)
        self._start_timer(_IDLE_S)
        if len(self.connections) > _FEW:
            _narrow(transport)
        most = self.config.limit_connections if isinstance(self.config, Limited) else MOST
        if len(self.connections) > most:
            self._make_room(most)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; the parser collects what is neither a whole head nor a piece of a body."""
        if self.transport.is_closing():
            return
        self._moved = False
        self._unset_keepalive_if_required()
        self._parse(data)
        self._stray = 0 if self._moved else self._stray + len(data)
        if self._stray > _STRAY_BYTES:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        elif self._stray and self._timer is None:
            self._start_timer(_IDLE_S)  # the head of a further request has begun

    def _parse(self, data: bytes) -> None:
        while data and not self.transport.is_closing():
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                # Another protocol is offered, as Java's client and curl do with whatever they send. The parser
                # would take the body for that protocol: it reads the head again, without the offer.
                data = (
                    without_upgrade(self.parser, self.url, self.headers) + data[upgrade.args[0] :]
                )
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            except httptools.HttpParserError:
                self.send_400_response("Invalid HTTP request received.")
            else:
                return

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._in_body = self._offered = False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what comes behind a body is none, whatever it says."""
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        if self.transport.is_closing():
            return
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT":
            self._offered = True
            return
        self._in_body = True
        if len(self.pipeline) >= _MOST_IN_LINE:
            self.transport.close()
            return
        self._moved = True
        self.idle_since = None
        self._ignored = 0
        self._start_timer(_BODY_S)
        # A body stays with the kernel until somebody has room for it and asks; uvicorn goes on then.
        if not self._ahead():
            self.flow.pause_reading()
        super().on_headers_complete()
        cycle: Any = self.cycle
        if not self.expect_100_continue:  # who waits for that may never send the rest
            # A cycle that held itself would keep its body until garbage is looked for.
            held = ref(cycle)
            cycle.transport = Lingering(
                self.transport, lambda: bool((c := held()) and c.more_body), self._end_later
            )

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        if self.transport.is_closing():
            return
        self._moved = True
        cycle: Any = self.cycle
        if cycle.response_complete:
            self._ignored += len(body)
            if self._ignored > _IGNORED_BYTES:
                self.transport.close()
            return
        super().on_body(body)
        if len(cycle.body) >= self._ahead():
            self.flow.pause_reading()  # the rest stays there, too, until it is asked for

    def on_message_complete(self) -> None:
        """End a request."""
        if self._offered:
            return
        self._stop_timer()
        super().on_message_complete()
        if self._ends:
            self.transport.close()

    def on_response_complete(self) -> None:
        """Forget what of the body nobody asked for, and go on."""
        cycle: Any = self.cycle
        if cycle.response_complete:
            cycle.body = bytearray()
            self.idle_since = self.loop.time()
        super().on_response_complete()

    def resume_writing(self) -> None:
        """Go on writing: the client reads."""
        self.unread.drained()
        super().resume_writing()

    def _make_room(self, most: int) -> None:
        """End those that have waited longest for a request, some at a time; where all are busy, this one."""
        others = [
            each
            for each in self.connections
            if isinstance(each, BoundedProtocol) and not each.transport.is_closing()
        ]
        if len(others) <= most:
            return  # what was ended is not gone yet
        idle = [
            (each.idle_since, id(each), each)
            for each in others
            if each.idle_since is not None and each is not self
        ]
        for _, _, each in nsmallest(most // _SOME + 1, idle):
            each.transport.abort()
        if not idle:
            self.transport.write(_TOO_MANY)
            self.transport.close()

    def _end_later(self) -> None:
        self._ends = True  # with the request, or with the time that it has

    def _ahead(self) -> int:
        return _AHEAD_BYTES if len(self.connections) <= _FEW else 0

    def _waits(self) -> bool:
        cycle: Any = self.cycle
        there = cycle is not None and not cycle.response_complete and bool(cycle.body)
        return bool(self.pipeline) or there

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
