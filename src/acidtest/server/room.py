"""Bounded memory: what all requests together may hold, handed out in the order of asking."""

import asyncio
from collections import deque

_MOST_WAITING = 512


class Room:
    """So many bytes, shared by all requests of one event loop.

    Args:
        size: The most that is out at a time.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.taken = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @property
    def waiting(self) -> int:
        """How many wait for room."""
        return len(self._waiting)

    def try_take(self, size: int) -> bool:
        """Take room if there is some and nobody waits for it; never waits."""
        if self._waiting or self.taken + size > self.size:
            return False
        self.taken += size
        return True

    async def take(self, size: int, patience_s: float) -> bool:
        """Take room, waiting for it if need be; False when none came in time, or too many wait."""
        if self.try_take(size):
            return True
        if size > self.size or len(self._waiting) >= _MOST_WAITING:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((size, turn))
        try:
            async with asyncio.timeout(patience_s):
                await turn
        except TimeoutError:
            if turn.cancelled():
                self._leave(turn)
                return False
        except BaseException:
            if turn.cancelled():
                self._leave(turn)
            else:  # the turn had come when whoever waited was stopped
                self.give(size)
            raise
        return True

    def give(self, size: int) -> None:
        """Give room back."""
        self.taken -= size
        self._hand_out()

    def _leave(self, turn: "asyncio.Future[None]") -> None:
        self._waiting = deque(each for each in self._waiting if each[1] is not turn)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting:
            size, turn = self._waiting[0]
            if turn.done():
                self._waiting.popleft()
            elif self.taken + size <= self.size:
                self._waiting.popleft()
                self.taken += size
                turn.set_result(None)
            else:
                return
