"""The engine: asks the pipeline, stores what comes, scores it, stores that.

One asyncio program. Cases are worked on side by side, as many as the pipeline's and the judge's bounds
allow; an answer is in the store before it is scored. Judges that are waited for are asked while the
pipeline works; what computes comes after. Whatever stops the run, the same plan goes on where it was.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from msgspec.structs import replace as _replace

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, Result
from acidtest.errors import BudgetSpent, PipelineError
from acidtest.metrics.bound import Bound
from acidtest.ports import Judge
from acidtest.run.meter import Meter, metered
from acidtest.run.plan import Plan
from acidtest.run.progress import Tally, Watcher
from acidtest.run.score import score
from acidtest.run.writer import Rows, writer
from acidtest.store.group import GroupCommit
from acidtest.store.runs import Store


async def execute(
    plan: Plan,
    store: Store,
    run_id: str,
    meter: Meter,
    watch: Watcher | None = None,
    *,
    owner: str | None = None,
) -> None:
    """Do what is left of a run.

    Args:
        plan: The plan that the run was created with.
        store: Where answers and results go.
        run_id: The run; what it already holds is not asked again.
        meter: Counts what the judge takes.
        watch: Told at the start, after every case, and now and then between cases.
        owner: Who makes the run.

    Raises:
        StoreError: The store failed; what was stored before stays.
        UsageError: Another has taken the run over.
    """
    answers = store.answers(run_id)
    have = settled(plan, store.results(run_id))
    counted = bool(plan.judged) or plan.embedder is not None
    use = lambda: meter.use if counted else None  # noqa: E731
    async with writer(store, run_id, use, owner=owner) as rows:
        job = _Job(plan, rows, answers, have, meter, watch)
        await job.run()


def settled(plan: Plan, results: Iterable[Result]) -> set[tuple[str, str, int]]:
    """Return what is not scored again: an endpoint that failed a case may answer it now."""
    asked = {bound.name for bound in plan.metrics if bound.metric.cost != "free"}
    return {
        (r.case_id, r.metric, r.trial)
        for r in results
        if not (r.metric in asked and isinstance(r.outcome, Failure))
    }


_AHEAD = 4
"""Judged metrics begun, for each call that may be in flight. How many are in flight is the business of whoever
calls; here some must be ready for whenever there is room: many wait for a pause, for the disk, or for the
question that another metric of their case is asking. They are bounded since each holds a prompt."""


class _Job:
    """One execution: the bounds and the counters that its cases share."""

    def __init__(
        self,
        plan: Plan,
        rows: GroupCommit[Rows],
        answers: dict[str, Answer],
        have: set[tuple[str, str, int]],
        meter: Meter,
        watch: Watcher | None,
    ) -> None:
        self.plan = plan
        self.rows = rows
        self.answers = answers
        self.have = have
        self.tally = _tally(plan, have, meter, watch)
        self.pipeline_slots = asyncio.Semaphore(plan.pipeline.options.concurrency)
        self.judges = [_metered(plan, draw, meter) for draw in range(plan.repeat)]
        self.judge_slots = asyncio.Semaphore(_AHEAD * plan.concurrency)
        self.embedding_slots = asyncio.Semaphore(plan.concurrency)
        self.over: BudgetSpent | None = None

    async def run(self) -> None:
        # What computes waits until the last answer is in: the pipeline's latency is to be its own.
        try:
            await self._each(self._answer, "answering")
            await self._each(self._compute, "scoring")
        except BaseException:
            # Whoever watches learns where it stopped; the first error is the one to tell.
            with suppress(Exception):
                self.tally.tell()
            raise

    async def _each(self, step: Callable[[Case], Awaitable[None]], doing: str) -> None:
        cases = iter(self.plan.cases)
        width = self.plan.pipeline.options.concurrency + self.plan.concurrency
        self.tally.begin(doing)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(width, len(self.plan.cases))):
                    group.create_task(self._work(cases, step))
        except BaseExceptionGroup as several:
            # One cause cancels the rest: it is told alone, as itself.
            first: BaseException = several
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            raise first from first.__cause__
        if self.over is not None:
            raise self.over

    async def _work(self, cases: Iterable[Case], step: Callable[[Case], Awaitable[None]]) -> None:
        for case in cases:
            if self.over is not None:
                return
            await step(case)
            self.tally.case(failed=self.answers[case.id].failure is not None)

    async def _answer(self, case: Case) -> None:
        if case.id not in self.answers:
            self.answers[case.id] = await self._ask(case)
        await self._judge_all([pair for pair in self._todo(case) if self._waits(pair[0])], case)

    async def _compute(self, case: Case) -> None:
        todo = [pair for pair in self._todo(case) if not self._waits(pair[0])]
        answer = self.answers[case.id]
        free = [
            await self._result(bound, case, answer, trial)
            for bound, trial in todo
            if bound.metric.cost == "free"
        ]
        if free:
            await self.rows.put(([], free))
        await self._judge_all([pair for pair in todo if pair[0].metric.cost != "free"], case)

    def _waits(self, bound: Bound) -> bool:
        """Say whether scoring mostly waits for an endpoint, so that it can run beside the pipeline."""
        cost = bound.metric.cost
        return cost == "embedding" or (cost == "judge" and self.plan.judge_waits)

    def _todo(self, case: Case) -> list[tuple[Bound, int]]:
        return [
            (bound, trial)
            for bound in self.plan.metrics
            for trial in range(self.plan.repeat if bound.metric.cost == "judge" else 1)
            if (case.id, bound.name, trial) not in self.have
        ]

    async def _ask(self, case: Case) -> Answer:
        contexts = self.plan.fed(case) if self.plan.mode == "golden-context" else None
        # The slot is held until the answer is on disk: a crash loses at most what is in flight.
        async with self.pipeline_slots:
            if self.plan.mode == "golden-context" and contexts is None:
                note = "not asked: the case has no evidence text"
                answer = Answer(case_id=case.id, notes=(note,))
            else:
                answer = await self._asked(case, contexts)
            await self.rows.put(([answer], []))
        return answer

    async def _asked(self, case: Case, contexts: tuple[Chunk, ...] | None) -> Answer:
        try:
            answer = await self.plan.pipeline.ask(case, mode=self.plan.mode, contexts=contexts)
        except PipelineError as error:
            partial = error.partial or Answer(case_id=case.id)
            failure = Failure(str(error), detail=error.detail)
            return _ranked(_replace(partial, case_id=case.id, failure=failure))
        if contexts is not None and answer.retrieved is None:
            answer = _replace(answer, retrieved=contexts)
        return _ranked(answer)

    async def _judge_all(self, todo: list[tuple[Bound, int]], case: Case) -> None:
        async with asyncio.TaskGroup() as group:
            for bound, trial in todo:
                group.create_task(self._judge(bound, case, self.answers[case.id], trial))

    async def _judge(self, bound: Bound, case: Case, answer: Answer, trial: int) -> None:
        try:
            async with self._slots(bound):
                result = await self._result(bound, case, answer, trial)
        except BudgetSpent as error:
            # Others in flight are paid for: they come to their end, and none is asked any more.
            self.over = self.over or error
            return
        # It could be had again from the journal: it waits for others, so that a commit takes many.
        await self.rows.put(([], [result]), patient=self._waits(bound))
        if bound.metric.cost == "judge":
            lost = isinstance(result.outcome, Failure) and answer.failure is None
            self.tally.judgement(failed=lost)

    def _slots(self, bound: Bound) -> asyncio.Semaphore:
        # An embedder of somebody's own has no bound but this one.
        own = "embedder" in bound.metric.needs
        return self.embedding_slots if own else self.judge_slots

    async def _result(self, bound: Bound, case: Case, answer: Answer, trial: int) -> Result:
        plan = self.plan
        outcome = await score(
            bound,
            case,
            answer,
            mode=plan.mode,
            judge=self.judges[trial],
            embedder=plan.embedder,
            unanswerable=plan.unanswerable,
            fed=plan.contexts is not None,
        )
        return Result(case_id=case.id, metric=bound.name, outcome=outcome, trial=trial)


def _tally(
    plan: Plan, have: set[tuple[str, str, int]], meter: Meter, watch: Watcher | None
) -> Tally:
    judged = {bound.name for bound in plan.judged}
    known = sum(metric in judged for _, metric, _ in have)
    return Tally(len(plan.cases), len(plan.cases) * len(judged) * plan.repeat, known, meter, watch)


def _metered(plan: Plan, draw: int, meter: Meter) -> Judge | None:
    if plan.judge is None:
        return None
    return metered(plan.judge_of(plan.judge, draw) if plan.judge_of else plan.judge, meter)


def _ranked(answer: Answer) -> Answer:
    def number(chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
        if chunks is None:
            return None
        return tuple(_replace(c, rank=n) for n, c in enumerate(chunks, start=1))

    return _replace(
        answer, retrieved=number(answer.retrieved), candidates=number(answer.candidates)
    )
