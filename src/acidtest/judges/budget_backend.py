"""A model around a model that is called no more once the budget is spent.

It is next to the wire, inside limits and retries: what waits for its turn is not in flight, and each
call counts, also that of a reply that is asked again.
"""

from collections.abc import Callable

from acidtest.judges.backend import Backend, Completion, Request
from acidtest.judges.budget import Budget, Expecting
from acidtest.judges.tokens import tokens
from acidtest.ports import Spent


class BudgetedBackend:
    """A backend within a budget.

    Args:
        backend: The one that is asked.
        budget: What may be spent, shared with others or not.
        price: What a completion cost; None when no price is known.
    """

    def __init__(
        self, backend: Backend, budget: Budget, price: Callable[[Completion], float | None] | None
    ) -> None:
        self._backend = backend
        self._price = price
        self._calls = Expecting(budget, f"judge {backend.model}")

    @property
    def model(self) -> str:
        """The model as it was named."""
        return self._backend.model

    @property
    def endpoint(self) -> str:
        """What limits are shared by."""
        return self._backend.endpoint

    async def complete(self, request: Request) -> Completion:
        """Ask the model, while something is left; see `Backend.complete`.

        Raises:
            BudgetSpent: The budget is used up, or cannot be kept.
        """
        with self._calls.call(self._least(request)) as call:
            completion = await self._backend.complete(request)
            call.spent = Spent(
                attempts=1,
                input_tokens=completion.input_tokens,
                output_tokens=completion.output_tokens,
                cost_usd=self._price(completion) if self._price else None,
            )
            call.counted = bool(completion.input_tokens or completion.output_tokens)
        return completion

    def _least(self, request: Request) -> Spent | None:
        """Return what a request takes before anything is answered: its text goes in."""
        if not self._calls.budget:
            return None
        into = round(tokens(request.system) + tokens(request.text))
        usd = self._price(Completion(text="", input_tokens=into)) if self._price else None
        return Spent(input_tokens=into, cost_usd=usd)

    async def aclose(self) -> None:
        """Release the connection."""
        await self._backend.aclose()
