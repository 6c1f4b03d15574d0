"""Asking an endpoint again, within limits: pauses that grow, with jitter, and two deadlines.

Full jitter (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/): the
n-th pause is drawn evenly from half to all of `first_s * 2 ** n`, at most `most_s`; `Retry-After`
is obeyed where it is longer. A place at the limiter is held only while a call is in flight.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

from msgspec import Struct

from acidtest.errors import JudgeError
from acidtest.judges.backend import Backend, Completion, Request, Throttled, Unreachable
from acidtest.judges.circuit import Circuit, EndpointGone, ShutOut
from acidtest.judges.limit import Limiter

Got = TypeVar("Got")


class Patience(Struct, frozen=True, kw_only=True):
    """How long to insist.

    Attributes:
        attempts: How often one call is tried when the endpoint does not answer. Being told to slow
            down is no failure and has no count, only the deadline.
        first_s: The first pause.
        most_s: The longest pause, where the endpoint names none.
        call_s: Deadline of one call: its attempts and pauses together. Waiting for a place at the
            limiter is not counted.
        run_s: Deadline of all calls, from the first one on; None for no deadline.
    """

    attempts: int = 7
    first_s: float = 0.5
    most_s: float = 30.0
    call_s: float = 600.0
    run_s: float | None = None


PATIENCE = Patience()

DOUBT_S = 2.0
"""The pause of all calls to an endpoint that has not answered several in a row."""


class OutOfTime(JudgeError):  # noqa: N818 - says what is wrong
    """The run's deadline has passed: no further call is made."""

    ends_run = True


class _Failed(Struct, frozen=True):
    """What came of an attempt, and how long it took, without waiting for a place."""

    error: JudgeError
    seconds: float


class Deadline:
    """When the run's calls must end; the clock starts with the first of them.

    Args:
        seconds: How long they may take together; None for no deadline.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._ends: float | None = None

    def ends(self) -> float | None:
        """Return when, by the event loop's clock."""
        if self._ends is None and self.seconds is not None:
            self._ends = _now() + self.seconds
        return self._ends

    def over(self, where: str) -> OutOfTime:
        """Return the error that it has passed.

        Args:
            where: Who was to be asked.
        """
        return OutOfTime(
            f"the {self.seconds:g} s that the run's calls may take are over",
            where=where,
            fix="Run the same command again: what was answered is kept.",
        )


class Tries:
    """What all calls to one endpoint share: its limiter, its circuit, the run's deadline.

    Args:
        endpoint: Its origin, for messages.
        limiter: How many at once; None for no limit.
        circuit: Whether it is there; by default a new one.
        patience: How long to insist.
        rng: Where jitter comes from.
        deadline: Shared with other endpoints; by default its own, by `patience`.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        limiter: Limiter | None = None,
        circuit: Circuit | None = None,
        patience: Patience = PATIENCE,
        rng: random.Random | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.limiter = limiter
        self.circuit = circuit or Circuit(endpoint)
        self.patience = patience
        self._rng = rng or random.Random()
        self._ends = deadline or Deadline(patience.run_s)

    async def run(
        self,
        call: Callable[[], Awaitable[Got]],
        *,
        wait_of: Callable[[Got], float] = lambda _: 0.0,
    ) -> Got:
        """Call until it succeeds, or there is no more sense in it.

        Args:
            call: Calls once.
            wait_of: Reads from a result how long the endpoint has no room for the next call.

        Raises:
            EndpointGone: The endpoint is gone, or refuses everything.
            OutOfTime: The run's deadline has passed.
            JudgeError: This call failed for good.
        """
        left, fails, pauses = self.patience.call_s, 0, 0
        while True:
            outcome = await self._once(call, wait_of)
            if not isinstance(outcome, _Failed):
                return outcome
            error = outcome.error
            if isinstance(error, Unreachable):
                fails += 1
            if isinstance(error, ShutOut):
                self.circuit.open(error)
            if not isinstance(error, (Unreachable, Throttled)) or fails >= self.patience.attempts:
                raise error
            pause = self._pause(pauses, error)
            pauses += 1
            left -= outcome.seconds + pause
            if left <= 0:
                self._give_up(error, pause)
            await self._sleep(pause)

    async def _once(
        self, call: Callable[[], Awaitable[Got]], wait_of: Callable[[Got], float]
    ) -> "Got | _Failed":
        """Call once; what may pass is returned, not raised."""
        self.circuit.admit()
        if self.limiter is None:
            return await self._in_place(call, wait_of, 0)
        ticket = self.limiter.enter_now()
        if ticket is None:
            ticket = await self._in_time(self.limiter.enter())
        try:
            self.circuit.admit()  # it may have opened while this one waited
            return await self._in_place(call, wait_of, ticket)
        finally:
            self.limiter.leave()

    async def _in_place(
        self, call: Callable[[], Awaitable[Got]], wait_of: Callable[[Got], float], ticket: int
    ) -> "Got | _Failed":
        """Call once, with a place, and tell limiter and circuit what came of it."""
        began = _now()
        try:
            got = await self._in_time(call())
        except Throttled as error:
            self.circuit.heard()
            if self.limiter is not None:
                self.limiter.throttled(ticket, self._bounded(error.retry_after))
            return _Failed(error, _now() - began)
        except Unreachable as error:
            self.circuit.failed(error, call)
            if self.limiter is not None and self.circuit.doubtful:
                self.limiter.hold(DOUBT_S)
            return _Failed(error, _now() - began)
        except (EndpointGone, OutOfTime):
            raise
        except JudgeError as error:
            self.circuit.heard()
            return _Failed(error, _now() - began)
        self.circuit.heard()
        if self.limiter is not None:
            self.limiter.succeeded()
            self.limiter.hold(self._bounded(wait_of(got)) or 0.0)
        return got

    async def _in_time(self, work: Awaitable[Got]) -> Got:
        ends = self._deadline()
        if ends is None:
            return await work
        try:
            async with asyncio.timeout_at(ends) as limit:
                return await work
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._out_of_time() from None

    async def _sleep(self, pause: float) -> None:
        ends = self._deadline()
        if ends is not None and _now() + pause >= ends:
            await asyncio.sleep(max(0.0, ends - _now()))
            raise self._out_of_time()
        await asyncio.sleep(pause)

    def _deadline(self) -> float | None:
        return self._ends.ends()

    def _pause(self, nth: int, error: JudgeError) -> float:
        most = min(self.patience.most_s, self.patience.first_s * 2 ** min(nth, 30))
        drawn = self._rng.uniform(most / 2, most)
        asked = error.retry_after if isinstance(error, Throttled) else None
        # Those that were told the same second must not all come back in the same second.
        return drawn if asked is None or drawn > asked else asked + drawn / 2

    def _bounded(self, pause_s: float | None) -> float | None:
        return None if pause_s is None else min(pause_s, self.patience.call_s)

    def _give_up(self, error: JudgeError, pause: float) -> NoReturn:
        asked = error.retry_after if isinstance(error, Throttled) else None
        if asked is not None and asked >= self.patience.call_s:
            self.circuit.open(error)  # a limit that is used up for hours: no call will pass
        raise type(error)(
            f"{error.what} (given up: the next attempt, in {pause:.0f} s, is beyond "
            f"{self.patience.call_s:g} s a call)",
            where=error.where,
            fix=error.fix,
            detail=error.detail,
        ) from error

    def _out_of_time(self) -> OutOfTime:
        return self._ends.over(self.endpoint)


class Retrying:
    """A backend around a backend: asks again, within what `Tries` allows.

    Args:
        backend: The one that is asked.
        tries: What is shared with others at the same endpoint; by default its own.
    """

    def __init__(self, backend: Backend, tries: Tries | None = None) -> None:
        self._backend = backend
        self.tries = tries or Tries(backend.endpoint)

    @property
    def model(self) -> str:
        """The model as it was named."""
        return self._backend.model

    @property
    def endpoint(self) -> str:
        """What limits are shared by."""
        return self._backend.endpoint

    async def complete(self, request: Request) -> Completion:
        """Ask the model; see `Tries.run` for what is raised."""
        return await self.tries.run(
            lambda: self._backend.complete(request), wait_of=lambda got: got.wait_s
        )

    async def aclose(self) -> None:
        """Release the connection."""
        await self._backend.aclose()


def _now() -> float:
    return asyncio.get_running_loop().time()
