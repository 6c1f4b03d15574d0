"""How many calls one endpoint gets at once: as many as it bears, never more than allowed.

Additive increase, multiplicative decrease, as in TCP: the limit starts modestly and grows by one with
every success until the first 429 (so it doubles each round), by two a round afterwards; a 429
halves it, once for all calls that were in flight together. Rate-limit headers hold all starts back,
and so does `Retry-After` from the second 429 in a row on: a single one among answers concerns that
call alone.
"""

import asyncio
from collections import deque


class Limiter:
    """The calls in flight to one endpoint; shared by all that call it, within one event loop.

    Args:
        most: Never more in flight than this.
        start: The limit to begin with.
    """

    def __init__(self, most: int, *, start: int = 8) -> None:
        if most < 1:
            raise ValueError("a limiter needs room for at least one call")
        self.most = most
        self.in_flight = 0
        self._limit = float(min(start, most))
        self._throttled = False
        self._in_a_row = 0
        self._epoch = 0
        self._until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return int(self._limit)

    async def enter(self) -> int:
        """Wait for a place, first come first served, and take it; `leave` gives it back.

        Returns:
            A ticket, to be handed to `throttled`.
        """
        ticket = self.enter_now()
        if ticket is not None:
            return ticket
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._wake()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was given its place at that moment
                self.leave()
            raise
        return self._epoch

    def enter_now(self) -> int | None:
        """Take a place if there is one and nobody waits for it; None when there is none."""
        if self._waiting or not self._admits():
            return None
        self.in_flight += 1
        return self._epoch

    def leave(self) -> None:
        """Give a place back."""
        self.in_flight -= 1
        self._wake()

    def succeeded(self) -> None:
        """A call was answered: there may be room for more."""
        self._in_a_row = 0
        step = 2 / self._limit if self._throttled else 1.0
        # Only a limit that is used up says anything about a higher one.
        if self.in_flight >= self.limit:
            self._limit = min(float(self.most), self._limit + step)

    def throttled(self, ticket: int, pause_s: float | None = None) -> None:
        """A call was refused as one too many.

        Args:
            ticket: What `enter` gave that call: those that started before the limit was last halved
                do not halve it again.
            pause_s: What the endpoint asks to wait.
        """
        if ticket == self._epoch:
            self._epoch += 1
            self._throttled = True
            self._limit = max(1.0, min(self._limit, self.in_flight) / 2)
        self._in_a_row += 1
        if self._in_a_row > 1:
            self.hold(pause_s or 0.0)

    def hold(self, pause_s: float) -> None:
        """Start no call for so many seconds."""
        if pause_s > 0:
            self._until = max(self._until, asyncio.get_running_loop().time() + pause_s)

    def _admits(self) -> bool:
        return self.in_flight < self.limit and self._left() <= 0

    def _left(self) -> float:
        return self._until and self._until - asyncio.get_running_loop().time()

    def _wake(self) -> None:
        while self._waiting and self._admits():
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)
        if self._waiting and self._timer is None and (left := self._left()) > 0:
            self._timer = asyncio.get_running_loop().call_later(left, self._resume)

    def _resume(self) -> None:
        self._timer = None
        self._wake()
