"""The table `[online]` with the judge and embedder to a worker that is ready: see `online.work`."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from acidtest.errors import JudgeError, UsageError
from acidtest.judges.budget import Budget
from acidtest.online.addresses import TABLE, check_channels
from acidtest.online.look import alerting
from acidtest.online.rooms import Rooms
from acidtest.online.score import Settings
from acidtest.online.spend import Clock
from acidtest.online.summary import Summary
from acidtest.online.weekly import weekly
from acidtest.online.work import Alerting, Stop, all_of_it, now_ms, run_worker
from acidtest.project.config import Config
from acidtest.project.digest import digest_sent
from acidtest.project.embedding import Embedding, embedding_of
from acidtest.project.judging import Judging
from acidtest.project.means import Means
from acidtest.project.online_metrics import fewer_is_better, file_of, online_metrics, where_of
from acidtest.project.planning import judging_of
from acidtest.project.references import References
from acidtest.store.trace_jobs import TraceJobs


def check_watching(config: Config) -> None:
    """Refuse what live traces could not be watched with, before anything is begun.

    Raises:
        UnknownName: A metric does not exist.
        UsageError: Some need a reference or labels.
        BadConfig: A variable that an address of `[online.alerts]` holds is not set.
        MissingExtra: Addresses need apprise, which is not installed.
    """
    online_metrics(config)
    check_channels(config.online.alerts, f"{file_of(config)}: {TABLE}")


@dataclass(frozen=True)
class Online:
    """What live traces are scored with, ready to be asked, and what belongs to it."""

    settings: Settings
    means: Means
    judging: Judging | None = None
    embedding: Embedding | None = None

    async def check(self) -> list[str]:
        """Ask the endpoints for their models, at no cost; return warnings.

        Raises:
            JudgeError: A port is closed, a host unknown, or a key refused.
        """
        held = (self.judging, self.embedding)
        found = [warning for each in held if each for warning in await each.check()]
        return list(dict.fromkeys(found))

    async def aclose(self) -> None:
        """Release the connections."""
        await self.means.aclose()


def online_of(config: Config) -> Online:
    """Make what live traces are scored with, as configured.

    Raises:
        UnknownName: A metric or the judge does not exist.
        UsageError: A metric needs a reference or labels, which live traces have not, or an embedder, and none
            is configured.
        BadConfig: A key, or the price that a budget needs, is missing.
    """
    online = config.online
    metrics = online_metrics(config)
    # The day's budget is the store's, which all workers share; here it only asks for the price.
    bounded = online.budget_usd_per_day is not None
    means = Means(concurrency=online.concurrency, budget=Budget(usd=math.inf if bounded else None))
    judging = judging_of(metrics, config, None, means=means)
    embedding = embedding_of(metrics, config, None, means=means)
    for bound in metrics:
        if "embedder" in bound.metric.needs and embedding is None:
            raise UsageError(
                f"metric {bound.name!r} needs an embedder",
                where=where_of(config),
                fix='Give one: [embedder] model = "local" or "openai:MODEL"',
            )
    settings = Settings(
        config=online,
        metrics=metrics,
        judge=judging.judge if judging else None,
        embedder=embedding.embedder if embedding else None,
    )
    return Online(settings, means, judging, embedding)


async def watch(
    config: Config,
    url: str,
    *,
    stop: Stop | None = None,
    share: Callable[[], float] = all_of_it,
    once: bool = False,
    clock: Clock = now_ms,
    told: Callable[[str], None] | None = None,
) -> Summary:
    """Understand and score the traces of a store, as configured; see `online.work.run_worker`.

    A judge whose endpoint is not there, or refuses the key, is told and waited for: traces are understood
    meanwhile.

    Raises:
        UsageError: The configuration is not possible, or the store fails.
    """
    check_watching(config)
    online = online_of(config)
    try:
        away = False
        try:
            warnings = await online.check()
        except JudgeError as error:
            # Traces are understood all the same; scoring begins when the judge is there.
            warnings, away = [str(error)], True
        for warning in warnings:
            if told is not None:
                told(warning)
        return await run_worker(
            url,
            online.settings,
            stop=stop,
            share=share,
            once=once,
            away=away,
            alerting=_alerting(config, url, once=once, told=None if once else told),
            clock=clock,
            told=told,
        )
    finally:
        await online.aclose()


def _alerting(
    config: Config, url: str, *, once: bool, told: Callable[[str], None] | None
) -> Alerting:
    every_ms = 0 if once else round(config.online.look_every_s * 1000)
    alerts = alerting(config.online, lower_is_better=fewer_is_better(config), every_ms=every_ms)
    digests = weekly(config.online.alerts, digest_sent(config, url), every_ms=every_ms)

    news = References()

    async def look(rooms: Rooms, now_ms: int) -> int:
        found = await alerts(rooms, now_ms)
        await digests(rooms, now_ms)
        if told is not None:
            for line in await asyncio.to_thread(news, url):
                told(line)
        return found

    return look


def revived(url: str) -> int:
    """Put back in the queue what failed too often, or was left out for the budget; return how many.

    Raises:
        StoreError: The store fails.
    """
    with TraceJobs(url) as jobs:
        return jobs.revive(now_ms=now_ms(), states=("dead", "out"))
