"""HTTP/1.1 as uvicorn speaks it, with an end to what a client may send outside of a body."""

import asyncio
from collections.abc import Sized
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

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


class _InTurn(FlowControl):
    """Reads no more of a connection as long as requests that came on it wait for their turn.

    uvicorn would go on with every request that it begins: who sends faster than is answered fills the memory.
    """

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        """Read on, if nothing waits."""
        if not self._waiting:
            super().resume_reading()


class BoundedProtocol(HttpToolsProtocol):
    """One connection. uvicorn would keep as much of addresses and headers as comes."""

    _moved = False
    _stray = 0
    _ignored = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a head."""
        super().connection_made(transport)
        self.flow = _InTurn(transport, self.pipeline)
        self._start_timer(_IDLE_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; the parser collects what is neither a whole head nor a piece of a body."""
        if self.transport.is_closing():
            return
        self._moved = False
        super().data_received(data)
        self._stray = 0 if self._moved else self._stray + len(data)
        if self._stray > _STRAY_BYTES:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        elif self._stray and self._timer is None:
            self._start_timer(_IDLE_S)  # the head of a further request has begun

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        if self.transport.is_closing():
            return
        if len(self.pipeline) >= _MOST_IN_LINE:
            self.transport.close()
            return
        self._moved = True
        self._ignored = 0
        self._start_timer(_BODY_S)
        # A body stays with the kernel until somebody has room for it and asks; uvicorn goes on then.
        self.flow.pause_reading()
        super().on_headers_complete()

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

    def on_message_complete(self) -> None:
        """End a request."""
        self._stop_timer()
        super().on_message_complete()

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
