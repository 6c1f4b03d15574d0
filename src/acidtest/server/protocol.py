"""HTTP/1.1 as uvicorn speaks it, with an end to what a client may send outside of a body."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_STRAY_BYTES = 64 << 10
"""The most of addresses, headers and framing that may come in a row."""

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

    _moved = False
    _stray = 0
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

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        self._moved = True
        self._ignored = 0
        self._stop_timer()
        # A body stays with the kernel until somebody has room for it and asks; uvicorn goes on then.
        self.flow.pause_reading()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._moved = True
        cycle: Any = self.cycle
        if cycle.response_complete:
            self._ignored += len(body)
            if self._ignored > _IGNORED_BYTES:
                self.transport.close()
            return
        super().on_body(body)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
