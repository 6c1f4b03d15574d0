"""Asking many questions whose right verdict is known, some at once, telling how far it is."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.metrics.asking import ask
from acidtest.ports import Judge
from acidtest.project.probing.cases import ProbeCase
from acidtest.project.probing.pace import Pace
from acidtest.project.probing.reading import Worths
from acidtest.run.meter import Meter, Metered
from acidtest.run.progress import Watcher

T = TypeVar("T")

Said = Worths | Skip | JudgeError
"""What came of a question: the worth of each unit, "cannot judge that", or why there is no verdict."""


class Asking:
    """One probe's questions to one judge.

    Args:
        judge: Who is asked.
        meter: Counts what it takes.
        concurrency: How many calls may be in flight.
        watch: Told after every question.
    """

    def __init__(self, judge: Judge, meter: Meter, concurrency: int, watch: Watcher | None) -> None:
        self._judge = Metered(judge, meter)
        self._pace = Pace(meter, watch)
        self._width = max(concurrency, 1)

    async def all(self, questions: Sequence[tuple[ProbeCase, Mapping[str, Any]]]) -> list[Said]:
        """Ask cases with the fields given beside them; return what was said, in their order.

        Raises:
            OutsideError: One that ends everything: the endpoint is gone, or the budget is spent.
        """
        self._pace.more(len(questions))
        return await side_by_side(self._one, questions, self._width)

    async def _one(self, question: tuple[ProbeCase, Mapping[str, Any]]) -> Said:
        case, fields = question
        said: Said
        try:
            reply = await ask(self._judge, case.prompt, fields)
            said = reply if isinstance(reply, Skip) else case.read(reply)
        except JudgeError as error:
            if error.ends_run:
                raise
            said = error
        self._pace.step(failed=isinstance(said, JudgeError))
        return said


async def side_by_side(
    work: Callable[[Any], Awaitable[T]], items: Sequence[Any], width: int
) -> list[T]:
    """Do the work for every item, `width` at a time; results in order. One error ends all."""
    results: dict[int, T] = {}
    left = iter(enumerate(items))

    async def take() -> None:
        for n, item in left:
            results[n] = await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(width, len(items))):
                group.create_task(take())
    except BaseExceptionGroup as several:
        # One cause cancels the rest: it is told alone, as itself.
        first: BaseException = several
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from first.__cause__
    return [results[n] for n in range(len(items))]
