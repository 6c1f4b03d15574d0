"""A circuit that opens when an endpoint is gone, so that a run stops instead of failing case by case.

It opens after several failures in a row that span some time (a blip of a second, met by many calls
at once, is not the end), or at once when the endpoint will refuse every call (bad key, no credit).
While it is open, calls fail at once with `EndpointGone`; after a rest one call may try again.
"""

import asyncio
from typing import NoReturn

from acidtest.errors import JudgeError
from acidtest.judges.backend import Stumbled


class EndpointGone(JudgeError):  # noqa: N818 - says what is wrong
    """No call to this endpoint can succeed for now: stop, and resume the run later.

    `endpoint` is its origin.
    """

    endpoint: str = ""
    ends_run = True


class ShutOut(JudgeError):  # noqa: N818
    """The endpoint refuses this caller, whatever it asks: bad key, no credit, unknown model."""


class Circuit:
    """What is known of one endpoint's being there; shared by all that call it.

    Args:
        endpoint: Its origin, for messages.
        failures: So many in a row, without one answer in between,
        silence_s: over at least so many seconds, open it.
        rest_s: After so many seconds one call is let through; its answer closes the circuit.
    """

    def __init__(
        self, endpoint: str, *, failures: int = 5, silence_s: float = 10.0, rest_s: float = 60.0
    ) -> None:
        self.endpoint = endpoint
        self._most = failures
        self._silence_s = silence_s
        self._rest_s = rest_s
        self._failures = 0
        self._since = 0.0
        self._answered = False
        self._failing: object = None
        self._several = False
        self._open_until: float | None = None
        self._why: JudgeError | None = None

    def admit(self) -> None:
        """Let a call pass.

        Raises:
            EndpointGone: The circuit is open.
        """
        if self._open_until is None:
            return
        now = _now()
        if now < self._open_until:
            raise self._gone()
        self._open_until = now + self._rest_s  # this one call tries; the others wait for its answer

    @property
    def doubtful(self) -> bool:
        """Whether so many calls in a row failed that a crowd of further ones makes no sense."""
        return self._failures >= self._most

    def heard(self) -> None:
        """The endpoint answered: whatever it said, it is there."""
        self._failures = 0
        self._answered = True
        self._open_until = None

    def failed(self, error: JudgeError, call: object = None) -> None:
        """A call got no answer.

        Where others were answered before, or the answer was 500, one call that fails time and again says
        nothing of the endpoint: it may be what it asks that the server stumbles over. It is given up when its
        attempts are used up, and fails its case alone.

        Args:
            error: Why.
            call: Which call it was: the same for all attempts at it.

        Raises:
            EndpointGone: That was one too many.
        """
        now = _now()
        if not self._failures:
            self._since, self._failing, self._several = now, call, False
        self._failures += 1
        self._several = self._several or call is not self._failing
        enough = self._failures >= self._most and now - self._since >= self._silence_s
        there = self._answered or isinstance(error, Stumbled)
        if enough and (self._several or not there):
            self.open(error)

    def open(self, error: JudgeError) -> NoReturn:
        """Stop all calls.

        Raises:
            EndpointGone: Always, with the reason.
        """
        self._why = error
        self._open_until = _now() + self._rest_s
        raise self._gone() from error

    def _gone(self) -> EndpointGone:
        why = self._why
        gone = EndpointGone(
            why.what if why else "the endpoint is gone",
            where=why.where if why and why.where else self.endpoint,
            fix=(why and why.fix) or "Run the same command again when the endpoint is back.",
            detail=why.detail if why else None,
        )
        gone.endpoint = self.endpoint
        return gone


def _now() -> float:
    return asyncio.get_running_loop().time()
