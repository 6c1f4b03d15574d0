"""An embedder around an embedder that counts what it takes, within a budget."""

from collections.abc import Callable, Sequence
from typing import Protocol

from acidtest.judges.budget import Budget
from acidtest.ports import Spent


class Metering(Protocol):
    """An embedder that counts its tokens."""

    @property
    def input_tokens(self) -> int:
        """What all calls took so far."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order."""


class BudgetedEmbedder:
    """An embedder (`ports.Embedder`) that asks no more once the budget is spent.

    Args:
        embedder: Who is asked.
        budget: What may be spent, shared with others.
        price: What so many tokens cost in US dollars; None when no price is known: then only a budget in
            tokens bounds embedding.
        name: The model, for messages.
    """

    def __init__(
        self,
        embedder: Metering,
        budget: Budget,
        *,
        price: Callable[[int], float | None] | None,
        name: str,
    ) -> None:
        self._embedder = embedder
        self._budget = budget
        self.price = price
        """What so many tokens cost; None when no price is known."""
        self.model = name
        self._seen = embedder.input_tokens
        self._spent = Spent()

    @property
    def spent(self) -> Spent:
        """What embedding took so far; the money is None when no price is known."""
        return self._spent

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order.

        Raises:
            BudgetSpent: The budget is used up.
        """
        where, nothing = f"embedder {self.model}", Spent()
        self._budget.open(nothing, where)
        try:
            return await self._embedder.embed(texts)
        finally:
            # Calls run side by side; each counts what came in since any of them last did.
            tokens = self._embedder.input_tokens - self._seen
            self._seen += tokens
            cost = self.price(tokens) if self.price is not None else None
            self._spent += Spent(input_tokens=tokens, cost_usd=cost if tokens else 0.0)
            self._budget.close(nothing, Spent(input_tokens=tokens, cost_usd=cost or 0.0), where)
