"""What all judges and embedders of one command share: connections, limits, a deadline, a budget.

One limiter and one circuit per endpoint, whoever asks there; one client per time-out; one bound on the
calls of judges in flight; one clock, which starts with the first call.
"""

import asyncio
from typing import TYPE_CHECKING

from acidtest.errors import UsageError
from acidtest.judges.budget import Budget
from acidtest.project.config import JudgeConfig

if TYPE_CHECKING:
    from acidtest.judges.backend import Backend
    from acidtest.judges.prices import Price
    from acidtest.judges.retry import Retrying, Tries
    from acidtest.judges.session import Session
    from acidtest.ports import Judge


class Means:
    """Made once a command; `aclose` releases the connections.

    Args:
        concurrency: How many calls of judges may be in flight.
        run_timeout_s: How long calls may be made, from the first one on; None for no deadline.
        budget: What may be spent; by default without bound.
    """

    def __init__(
        self,
        *,
        concurrency: int = 8,
        run_timeout_s: float | None = None,
        budget: Budget | None = None,
    ) -> None:
        from acidtest.judges.retry import Deadline

        self.budget = budget or Budget()
        self._concurrency = max(concurrency, 1)
        self._deadline = Deadline(run_timeout_s)
        self._slots = asyncio.Semaphore(self._concurrency)
        self._tries: dict[str, Tries] = {}
        self._sessions: dict[float, Session] = {}

    def session(self, timeout_s: float) -> "Session":
        """Return the client whose calls have this time-out."""
        from acidtest.judges.session import Session

        if timeout_s not in self._sessions:
            self._sessions[timeout_s] = Session(timeout_s=timeout_s)
        return self._sessions[timeout_s]

    def tries(self, endpoint: str) -> "Tries":
        """Return what all calls to an endpoint share."""
        from acidtest.judges.limit import Limiter
        from acidtest.judges.retry import Tries

        if endpoint not in self._tries:
            self._tries[endpoint] = Tries(
                endpoint, limiter=Limiter(self._concurrency), deadline=self._deadline
            )
        return self._tries[endpoint]

    def retrying(self, backend: "Backend", price: "Price | None") -> "Retrying":
        """Return a model that is asked within these limits and this budget."""
        from acidtest.judges.budget_backend import BudgetedBackend
        from acidtest.judges.retry import Retrying
        from acidtest.judges.slots import InSlots

        called = BudgetedBackend(backend, self.budget, price) if self.budget else backend
        return Retrying(InSlots(called, self._slots), self.tries(backend.endpoint))

    def in_turn(self, judge: "Judge") -> "Judge":
        """Return a judge of somebody's own that is asked within these limits."""
        from acidtest.judges.slots import InTurn

        return InTurn(judge, self._slots, deadline=self._deadline)

    async def aclose(self) -> None:
        """Release the connections; a later call opens new ones."""
        for session in self._sessions.values():
            await session.aclose()


def means_of(
    config: JudgeConfig,
    *,
    concurrency: int = 8,
    budget_usd: float | None = None,
    budget_tokens: int | None = None,
    configured: bool = True,
) -> Means:
    """Return the means of a command.

    Args:
        config: The configured judge.
        concurrency: How many calls of judges may be in flight.
        budget_usd: What may be spent in US dollars; by default as configured.
        budget_tokens: What may be spent in tokens; by default as configured.
        configured: Whether the configured budget holds at all: it is that of judges by name, not of
            objects.

    Raises:
        UsageError: A budget is no number from 0 on.
    """
    for name, value in (("budget_usd", budget_usd), ("budget_tokens", budget_tokens)):
        if value is not None and not value >= 0:
            raise UsageError(f"{name} is {value}", fix="Give 0 or more.")
    if configured:
        budget_usd = config.budget_usd if budget_usd is None else budget_usd
        budget_tokens = config.budget_tokens if budget_tokens is None else budget_tokens
    return Means(
        concurrency=concurrency,
        run_timeout_s=config.run_timeout_s,
        budget=Budget(usd=budget_usd, tokens=budget_tokens),
    )
