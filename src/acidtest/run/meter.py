"""Counting what the judge was asked and what it took."""

from typing import Any

from acidtest.data import JudgeUse, Skip
from acidtest.ports import Judge, Prompt, Reply, Verdict


class Metered:
    """A judge around a judge that keeps count.

    Args:
        judge: The judge that answers.
        before: What earlier executions of the same run took; the counts go on from there.
    """

    def __init__(self, judge: Judge, before: JudgeUse | None = None) -> None:
        self._judge = judge
        start = before or JudgeUse(cost_usd=0.0)
        self._calls, self._cached, self._tokens = start.calls, start.cached, start.tokens
        self._cost = start.cost_usd

    @property
    def model(self) -> str:
        """The model of the judge inside."""
        return self._judge.model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge inside."""
        return self._judge.fingerprint

    @property
    def use(self) -> JudgeUse:
        """What was taken so far; the money is None once one price was unknown."""
        return JudgeUse(
            calls=self._calls, cached=self._cached, tokens=self._tokens, cost_usd=self._cost
        )

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside."""
        verdict = await self._judge.ask(prompt, **fields)
        if isinstance(verdict, Skip):
            return verdict
        if verdict.cached:
            self._cached += 1
            return verdict
        self._calls += 1
        self._tokens += verdict.input_tokens + verdict.output_tokens
        if verdict.cost_usd is None or self._cost is None:
            self._cost = None
        else:
            self._cost += verdict.cost_usd
        return verdict
