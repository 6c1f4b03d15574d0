"""What may be spent, in money or tokens, and a judge around a judge that stops there.

Budget and judges are apart, because several judges, embedders and runs may share one budget.
"""

from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.data.use import JudgeUse
from acidtest.errors import BudgetSpent, JudgeError, UsageError
from acidtest.judges.around import Around
from acidtest.judges.spending import spent_on
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict


class Budget:
    """What may be spent, and what was.

    Calls in flight count with what is expected of them, so that many at once do not overrun the budget
    by more than what is in flight.

    Args:
        usd: US dollars; None for no bound.
        tokens: Tokens in and out; None for no bound.
    """

    def __init__(self, *, usd: float | None = None, tokens: int | None = None) -> None:
        self.usd, self.tokens = usd, tokens
        self._spent = Spent()
        self._expected = Spent()
        self._unknown: str | None = None

    def __bool__(self) -> bool:
        """Say whether there is a bound at all."""
        return self.usd is not None or self.tokens is not None

    @property
    def spent(self) -> Spent:
        """What was spent so far; what is in flight is not in it."""
        return self._spent

    def carry(self, use: JudgeUse) -> None:
        """Count what earlier executions of a run took.

        Raises:
            UsageError: What they cost is not known, and money is bounded.
        """
        if self.usd is not None and use.cost_usd is None and use.calls:
            raise UsageError(
                "what this run has cost so far is not known, so the budget cannot be kept",
                where="budget_usd",
                fix="Start a new run with --fresh: what was answered is read from the cache.",
            )
        self._count(use.cost_usd or 0.0, use.tokens)
        if use.embedding is not None:
            self._count(use.embedding.cost_usd or 0.0, use.embedding.tokens)

    def open(self, expected: Spent, where: str) -> None:
        """Let a call start.

        Args:
            expected: What it may take.
            where: Who would be asked, for the message.

        Raises:
            BudgetSpent: The budget is used up, by what is in flight too, or it cannot be kept, since
                the price of a call turned out to be unknown.
        """
        if self._unknown is not None:
            raise BudgetSpent(
                "the price of a call is unknown, so the budget cannot be kept",
                where=self._unknown,
                fix="Give [judge.price] input and output, in US dollars per million tokens.",
            )
        coming = self._spent + self._expected
        if self.usd is not None and (coming.cost_usd or 0.0) >= self.usd:
            raise self._used_up(
                f"the budget of ${self.usd:g} is used up: ${self._spent.cost_usd:.4f} spent",
                where,
                "--budget-usd",
            )
        if self.tokens is not None and coming.input_tokens >= self.tokens:
            raise self._used_up(
                f"the budget of {self.tokens:,} tokens is used up: "
                f"{self._spent.input_tokens:,} spent",
                where,
                "[judge] budget_tokens",
            )
        self._expect(expected.cost_usd or 0.0, _tokens(expected))

    def close(self, expected: Spent, spent: Spent, where: str) -> None:
        """Count what a call took that was let start, with what `open` was told of it."""
        self._expect(-(expected.cost_usd or 0.0), -_tokens(expected))
        self._count(spent.cost_usd or 0.0, _tokens(spent))
        if self.usd is not None and spent.cost_usd is None:
            self._unknown = where  # this one is paid for: only the next one is not let start

    def _used_up(self, what: str, where: str, setting: str) -> BudgetSpent:
        return BudgetSpent(
            what,
            where=where,
            fix=f"The same command with a higher {setting} goes on where it stopped.",
        )

    # Tokens in and out are one sum here, kept as `input_tokens`.

    def _count(self, usd: float, tokens: int) -> None:
        self._spent += Spent(cost_usd=usd, input_tokens=tokens)

    def _expect(self, usd: float, tokens: int) -> None:
        self._expected += Spent(cost_usd=usd, input_tokens=tokens)


class Budgeted(Around):
    """A judge that asks no more once the budget is spent.

    Put it inside the cache: what is known costs nothing.

    Args:
        judge: Who is asked.
        budget: What may be spent, shared with others or not.
    """

    def __init__(self, judge: Judge, budget: Budget) -> None:
        super().__init__(judge)
        self.budget = budget
        self._took = Spent()
        self._done = 0

    @property
    def limit_usd(self) -> float | None:
        """What may be spent, in US dollars; None for no bound."""
        return self.budget.usd

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, while something is left.

        Raises:
            BudgetSpent: The budget is used up, or the price of a call turned out to be unknown.
        """
        where, expected, took = f"judge {self.model}", self._mean(), Spent()
        self.budget.open(expected, where)
        try:
            verdict = await self._judge.ask(prompt, **fields)
            if not isinstance(verdict, Skip):
                took = spent_on(verdict)
        except JudgeError as error:
            took = error.spent or Spent()
            raise
        finally:
            self._took += took
            self._done += bool(took.attempts)
            self.budget.close(expected, took, where)
        return verdict

    def _mean(self) -> Spent:
        """Return what a call took so far in the mean; nothing before the first."""
        n = self._done or 1
        return Spent(
            cost_usd=(self._took.cost_usd or 0.0) / n, input_tokens=_tokens(self._took) // n
        )


def _tokens(spent: Spent) -> int:
    return spent.input_tokens + spent.output_tokens
