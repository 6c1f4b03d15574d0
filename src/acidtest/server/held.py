"""The room that one request holds while its body comes, and what it must do to keep it.

Room for the whole body is taken once its beginning is there, so that what has begun is finished. But what
is announced and does not come holds none for long: as long as others wait, room for what has not come is
given back after a moment, and who sends next to nothing is sent away. A slow client that goes on sending
keeps what it has sent, and takes more as it comes.
"""

import asyncio
import time
from typing import Self

from acidtest.server.refusal import UNAVAILABLE, Refused, busy
from acidtest.server.room import Room

EARNEST = 16 << 10
"""Bytes of a body that must be there before room is held for the rest of it."""

_PROMPT_S = 0.25
"""For how long room is held for what has not come, where others wait."""

_STALLED_S = 2.0
_LEAST = 2 << 10
"""Bytes that must come in that time, where others wait."""


class Held:
    """Room that one request holds, and gives back when it is done; use it as a context.

    Args:
        room: Shared by all requests.
        patience_s: For how long to wait for it.
    """

    def __init__(self, room: Room, patience_s: float) -> None:
        self._room = room
        self._patience_s = patience_s
        self._size = 0
        self._came = 0
        self._whole = 0
        self._limit: asyncio.Timeout | None = None
        self._asking = False
        self._slow = False
        self._since = (0.0, 0)

    def begin(self, whole: int, limit: asyncio.Timeout) -> None:
        """Begin to hold what comes.

        Args:
            whole: How much is announced; 0 where that is not known.
            limit: Ends the reading; whoever is too slow is ended by it earlier.
        """
        self._whole, self._limit = whole, limit
        self._since = time.monotonic(), 0
        self._room.holders[self] = None

    def end(self) -> None:
        """All is there: from here on nobody is too slow."""
        self._room.holders.pop(self, None)
        self._limit = None

    async def grow_to(self, came: int) -> None:
        """Hold at least what has come.

        Raises:
            Refused: There is no room for it.
        """
        self._came = came
        if came <= self._size:
            return
        begun = self._size > 0
        size = came
        if not begun and came < self._whole:
            if came < EARNEST:
                return  # as little as the head may be
            size = self._whole
        self._asking, asked = True, time.monotonic()
        try:
            if not await self._room.take(size - self._size, self._patience_s, begun=begun):
                raise busy()
        finally:
            self._asking = False
        self._size = size
        # What it waited here is not its fault.
        at, seen = self._since
        now = time.monotonic()
        self._since = (at + now - asked, seen) if begun else (now, came)

    def look(self) -> None:
        """Give back what was held in vain, and end who sends next to nothing."""
        if self._asking:
            return
        at, came = self._since
        waited = time.monotonic() - at
        if waited >= _PROMPT_S and self._size > self._came:
            held, self._size = self._size, self._came
            self._room.give(held - self._came)
        if waited >= _STALLED_S:
            if self._came - came < _LEAST and self._limit is not None:
                self._slow = True
                self._limit.reschedule(asyncio.get_running_loop().time())
            self._since = time.monotonic(), self._came

    def too_slow(self) -> Refused | None:
        """Return the refusal of who was ended for the others; None of who had all the time there is."""
        if not self._slow:
            return None
        return Refused(
            503, UNAVAILABLE, "the body comes too slowly while others wait; try again", 5
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        given, self._size = self._size, 0
        self._room.give(given)
