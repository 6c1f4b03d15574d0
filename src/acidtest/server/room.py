"""Bounded memory: what all requests together may hold, handed out in the order of asking.

Who has begun comes before who is new: else all would have a part, and none would get the whole.
"""

import asyncio
from collections import deque
from typing import Protocol

_MOST_WAITING = 512

LOOK_S = 0.25
"""How often those that hold room are looked at as long as others wait for it."""


class Holder(Protocol):
    """Who holds room for what is still to come."""

    def look(self) -> None:
        """Give back what is held in vain, or end; called while others wait."""


class Room:
    """So many bytes, shared by all requests of one event loop.

    Args:
        size: The most that is out at a time.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.taken = 0
        self.holders: dict[Holder, None] = {}
        self._begun: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._new: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._looking: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many wait for room."""
        return len(self._begun) + len(self._new)

    def try_take(self, size: int, *, begun: bool = False) -> bool:
        """Take room if there is some and nobody waits before; never waits."""
        if self._begun or (self._new and not begun) or self.taken + size > self.size:
            return False
        self.taken += size
        return True

    async def take(self, size: int, patience_s: float, *, begun: bool = False) -> bool:
        """Take room, waiting for it if need be; False when none came in time, or too many wait.

        Args:
            size: How much.
            patience_s: For how long to wait.
            begun: For more of what is held already.
        """
        if self.try_take(size, begun=begun):
            return True
        if size > self.size or self.waiting >= _MOST_WAITING:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._begun if begun else self._new).append((size, turn))
        self._look_later()
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
        for line in (self._begun, self._new):
            left = [each for each in line if each[1] is not turn]
            line.clear()
            line.extend(left)
        self._hand_out()

    def _hand_out(self) -> None:
        while line := self._begun or self._new:
            size, turn = line[0]
            if turn.done():
                line.popleft()
            elif self.taken + size <= self.size:
                line.popleft()
                self.taken += size
                turn.set_result(None)
            else:
                return

    def _look_later(self) -> None:
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        self._looking = None
        for holder in list(self.holders):
            if not self.waiting:
                return
            holder.look()
        if self.waiting:
            self._look_later()
