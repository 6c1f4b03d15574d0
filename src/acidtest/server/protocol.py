"""HTTP/1.1 as uvicorn speaks it, with an end to what a client may send outside of a body."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD_BYTES = 64 << 10
_IDLE_S = 30.0
"""For how long a new connection may take to send a request's head."""

_IGNORED_BYTES = 64 << 20
"""How much of a body is thrown away after the answer, before the connection is closed."""

_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class BoundedProtocol(HttpToolsProtocol):
    """One connection. uvicorn would keep as much of addresses and headers as comes."""

    _head = 0
    _ignored = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a head."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(_IDLE_S, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_timer()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address."""
        if self._fits(len(url)):
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        if self._fits(len(name) + len(value) + 64):  # an empty one takes room too
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        self._stop_timer()
        if self._head <= _HEAD_BYTES:
            self._ignored = 0
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        cycle: Any = self.cycle
        if self._head > _HEAD_BYTES or cycle is None:
            return
        if cycle.response_complete:
            self._ignored += len(body)
            if self._ignored > _IGNORED_BYTES:
                self.transport.close()
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        if self._head <= _HEAD_BYTES:
            super().on_message_complete()

    def _fits(self, size: int) -> bool:
        before = self._head
        self._head += size
        if self._head <= _HEAD_BYTES:
            return True
        if before <= _HEAD_BYTES:
            self.transport.write(_TOO_LONG)
            self.transport.close()
        return False

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
