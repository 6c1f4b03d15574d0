"""Crossing two runs: each one's generator answers from the contexts that the other's retriever found.

Both halves are runs of the store like any other, so an interrupted crossing goes on with the same call,
verdicts are kept, and a finished one is not made again.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from dataclasses import dataclass

from acidtest.comparison.crossing import Four, crossed_splits
from acidtest.comparison.diagnose import with_diagnoses
from acidtest.comparison.pair import other_judges
from acidtest.data.compared import StageSplit
from acidtest.data.runs import CaseResult, Run
from acidtest.pipelines.passage import OTHER_CONTEXTS
from acidtest.ports import Judge
from acidtest.project.config import Config
from acidtest.project.cross_plan import plan_crossing
from acidtest.project.evaluate import carry_out, warnings_of
from acidtest.run.assemble import load
from acidtest.run.plan import Plan
from acidtest.run.progress import Watcher
from acidtest.store.runs import Store

Told = Callable[[str], None]
Watching = Callable[[str], AbstractContextManager[Watcher | None]]
"""Makes, from the name of a run, the context in which somebody watches it."""


@dataclass(frozen=True, kw_only=True)
class Crossed:
    """A crossing that was carried out.

    Attributes:
        splits: Each metric's change, split by stage.
        runs: The baseline's generator on the candidate's contexts, then the other way round; none
            where no case got other contexts.
        words: What the splits say, in sentences.
        notes: What must be known beside them: another judge, changed code, a generator that may not
            have heeded its contexts.
    """

    splits: dict[str, StageSplit]
    runs: tuple[Run, ...]
    words: tuple[str, ...]
    notes: tuple[str, ...] = ()


async def crossed(
    config: Config,
    base: Run,
    candidate: Run,
    *,
    store: Store,
    judge: str | Judge | None = None,
    concurrency: int = 8,
    budget_usd: float | None = None,
    fresh: bool = False,
    use_cache: bool = True,
    watch: Watching | None = None,
    told: Told | None = None,
) -> Crossed:
    """Cross two runs and split what changed between them.

    Args:
        config: Where the pipelines are configured.
        base: The baseline, a live run.
        candidate: The candidate, a live run.
        store: Where the crossing's runs are kept.
        judge: Who judges; by default as configured. It should be who judged the two runs.
        concurrency: How many judge calls may be in flight.
        budget_usd: Stop when the crossing has cost so much; by default as configured.
        fresh: Ask again although a crossing of these contexts is there, finished or not.
        use_cache: Whether the judge is spared what it was asked before.
        watch: Makes the context in which somebody watches one of the two runs.
        told: Called with a sentence for each thing that a person should know.

    Raises:
        UsageError: The runs cannot be crossed; the message says what to do.
        Incomparable: They share no case.
        AcidtestError: As `evaluate`.
    """
    say = told or _silent
    crossing = plan_crossing(
        config,
        base,
        candidate,
        store=store,
        judge=judge,
        concurrency=concurrency,
        budget_usd=budget_usd,
    )
    for warning in crossing.warnings:
        say(warning)
    runs: list[Run] = []
    async with AsyncExitStack() as stack:
        stack.push_async_callback(crossing.means.aclose)
        looked_up = False
        for plan in crossing.plans:
            done = None if fresh else finished(plan, store)
            if done is not None:
                say(f"Crossed before: {plan.name} is run {done.id}.")
                runs.append(done)
                continue
            if not looked_up:
                looked_up = True
                for warning in await warnings_of(crossing.judging, crossing.embedding):
                    say(warning)
            with watch(plan.name) if watch is not None else nullcontext() as watcher:
                run = await carry_out(
                    plan,
                    store,
                    config,
                    crossing.judging,
                    fresh=fresh,
                    use_cache=use_cache,
                    watch=watcher,
                    told=told,
                )
            runs.append(run)
    doubts = [] if crossing.other_judge else _other_judges((base, candidate), runs)
    doubts += [_doubt(run) for run in runs if any(map(_named_others, run.cases))]
    for doubt in doubts:
        say(doubt)
    first, second = (*runs, None, None)[:2]
    four = Four(base=base, candidate=candidate, base_generator=first, candidate_generator=second)
    splits, words = crossed_splits(four)
    notes = (*crossing.warnings, *doubts)
    return Crossed(splits=splits, runs=tuple(runs), words=words, notes=notes)


def _silent(_: str) -> None:
    pass


def finished(plan: Plan, store: Store) -> Run | None:
    """Return the finished run of a plan, if there is one: a crossing is not made twice."""
    for stored in store.all_runs():
        if stored.plan_hash == plan.hash and stored.info.status == "finished":
            return with_diagnoses(load(store, stored))
    return None


def _other_judges(own: Sequence[Run], crossed: Sequence[Run]) -> list[str]:
    # What is behind a model's name shows only when it has judged.
    return list(dict.fromkeys(line for a in own for b in crossed for line in other_judges(a, b)))


def _doubt(run: Run) -> str:
    count = sum(map(_named_others, run.cases))
    return (
        f"{run.name}: in {count} of {_cases(len(run.cases))} the generator named contexts that it was not "
        "given. If it retrieves by itself all the same, this split says nothing."
    )


def _named_others(case: CaseResult) -> bool:
    return any(OTHER_CONTEXTS in note for note in case.notes)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
