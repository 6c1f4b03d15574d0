"""What a bias probe will take: every question written down and none asked."""

from collections.abc import Sequence

from msgspec import Struct

from acidtest.judges.counting import counting_judge
from acidtest.judges.desk import Desk, Question
from acidtest.ports import Judge
from acidtest.project.judging import Judging
from acidtest.project.probing.amounts import amounts_of
from acidtest.project.probing.bias.plan import BiasPlan
from acidtest.project.probing.bias.scoring import Judges, Scoring, Task
from acidtest.run.amounts import Range, Tokens
from acidtest.run.meter import Meter
from acidtest.store.runs import Store


class BiasEstimate(Struct, frozen=True, kw_only=True):
    """What a probe takes at most: items that turn out to be open or wrong are asked less.

    Attributes:
        judge: Who would be asked.
        metrics: What is probed.
        items: How many items.
        scorings: Metric by item, draw, change and fault.
        calls: Questions to be asked.
        cached: Questions that the store answers.
        tokens: Of the calls.
        cost_usd: US dollars; None when a price is unknown.
    """

    judge: str
    metrics: tuple[str, ...]
    items: int
    scorings: int
    calls: int
    cached: int
    tokens: Tokens
    cost_usd: Range | None
    format: str = "acidtest/judge-bias-estimate"
    version: int = 1


async def estimate_bias(
    judging: Judging, plan: BiasPlan, store: Store | None, *, use_cache: bool = True
) -> BiasEstimate:
    """Count what a plan asks; nobody is asked, and nothing is stored."""
    known = store.verdict if store is not None and use_cache else None
    desk = Desk(judging.judge, known=known)
    asked: list[Question] = []
    tasks = _tasks(plan)
    await Scoring(_counting(desk, asked), Meter(), 1, None).all(tasks)
    amounts = amounts_of(asked)
    return BiasEstimate(
        judge=judging.judge.model,
        metrics=tuple(bound.name for bound in plan.bounds),
        items=len(plan.items),
        scorings=len(tasks),
        calls=amounts.calls,
        cached=amounts.cached,
        tokens=amounts.tokens,
        cost_usd=amounts.cost_usd,
    )


def _tasks(plan: BiasPlan) -> Sequence[Task]:
    changed = [c.task(place) for c in plan.changed for place in range(len(plan.items))]
    faulty = [
        Task(bound=f.bound, item=each.item)
        for f in plan.faulty
        for each in f.items
        if each is not None
    ]
    return [*plan.plain(), *(task for task in changed if task is not None), *faulty]


def _counting(desk: Desk, asked: list[Question]) -> Judges:
    def drawn(draw: int) -> Judge:
        return counting_judge(desk, asked, draw=draw, real=True)

    return drawn
