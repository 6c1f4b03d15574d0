"""Counting what the judge was asked and what it took."""

from typing import Any, Protocol, runtime_checkable

from msgspec import UNSET

from acidtest.data.outcomes import Skip
from acidtest.data.use import CascadeUse, EmbeddingUse, JudgeUse, PanelUse
from acidtest.judges.around import Around
from acidtest.judges.cascade import telling
from acidtest.judges.compound import Compound, each_part
from acidtest.judges.instant import instant
from acidtest.ports import Embedder, Judge, Prompt, Reply, Spent, Verdict
from acidtest.run.pinned import reported_name


@runtime_checkable
class Counting(Protocol):
    """An embedder that counts what it took."""

    @property
    def spent(self) -> Spent:
        """What it took so far."""


class Meter:
    """The count of one run; it goes on from what earlier executions of the run took.

    Args:
        before: What they took.
        embedder: The run's, which may have served other runs before.
    """

    def __init__(self, before: JudgeUse | None = None, embedder: Embedder | None = None) -> None:
        start = before or JudgeUse(cost_usd=0.0)
        self._calls, self._cached, self._tokens = start.calls, start.cached, start.tokens
        self._cost = start.cost_usd
        self._seconds = start.seconds or 0.0
        self._models = set(start.models)
        self._cascade = start.cascade
        self._panel = dict(start.panel or {})
        self._embedded = start.embedding
        self._embedder = embedder if isinstance(embedder, Counting) else None
        self._since = self._embedder.spent if self._embedder else Spent()

    @property
    def use(self) -> JudgeUse:
        """What was taken so far; the money is None once one price was unknown."""
        return JudgeUse(
            calls=self._calls,
            cached=self._cached,
            tokens=self._tokens,
            cost_usd=self._cost,
            models=tuple(sorted(self._models)),
            cascade=self._cascade,
            panel=dict(self._panel) or None,
            embedding=self._embedding(),
            seconds=self._seconds or UNSET,
        )

    def count(self, verdict: Verdict[Any]) -> None:
        """Count a verdict: who gave it, and what it took, or that the cache had it."""
        if verdict.model:
            self._models.add(reported_name(verdict.model))
        if verdict.cached:
            self._cached += 1
            return
        self._seconds += verdict.seconds
        self._add(verdict.attempts, verdict.input_tokens + verdict.output_tokens, verdict.cost_usd)

    def lost(self, spent: Spent) -> None:
        """Count what was spent on a question that got no verdict."""
        self._add(spent.attempts, spent.input_tokens + spent.output_tokens, spent.cost_usd)

    def cascaded(self, use: CascadeUse) -> None:
        """Count what a cascade did."""
        self._cascade = (self._cascade or CascadeUse()) + use

    def voted(self, prompt: str, agreement: float) -> None:
        """Count a verdict of a panel, by the share of the votes that went its way."""
        had = self._panel.get(prompt, PanelUse())
        one = int(agreement == 1.0)
        self._panel[prompt] = PanelUse(voted=had.voted + 1, unanimous=had.unanimous + one)

    def _add(self, calls: int, tokens: int, cost: float | None) -> None:
        self._calls += calls
        self._tokens += tokens
        self._cost = None if cost is None or self._cost is None else self._cost + cost

    def _embedding(self) -> EmbeddingUse | None:
        now = self._embedder.spent if self._embedder else Spent()
        tokens = now.input_tokens - self._since.input_tokens
        if not tokens:
            return self._embedded
        before = self._embedded or EmbeddingUse(cost_usd=0.0)
        known = None not in {now.cost_usd, before.cost_usd}
        cost = (now.cost_usd or 0.0) - (self._since.cost_usd or 0.0) + (before.cost_usd or 0.0)
        return EmbeddingUse(tokens=before.tokens + tokens, cost_usd=cost if known else None)


def metered(judge: Judge, meter: Meter) -> Judge:
    """Return a judge that counts in a meter.

    Of a panel or cascade each of its judges counts what it takes, and what the cache had of it; but
    the local judge beside others does not count: nothing is called.
    """
    if not isinstance(judge, Compound):
        return Metered(judge, meter)

    def each(part: Judge) -> Judge:
        return part if instant(part) else Metered(part, meter)

    return _Overheard(each_part(telling(judge, meter.cascaded), each), meter)


class Metered(Around):
    """A judge around a judge that counts in a meter."""

    def __init__(self, judge: Judge, meter: Meter) -> None:
        super().__init__(judge)
        self._meter = meter

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside."""
        try:
            verdict = await self._judge.ask(prompt, **fields)
        except BaseException as error:
            spent = getattr(error, "spent", None)
            if isinstance(spent, Spent):
                self._meter.lost(spent)
            raise
        if not isinstance(verdict, Skip):
            self._meter.count(verdict)
        return verdict


class _Overheard(Around):
    """A judge around a panel or cascade whose agreement is counted."""

    def __init__(self, judge: Judge, meter: Meter) -> None:
        super().__init__(judge)
        self._meter = meter

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        verdict = await self._judge.ask(prompt, **fields)
        if isinstance(verdict, Verdict) and verdict.agreement is not None:
            self._meter.voted(prompt.name, verdict.agreement)
        return verdict
