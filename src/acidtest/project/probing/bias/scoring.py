"""Scoring items with metrics, some at once, telling how far it is."""

import secrets
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from acidtest.data.outcomes import Failure, Outcome
from acidtest.metrics.bound import Bound
from acidtest.ports import Journal, Judge
from acidtest.project.judging import cached
from acidtest.project.probing.asking import side_by_side
from acidtest.project.probing.bias.items import Item
from acidtest.project.probing.bias.reversed import Reversed
from acidtest.run.meter import Meter, metered
from acidtest.run.progress import Progress, Watcher
from acidtest.run.score import score


class Task(Struct, frozen=True, kw_only=True):
    """One item to be scored with one metric.

    `draw` is which of several asks it is, `turned` whether the verdicts are offered in reverse.
    """

    bound: Bound
    item: Item
    draw: int = 0
    turned: bool = False


Judges = Callable[[int], Judge]
"""The judge for each draw."""


def judges(judge: Judge, meter: Meter, journal: Journal | None, *, use_cache: bool) -> Judges:
    """Return the judge for each draw: each draw of a question is asked once, and kept by itself."""
    salt = "" if use_cache else secrets.token_hex(16)
    made: dict[int, Judge] = {}

    def drawn(draw: int) -> Judge:
        if draw not in made:
            kept = judge if journal is None else cached(judge, journal, repeat=draw, salt=salt)
            made[draw] = metered(kept, meter)
        return made[draw]

    return drawn


class Scoring:
    """One probe's scorings.

    Args:
        judges: Who is asked.
        meter: Counts what it takes.
        concurrency: How many scorings may be in flight.
        watch: Told after every scoring.
    """

    def __init__(
        self, judges: Judges, meter: Meter, concurrency: int, watch: Watcher | None
    ) -> None:
        self._judges, self._meter = judges, meter
        self._width = max(concurrency, 1)
        self._watch = watch
        self._began = time.monotonic()
        self._done = self._total = self._failed = 0

    async def all(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Score tasks; return what came of them, in their order.

        Raises:
            OutsideError: One that ends everything: the endpoint is gone, or the budget is spent.
        """
        self._total += len(tasks)
        return await side_by_side(self._one, tasks, self._width)

    async def _one(self, task: Task) -> Outcome:
        judge = self._judges(task.draw)
        outcome = await score(
            task.bound,
            task.item.case,
            task.item.answer,
            mode="live",
            judge=Reversed(judge) if task.turned else judge,
            embedder=None,
            unanswerable="skip",
        )
        self._failed += isinstance(outcome, Failure)
        self._done += 1
        if self._watch is not None:
            use = self._meter.use
            self._watch(
                Progress(
                    done=self._done,
                    total=self._total,
                    failed=0,
                    doing="asking",
                    judged=self._done,
                    judgements=self._total,
                    judge_failed=self._failed,
                    calls=use.calls,
                    cached=use.cached,
                    tokens=use.tokens,
                    cost_usd=use.cost_usd,
                    elapsed_s=time.monotonic() - self._began,
                )
            )
        return outcome
