"""A judge around a judge that stops at a sum of money."""

from typing import Any

from acidtest.data import Skip
from acidtest.errors import BudgetSpent, JudgeError
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict


class Budgeted:
    """A judge that asks no more once the money is spent.

    Calls in flight count with the mean of those before, so that many at once do not overrun it by
    more than one call's worth of surprise. Put it inside the cache: what is known costs nothing.

    Args:
        judge: Who is asked.
        limit_usd: What may be spent.
    """

    def __init__(self, judge: Judge, limit_usd: float) -> None:
        self._judge = judge
        self._limit = limit_usd
        self._spent = 0.0
        self._done = self._flying = 0

    @property
    def model(self) -> str:
        """The model of the judge inside."""
        return self._judge.model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge inside."""
        return self._judge.fingerprint

    @property
    def inside(self) -> Judge:
        """Who is asked."""
        return self._judge

    @property
    def limit_usd(self) -> float:
        """What may be spent."""
        return self._limit

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, while there is money.

        Raises:
            BudgetSpent: The budget is used up, or the price of a call turned out to be unknown.
        """
        mean = self._spent / self._done if self._done else 0.0
        if self._spent + self._flying * mean >= self._limit:
            raise BudgetSpent(
                f"the budget of ${self._limit:g} is used up: ${self._spent:.4f} spent",
                where=f"judge {self.model}",
                fix="The same command with a higher --budget-usd goes on where it stopped.",
            )
        self._flying += 1
        try:
            verdict = await self._judge.ask(prompt, **fields)
        except JudgeError as error:
            if isinstance(error.spent, Spent):
                self._count(error.spent.cost_usd)
            raise
        finally:
            self._flying -= 1
        if not isinstance(verdict, Skip):
            self._count(verdict.cost_usd)
        return verdict

    def _count(self, cost: float | None) -> None:
        if cost is None:
            raise BudgetSpent(
                "the price of a call is unknown, so the budget cannot be kept",
                where=f"judge {self.model}",
                fix="Give [judge.price] input and output, in US dollars per million tokens.",
            )
        self._spent += cost
        self._done += 1
