"""From a run, or from an anchor, to the plan that has its cases judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acidtest.data.answers import Answer
from acidtest.data.golden import Case, GoldenSet
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import UsageError
from acidtest.golden.version import version_of
from acidtest.metrics.bound import Bound
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.project.anchoring.choose import choose
from acidtest.project.anchoring.records import Anchor
from acidtest.project.config import Config
from acidtest.project.embedding import Embedding, embedding_of
from acidtest.project.judging import Judging
from acidtest.project.means import means_of
from acidtest.project.planning import bounds, judging_of, make_plan
from acidtest.run.imports import case_of
from acidtest.run.plan import Plan, check

NAME = "anchor"


@dataclass(frozen=True)
class Rejudging:
    """What is asked, and who is; `name` is the judge as commands name it."""

    name: str
    plan: Plan
    judging: Judging
    embedding: Embedding | None


def chosen_cases(
    run: Run, metrics: Sequence[str], n: int, config: Config
) -> tuple[list[CaseResult], list[Bound]]:
    """Choose cases of a run, and the judged metrics that they are judged by.

    Args:
        run: A judged run.
        metrics: Metrics of it; empty for all judged ones.
        n: How many cases are wanted.
        config: Its floors and targets say where good and bad part.

    Raises:
        UsageError: The run has no judged metric, not one that was named, or no case with a score.
    """
    judged = [name for name, summary in run.metrics.items() if summary.cost == "judge"]
    if not judged:
        raise UsageError(
            f"run {run.id} has no judged metric, so there is no verdict to hold a judge to",
            fix="Make a run with one: acidtest run -m faithfulness",
        )
    named = [bound.name for bound in bounds(list(metrics), config)] if metrics else judged
    for name in named:
        if name not in judged:
            raise UsageError(
                f"{name} is not judged in run {run.id}",
                where="-m",
                fix=f"It has: {', '.join(judged)}.",
            )
    cases = choose(run, named, n, {**config.targets, **config.gate.min})
    if not cases:
        raise UsageError(
            f"run {run.id} has no case with a score of {', '.join(named)}",
            fix="Score it first: acidtest run -m METRIC, or name another --metric.",
        )
    scored = [n for n in named if any(isinstance(c.scores.get(n), Score) for c in cases)]
    return cases, bounds(scored, config)


def plan_for(
    asked: Sequence[tuple[Case, Answer]],
    metrics: Sequence[Bound],
    config: Config,
    *,
    judge: str | None,
    repeat: int,
    concurrency: int,
    budget_usd: float | None,
) -> Rejudging:
    """Make the plan by which answers are judged again, with who judges.

    Raises:
        AcidtestError: There is no such judge, or a metric lacks what it needs.
    """
    means = means_of(config.judge, concurrency=concurrency, budget_usd=budget_usd)
    judging = judging_of(metrics, config, judge, means=means)
    if judging is None:
        raise UsageError("no metric of the anchor asks a judge", fix="Make the anchor anew.")
    embedding = embedding_of(metrics, config, None, means=means)
    cases = [case for case, _ in asked]
    plan = make_plan(
        RecordedPipeline([answer for _, answer in asked], name=NAME),
        GoldenSet(cases, version=version_of(cases)),
        metrics,
        config,
        judge=judging.judge,
        embedder=embedding.embedder if embedding else None,
        name=NAME,
        repeat=repeat,
        concurrency=concurrency,
        budget=means.budget,
    )
    check(plan)
    name = config.judge.model if judge is None else judge
    return Rejudging(name=name, plan=plan, judging=judging, embedding=embedding)


def asked_of(results: Sequence[CaseResult], cases: Mapping[str, Case]) -> list[tuple[Case, Answer]]:
    """Return cases of a run with their answers.

    Args:
        results: The cases as they went.
        cases: The cases as they were asked, by id, where they are known: a run's file has no history.
    """
    return [(cases.get(r.id) or case_of(r), _answer(r)) for r in results]


def asked_again(anchor: Anchor, config: Config) -> tuple[list[Bound], tuple[str, ...]]:
    """Return an anchor's metrics as they are today, and the names of those that are others now."""
    today = bounds(list(anchor.header.metrics), config)
    same = [b for b in today if b.spec.version == anchor.header.metrics.get(b.name)]
    names = {bound.name for bound in same}
    return same, tuple(name for name in anchor.header.metrics if name not in names)


def _answer(result: CaseResult) -> Answer:
    return Answer(
        case_id=result.id,
        text=result.answer,
        retrieved=result.retrieved,
        candidates=result.candidates,
        citations=result.citations,
        abstained=result.abstained,
    )
