"""Answers that nobody reads: how long they are kept for a client, and how much of all together.

A client that sends requests and reads no answers, or next to nothing of them, would keep memory and handlers
for as long as it likes. A slow one that goes on reading has all the time it needs.
"""

import asyncio
from collections.abc import Iterable
from typing import Protocol

UNREAD_S = 30.0
"""For how long a client may read less than `_LEAST` bytes of what waits for it."""

_LEAST = 32 << 10

MOST_UNREAD = 64 << 20
"""Bytes of answers that may wait for all clients together."""


class Unread:
    """What waits for the client of one connection.

    Args:
        transport: The connection.
        now: The time, as of a clock that never goes back.
    """

    def __init__(self, transport: asyncio.Transport, now: float) -> None:
        self._transport = transport
        self._read_at = now
        self._most = 0
        self._drained = False

    def drained(self) -> None:
        """Note that the client has read nearly all that waited for it."""
        self._drained = True

    def look(self, now: float) -> int:
        """End the connection if its client does not read; return how many bytes wait."""
        waits = self._transport.get_write_buffer_size()
        if waits == 0 or self._drained or waits <= self._most - _LEAST:
            self._read_at, self._most, self._drained = now, waits, False
        elif now - self._read_at > UNREAD_S:
            self._transport.abort()
            return 0
        self._most = max(self._most, waits)
        return waits

    def end(self) -> None:
        """End the connection, whatever waits."""
        self._transport.abort()


class Connection(Protocol):
    """What is known of a connection."""

    unread: Unread


def end_unread(connections: Iterable[Connection], now: float) -> None:
    """End connections whose clients do not read; where too much waits, those that most waits for."""
    waiting = [(each.unread.look(now), each.unread) for each in connections]
    total = sum(size for size, _ in waiting)
    if total <= MOST_UNREAD:
        return
    for size, unread in sorted(waiting, key=lambda each: -each[0]):
        unread.end()
        total -= size
        if total <= MOST_UNREAD:
            return
