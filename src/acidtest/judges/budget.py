"""What may be spent, in money or tokens, and a judge around a judge that stops there.

Budget and judges are apart, because several judges, embedders and runs may share one budget.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.data.use import JudgeUse
from acidtest.errors import BudgetSpent, JudgeError, UsageError
from acidtest.judges.around import Around
from acidtest.judges.spending import spent_on
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict

_PRICE = "Give [judge.price] input and output, in US dollars per million tokens."


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
        # Tokens in and out are one sum here, kept as `input_tokens`.
        self._spent = Spent()
        self._expected = Spent()
        self._open = 0
        self._lost: tuple[str, str, str] | None = None

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
        self._spent += Spent(cost_usd=use.cost_usd or 0.0, input_tokens=use.tokens)
        if use.embedding is not None:
            cost = use.embedding.cost_usd or 0.0
            self._spent += Spent(cost_usd=cost, input_tokens=use.embedding.tokens)

    def open(self, expected: Spent, where: str) -> None:
        """Let a call start.

        Args:
            expected: What it may take.
            where: Who would be asked, for the message.

        Raises:
            BudgetSpent: The budget is used up, by what is in flight too, or it cannot be kept, since
                what a call took turned out to be unknown.
        """
        if self._lost is not None:
            what, asked, fix = self._lost
            raise BudgetSpent(f"{what}, so the budget cannot be kept", where=asked, fix=fix)
        coming = self._spent + self._expected
        if self.usd is not None and (coming.cost_usd or 0.0) >= self.usd:
            raise BudgetSpent(
                f"the budget of ${self.usd:g} is used up: {_money(self._spent)} spent"
                f"{self._flying(_money(self._expected))}",
                where=where,
                fix="The same command with a higher --budget-usd goes on where it stopped.",
            )
        if self.tokens is not None and coming.input_tokens >= self.tokens:
            raise BudgetSpent(
                f"the budget of {self.tokens:,} tokens is used up: "
                f"{self._spent.input_tokens:,} spent"
                f"{self._flying(f'{self._expected.input_tokens:,}')}",
                where=where,
                fix="The same command with higher [judge] budget_tokens goes on where it stopped.",
            )
        self._expected += _sum(expected)
        self._open += 1

    def close(self, expected: Spent, spent: Spent, where: str, *, counted: bool = True) -> None:
        """Count what a call took that was let start.

        Args:
            expected: What `open` was told.
            spent: What it took.
            where: Who was asked.
            counted: Whether whoever was asked said how many tokens it took.
        """
        one = _sum(expected)
        self._open -= 1
        self._expected += Spent(cost_usd=-(one.cost_usd or 0.0), input_tokens=-one.input_tokens)
        self._spent += _sum(spent)
        # This call is paid for, so what it brought counts: only the next one is not let start.
        if self.usd is not None and spent.cost_usd is None:
            self._lost = ("the price of a call is unknown", where, _PRICE)
        elif self.tokens is not None and not counted:
            what = "it does not say how many tokens a call took"
            self._lost = (what, where, "Leave budget_tokens out.")

    def _flying(self, expected: str) -> str:
        return f", about {expected} more in flight" if self._open else ""


class Call:
    """A call in flight; what it took is told here before it ends, nothing where it took nothing.

    `counted` says whether whoever was asked said how many tokens it took.
    """

    def __init__(self) -> None:
        self.spent = Spent()
        self.counted = True


class Expecting:
    """The calls of one model within a budget: each is expected to take what the others did, in the mean.

    The first ones have no others: they are expected to take what is known of them beforehand.

    Args:
        budget: What may be spent.
        where: Who is asked, for messages.
    """

    def __init__(self, budget: Budget, where: str) -> None:
        self.budget = budget
        self._where = where
        self._took = Spent()
        self._done = 0

    @contextmanager
    def call(self, least: Spent | None = None) -> Iterator[Call]:
        """Make one call within.

        Args:
            least: What it takes at least, as far as that is known before it is made.

        Raises:
            BudgetSpent: The budget is used up, or cannot be kept.
        """
        n = self._done or 1
        known = _sum(least or Spent())
        expected = Spent(
            cost_usd=max((self._took.cost_usd or 0.0) / n, known.cost_usd or 0.0),
            input_tokens=max(self._took.input_tokens // n, known.input_tokens),
        )
        self.budget.open(expected, self._where)
        call = Call()
        try:
            yield call
        finally:
            self._took += _sum(call.spent)
            self._done += bool(call.spent.attempts)
            self.budget.close(expected, call.spent, self._where, counted=call.counted)


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
        self._calls = Expecting(budget, f"judge {judge.model}")

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, while something is left.

        Raises:
            BudgetSpent: The budget is used up, or the price of a call turned out to be unknown.
        """
        with self._calls.call() as call:
            try:
                verdict = await self._judge.ask(prompt, **fields)
            except JudgeError as error:
                call.spent = error.spent or Spent()
                raise
            if not isinstance(verdict, Skip):
                call.spent = spent_on(verdict)
        return verdict


def _money(spent: Spent) -> str:
    return f"${spent.cost_usd:.4f}" if spent.cost_usd else "$0"


def _sum(spent: Spent) -> Spent:
    """Return money, unknown as nothing, and all tokens."""
    tokens = spent.input_tokens + spent.output_tokens
    return Spent(cost_usd=spent.cost_usd or 0.0, input_tokens=tokens)
