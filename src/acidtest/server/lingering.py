"""Closing a connection once the request is read: before that, the client would never see the answer.

A socket that is closed with something unread in it resets the connection, and a reset makes the client's kernel
throw away what it has received (RFC 9112, section 9.6). Who is told that the request is too large would see a
broken connection instead, and send it again.
"""

import asyncio
from collections.abc import Callable


class Lingering:
    """What an answer is written to; closing it waits for the rest of the request.

    Args:
        transport: The connection.
        reading: Says whether the client is still sending its request.
        put_off: Called where the end is put off; the connection is closed by whoever reads the rest.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        reading: Callable[[], bool],
        put_off: Callable[[], None],
    ) -> None:
        self._transport = transport
        self._reading = reading
        self._put_off = put_off

    def write(self, data: bytes) -> None:
        """Send."""
        self._transport.write(data)

    def close(self) -> None:
        """Close, now or when the request is read."""
        if self._reading() and not self._transport.is_closing():
            self._put_off()
        else:
            self._transport.close()

    def is_closing(self) -> bool:
        """Say whether it is closed."""
        return self._transport.is_closing()
