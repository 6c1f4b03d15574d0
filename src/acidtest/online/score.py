"""Scoring one live trace: the same code, judges and cache as a run, without any label."""

import asyncio
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from acidtest.data.outcomes import Failure, Outcome
from acidtest.data.traces import Trace
from acidtest.errors import AcidtestError, OutsideError
from acidtest.judges.cache import Cached
from acidtest.judges.compound import each_part
from acidtest.judges.instant import instant
from acidtest.metrics.bound import Bound
from acidtest.online.config import OnlineConfig
from acidtest.online.journal import TraceJournal
from acidtest.online.spend import Ledger, Paid, PaidEmbedder
from acidtest.ports import Embedder, Judge
from acidtest.run.score import score
from acidtest.store.spending import Limits

_KEPT = 8_000
"""Characters of a traceback that are kept."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What live traces are scored with: the table `[online]`, resolved."""

    config: OnlineConfig
    metrics: Sequence[Bound]
    judge: Judge | None = None
    embedder: Embedder | None = None

    @property
    def limits(self) -> Limits:
        """What may be spent on a day."""
        return Limits(
            usd=self.config.budget_usd_per_day,
            calls=self.config.calls_per_day,
            traces=self.config.traces_per_day,
        )

    @property
    def judges(self) -> dict[str, str]:
        """The judge's fingerprint by metric, of those that are judged."""
        if self.judge is None:
            return {}
        judged = [bound.name for bound in self.metrics if bound.metric.cost == "judge"]
        return dict.fromkeys(judged, self.judge.fingerprint)

    @property
    def versions(self) -> dict[str, str]:
        """The version by metric, with its prompt's."""
        return {bound.name: bound.metric.full_version for bound in self.metrics}


class Scored(Struct, frozen=True, kw_only=True):
    """What scoring a trace gave: outcomes by metric, and the keys of the verdicts that were used."""

    scores: Mapping[str, Outcome]
    verdict_keys: tuple[str, ...] = ()

    @property
    def error(self) -> str | None:
        """Why the first metric that failed did; None when none has."""
        for name, outcome in self.scores.items():
            if isinstance(outcome, Failure):
                return f"{name}: {outcome.why}"
        return None


async def score_trace(
    trace: Trace, settings: Settings, journal: TraceJournal, ledger: Ledger
) -> Scored:
    """Score a trace with each metric.

    Args:
        trace: What was understood.
        settings: With what.
        journal: The trace's own, for the judge's verdicts.
        ledger: Where calls are taken from.

    Raises:
        BudgetSpent: The day's budget is used up; what was paid for is in the journal.
        JudgeError: The judge's endpoint is gone, for every trace.
    """
    judge = None if settings.judge is None else _judge(settings.judge, journal, ledger)
    embedder = None if settings.embedder is None else PaidEmbedder(settings.embedder, ledger)
    tasks = [
        asyncio.ensure_future(_outcome(bound, trace, judge, embedder)) for bound in settings.metrics
    ]
    try:
        outcomes = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    named = zip([bound.name for bound in settings.metrics], outcomes, strict=True)
    return Scored(scores=dict(named), verdict_keys=tuple(sorted(journal.used)))


def _judge(judge: Judge, journal: TraceJournal, ledger: Ledger) -> Judge:
    def paid(part: Judge) -> Judge:
        return part if instant(part) else Cached(Paid(part, ledger), journal)

    return each_part(judge, paid)


async def _outcome(
    bound: Bound, trace: Trace, judge: Judge | None, embedder: Embedder | None
) -> Outcome:
    try:
        return await score(
            bound,
            trace.as_case(),
            trace.as_answer(),
            mode="live",
            judge=judge,
            embedder=embedder,
            unanswerable="skip",
        )
    except AcidtestError as error:
        if isinstance(error, OutsideError) and error.ends_run:
            raise
        return Failure(str(error))
    except Exception as error:  # noqa: BLE001 - one trace must not end the watch; the error is kept with it
        trace_back = "".join(traceback.format_exception(error))[-_KEPT:]
        return Failure(f"{type(error).__name__}: {error}", detail=trace_back)
