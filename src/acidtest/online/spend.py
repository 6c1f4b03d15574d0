"""A judge and an embedder that take each call from the day's budget before it is made.

The budget is the store's, so several workers share it. Each call, also one for a reply that is asked again, is on
disk before it is made. One that was cut off in between (`kill -9`) stays counted, with the money that was expected
of it, and its tokens are missing: never are there fewer calls than were made, and no more than one too many for
each that was in flight.
"""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from acidtest.data.outcomes import Skip
from acidtest.errors import BudgetSpent, JudgeError
from acidtest.judges.again import counting
from acidtest.judges.around import Around
from acidtest.judges.spending import spent_on
from acidtest.ports import Embedder, Judge, Prompt, Reply, Spent, Verdict
from acidtest.run.meter import Counting
from acidtest.store.group import Grouped
from acidtest.store.spending import Entry, Limits, Spending

Clock = Callable[[], int]
"""The time in milliseconds since 1970."""


class Taken(NamedTuple):
    """What was taken for a call before it was made: US dollars, and when."""

    usd: float
    at_ms: int


class Ledger:
    """What judging takes, kept in the store; use it as an async context.

    Args:
        spending: The store's.
        limits: What may be spent on a day.
        clock: Tells the time.
    """

    def __init__(self, spending: Spending, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self._spending = spending
        self._clock = clock
        self._entries: Grouped[Entry, float | None] = Grouped(self._write)
        self._took: dict[str, tuple[float, int]] = {}
        self._unpriced: str | None = None
        self._embedded = Spent()
        self._embeddings = 0

    async def __aenter__(self) -> Self:
        await self._entries.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._entries.__aexit__(kind, error, trace)

    async def take(self, model: str) -> Taken:
        """Take a call from the budget; return what was taken for it.

        Raises:
            BudgetSpent: The day's budget is used up, or cannot be kept.
        """
        if self._unpriced is not None and self.limits.usd is not None:
            raise BudgetSpent(
                f"the price of a call to {self._unpriced} is unknown, so the budget cannot be kept",
                fix="Give [judge.price], or calls_per_day in place of budget_usd_per_day.",
            )
        usd, calls = self._took.get(model, (0.0, 0))
        expected = usd / calls if calls else None
        return await self._taken(expected, calls=1)

    async def take_again(self, model: str) -> Taken:
        """Take one more call for a reply that is asked again, whatever is left: what was asked for is paid for."""
        usd, calls = self._took.get(model, (0.0, 0))
        expected = usd / calls if calls else None
        now_ms = self._clock()
        entry = Entry(taking=False, usd=expected, calls=1, at_ms=now_ms)
        return Taken(await self._entries.put(entry) or 0.0, now_ms)

    async def settle(self, model: str, taken: Sequence[Taken], spent: Spent) -> None:
        """Count what calls took for which this was taken."""
        if spent.attempts and spent.cost_usd is None:
            self._unpriced = model
        cost = spent.cost_usd or 0.0
        usd, before = self._took.get(model, (0.0, 0))
        # By the call as it goes over the wire: so much is taken for each.
        self._took[model] = (usd + cost, before + max(spent.attempts, 1))
        tokens = spent.input_tokens + spent.output_tokens
        usd, calls = cost - sum(each.usd for each in taken), spent.attempts - len(taken)
        await self._entries.put(Entry(False, usd, calls, tokens, at_ms=taken[0].at_ms))

    async def take_embedding(self) -> Taken:
        """Take one asking of the embedder from the budget in money; return what was taken for it.

        Raises:
            BudgetSpent: The day's budget is used up, or cannot be kept.
        """
        if self._embedded.cost_usd is None and self.limits.usd is not None:
            raise BudgetSpent(
                "the price of embedding is unknown, so the budget cannot be kept",
                fix="Give [embedder] usd_per_million_tokens, or calls_per_day in place of"
                " budget_usd_per_day.",
            )
        expected = (self._embedded.cost_usd or 0.0) / max(self._embeddings, 1)
        return await self._taken(expected, calls=0)

    async def settle_embedding(self, taken: Taken, embedder: Counting) -> None:
        """Count what an embedder took since the last time, for which this was taken."""
        # Askings run side by side: each counts what came in since any of them last did.
        before, self._embedded = self._embedded, embedder.spent
        self._embeddings += 1
        usd = (self._embedded.cost_usd or 0.0) - (before.cost_usd or 0.0)
        tokens = self._embedded.input_tokens - before.input_tokens
        await self._entries.put(Entry(False, usd - taken.usd, 0, tokens, at_ms=taken.at_ms))

    async def _taken(self, expected: float | None, *, calls: int) -> Taken:
        now_ms = self._clock()
        usd = await self._entries.put(Entry(True, expected, calls, at_ms=now_ms))
        if usd is None:
            raise BudgetSpent(self.limits.spent_words)
        return Taken(usd, now_ms)

    def _write(self, entries: list[Entry]) -> list[float | None]:
        return self._spending.entered(entries, self.limits, now_ms=self._clock())


class Paid(Around):
    """A judge around a judge whose calls are taken from the day's budget.

    Put it inside the cache: what is known costs nothing.

    Args:
        judge: Who is asked.
        ledger: Where it is counted.
    """

    def __init__(self, judge: Judge, ledger: Ledger) -> None:
        super().__init__(judge)
        self._ledger = ledger

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside, while something is left.

        Raises:
            BudgetSpent: The day's budget is used up.
        """
        taken = [await self._ledger.take(self.model)]

        async def again() -> None:
            taken.append(await self._ledger.take_again(self.model))

        try:
            with counting(again):
                verdict = await self._judge.ask(prompt, **fields)
        except JudgeError as error:
            spent = error.spent if isinstance(error.spent, Spent) else Spent()
            await self._ledger.settle(self.model, taken, spent)
            raise
        spent = Spent() if isinstance(verdict, Skip) else spent_on(verdict)
        await self._ledger.settle(self.model, taken, spent)
        return verdict


class PaidEmbedder:
    """An embedder (`ports.Embedder`) around one that counts what it takes, within the day's budget.

    Args:
        embedder: Who is asked.
        ledger: Where it is counted.
    """

    def __init__(self, embedder: Embedder, ledger: Ledger) -> None:
        self._embedder = embedder
        self._ledger = ledger

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order, while something is left.

        Raises:
            BudgetSpent: The day's budget is used up.
        """
        counting = self._embedder
        if not isinstance(counting, Counting):
            return await self._embedder.embed(texts)  # it costs nothing, as far as anybody knows
        taken = await self._ledger.take_embedding()
        try:
            return await self._embedder.embed(texts)
        finally:
            await self._ledger.settle_embedding(taken, counting)
