"""Asking what the bias probe planned: items as they are, then changed, then with faults."""

from collections.abc import Mapping, Sequence

from acidtest.data.outcomes import Failure, Outcome
from acidtest.project.probing.bias.applies import SENTENCES
from acidtest.project.probing.bias.plan import BiasPlan, Changed, Faulty
from acidtest.project.probing.bias.plants import Planted
from acidtest.project.probing.bias.ruling import Ruling, caught, ruling
from acidtest.project.probing.bias.scoring import Scoring, Task
from acidtest.project.probing.bias.tally import Asked

Draws = Mapping[str, Sequence[Sequence[Ruling]]]
"""Metric -> draw -> item."""

Said = bool | str | None
"""Caught, passed, left open (None), or why there is no verdict."""


def read(plan: BiasPlan, outcomes: Sequence[Outcome]) -> Draws:
    """Return the rulings of unchanged items, from outcomes in the order of `plan.plain()`."""
    found: dict[str, list[list[Ruling]]] = {
        bound.name: [[] for _ in range(plan.repeat)] for bound in plan.bounds
    }
    for task, outcome in zip(plan.plain(), outcomes, strict=True):
        said = ruling(task.bound, outcome, task.item.sentences)
        found[task.bound.name][task.draw].append(said)
    return found


async def ask_changed(
    scoring: Scoring, plan: BiasPlan, changed: Sequence[Changed], draws: Draws
) -> list[list[Asked]]:
    """Score the changed items; those without a value before say nothing, and are not asked again."""
    before = {name: each[0] for name, each in draws.items()}
    wanted = [
        (c, place, task)
        for c in changed
        for place in range(len(plan.items))
        if (task := c.task(place)) is not None and before[c.bound.name][place].value is not None
    ]
    said = iter(await scoring.all([task for *_, task in wanted]))
    found: dict[int, list[Asked]] = {id(c): [] for c in changed}
    for c, place, _ in wanted:
        item, name = plan.items[place], c.bound.name
        found[id(c)].append(
            Asked(
                item=item.case.id,
                unit=item.unit,
                before=before[name][place],
                again=draws[name][1][place] if plan.repeat > 1 else None,
                after=ruling(c.bound, next(said), item.sentences),
            )
        )
    return [found[id(c)] for c in changed]


async def ask_faulty(
    scoring: Scoring, faulty: Sequence[Faulty], draws: Draws
) -> list[list[tuple[str, Said]]]:
    """Score items with faults whose answers passed without; return each item's id and what was said of it."""
    wanted = [
        (f, each)
        for f in faulty
        for each, before in zip(f.items, draws[f.bound.name][0], strict=True)
        if each is not None and before.value == 1.0 and _stated(f, each, before)
    ]
    tasks = [Task(bound=f.bound, item=each.item) for f, each in wanted]
    found: dict[int, list[tuple[str, Said]]] = {id(f): [] for f in faulty}
    for (f, each), outcome in zip(wanted, await scoring.all(tasks), strict=True):
        said: Said = (
            outcome.why if isinstance(outcome, Failure) else caught(f.bound, outcome, each.sentence)
        )
        found[id(f)].append((each.item.case.id, said))
    return [found[id(f)] for f in faulty]


def _stated(faulty: Faulty, planted: Planted, before: Ruling) -> bool:
    """Say whether the judge supports the sentence without the fault: else it may be said to claim nothing."""
    by_sentence = faulty.bound.metric.name in SENTENCES
    return not by_sentence or planted.fault == "made-up" or planted.sentence in before.supported
