"""Scoring items with metrics, some at once, telling how far it is."""

import secrets
from collections.abc import Callable, Sequence

from msgspec import Struct

from acidtest.data.outcomes import Failure, Outcome
from acidtest.metrics.bound import Bound
from acidtest.ports import Journal, Judge
from acidtest.project.judging import cached
from acidtest.project.probing.asking import side_by_side
from acidtest.project.probing.bias.items import Item
from acidtest.project.probing.bias.reversed import Reversed
from acidtest.project.probing.pace import Pace
from acidtest.run.meter import Meter, metered
from acidtest.run.progress import Watcher
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
        self._judges = judges
        self._pace = Pace(meter, watch)
        self._width = max(concurrency, 1)

    async def all(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Score tasks; return what came of them, in their order.

        Raises:
            OutsideError: One that ends everything: the endpoint is gone, or the budget is spent.
        """
        self._pace.more(len(tasks))
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
        self._pace.step(failed=isinstance(outcome, Failure))
        return outcome
