"""Counting what the judge was asked and what it took."""

from typing import Any

from acidtest.data import JudgeUse, Skip
from acidtest.errors import JudgeError
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict


class Meter:
    """The count of one run; it goes on from what earlier executions of the run took."""

    def __init__(self, before: JudgeUse | None = None) -> None:
        start = before or JudgeUse(cost_usd=0.0)
        self._calls, self._cached, self._tokens = start.calls, start.cached, start.tokens
        self._cost = start.cost_usd

    @property
    def use(self) -> JudgeUse:
        """What was taken so far; the money is None once one price was unknown."""
        return JudgeUse(
            calls=self._calls, cached=self._cached, tokens=self._tokens, cost_usd=self._cost
        )

    def count(self, verdict: Verdict[Any]) -> None:
        """Count a verdict: what it took, or that the cache had it."""
        if verdict.cached:
            self._cached += 1
            return
        self._add(verdict.attempts, verdict.input_tokens + verdict.output_tokens, verdict.cost_usd)

    def lost(self, spent: Spent) -> None:
        """Count what was spent on a question that got no verdict."""
        self._add(spent.attempts, spent.input_tokens + spent.output_tokens, spent.cost_usd)

    def _add(self, calls: int, tokens: int, cost: float | None) -> None:
        self._calls += calls
        self._tokens += tokens
        self._cost = None if cost is None or self._cost is None else self._cost + cost


class Metered:
    """A judge around a judge that counts in a meter."""

    def __init__(self, judge: Judge, meter: Meter) -> None:
        self._judge = judge
        self._meter = meter

    @property
    def model(self) -> str:
        """The model of the judge inside."""
        return self._judge.model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge inside."""
        return self._judge.fingerprint

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside."""
        try:
            verdict = await self._judge.ask(prompt, **fields)
        except JudgeError as error:
            if isinstance(error.spent, Spent):
                self._meter.lost(error.spent)
            raise
        if not isinstance(verdict, Skip):
            self._meter.count(verdict)
        return verdict
