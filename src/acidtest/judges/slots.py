"""A bound on the calls in flight to all endpoints together; each endpoint's limiter is below it."""

import asyncio
from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.judges.around import Around
from acidtest.judges.backend import Backend, Completion, Request
from acidtest.ports import Judge, Prompt, Reply, Verdict


class InSlots:
    """A backend around a backend that calls only while a slot is free.

    Args:
        backend: The one that is asked.
        slots: Shared with the backends of other endpoints.
    """

    def __init__(self, backend: Backend, slots: asyncio.Semaphore) -> None:
        self._backend = backend
        self._slots = slots

    @property
    def model(self) -> str:
        """The model as it was named."""
        return self._backend.model

    @property
    def endpoint(self) -> str:
        """What limits are shared by."""
        return self._backend.endpoint

    async def complete(self, request: Request) -> Completion:
        """Ask the model, in a slot; see `Backend.complete`."""
        async with self._slots:
            return await self._backend.complete(request)

    async def aclose(self) -> None:
        """Release the connection."""
        await self._backend.aclose()


class InTurn(Around):
    """A judge around a judge of somebody's own, of which nobody knows how it calls: one slot a question.

    Args:
        judge: The one that is asked.
        slots: Shared with all others that call.
    """

    def __init__(self, judge: Judge, slots: asyncio.Semaphore) -> None:
        super().__init__(judge)
        self._slots = slots

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, in a slot."""
        async with self._slots:
            return await self._judge.ask(prompt, **fields)
