"""A bound on the calls in flight to all endpoints together; each endpoint's limiter is below it."""

import asyncio
from inspect import isawaitable
from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.around import Around
from acidtest.judges.backend import Backend, Completion, Request
from acidtest.judges.foreign import shown, within
from acidtest.judges.plausible import fault
from acidtest.judges.retry import PATIENCE, Deadline
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict

_ASKED = Spent(attempts=1, cost_usd=None)
"""What a question took that brought nothing of use: it was asked, and nobody knows the price."""


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
        call_s: Deadline of one question, without waiting for a slot.
        deadline: Of the run, shared with all others that call; by default there is none.
    """

    def __init__(
        self,
        judge: Judge,
        slots: asyncio.Semaphore,
        *,
        call_s: float = PATIENCE.call_s,
        deadline: Deadline | None = None,
    ) -> None:
        super().__init__(judge)
        self._slots = slots
        self._call_s = call_s
        self._deadline = deadline or Deadline(None)

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, in a slot.

        Raises:
            JudgeError: It raised something, returned what is no verdict, or took too long.
            OutOfTime: The run's deadline has passed.
        """
        ends = self._deadline.ends()
        try:
            async with asyncio.timeout_at(ends) as limit, self._slots:
                return await self._asked(prompt, fields)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._deadline.over(f"judge {self.model}") from None

    async def _asked(self, prompt: Prompt[Reply], fields: dict[str, Any]) -> Verdict[Reply] | Skip:
        async def work() -> Any:
            said = self._judge.ask(prompt, **fields)
            return await said if isawaitable(said) else said

        where = f"judge {self.model}"
        late = JudgeError(f"no answer within {self._call_s:g} s", where=where)
        try:
            said: Verdict[Reply] | Skip = await within(self._call_s, work, self.model, late)
        except JudgeError as error:
            if not error.ends_run:
                error.spent = error.spent or _ASKED
            raise
        why = fault(said, prompt, fields)
        if why is None:
            return said
        failed = JudgeError(why, where=where, detail=shown(said))
        failed.spent = _ASKED
        raise failed
