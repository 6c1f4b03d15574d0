"""From names and objects to a plan: metrics, judge, pipeline, settings."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from acidtest.data.golden import GoldenSet
from acidtest.data.terms import Mode
from acidtest.errors import UsageError
from acidtest.judges.budget import Budget
from acidtest.metrics.bound import Bound
from acidtest.metrics.declare import CaseMetric, LabelMetric
from acidtest.pipelines.function import as_pipeline
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.ports import Embedder, Judge, Pipeline, PipelineOptions
from acidtest.project.config import Config
from acidtest.project.judging import Judging, judge_named, own
from acidtest.project.means import Means
from acidtest.project.tiers import resolve
from acidtest.run.plan import Plan, Unanswerable

Named = str | Bound | LabelMetric[Any] | CaseMetric[Any, Any]


def judging_of(
    metrics: Sequence[Bound],
    config: Config,
    judge: str | Judge | None,
    *,
    means: Means | None = None,
) -> Judging | None:
    """Make the judge that metrics ask; None where none of them does.

    Files of own judges are looked for beside the configuration that names them, or in the working
    folder.
    """
    if not any(bound.metric.cost == "judge" for bound in metrics):
        return None
    if judge is None or isinstance(judge, str):
        base = Path(config.folder) if judge is None else Path.cwd()
        return judge_named(config.judge, judge, means=means, base=base)
    return own(judge, means)


def make_plan(
    pipeline: Pipeline,
    golden: GoldenSet,
    metrics: Sequence[Bound],
    config: Config,
    *,
    judge: Judge | None = None,
    embedder: Embedder | None = None,
    mode: Mode = "live",
    name: str | None = None,
    repeat: int = 1,
    concurrency: int = 8,
    unanswerable: Unanswerable | None = None,
    budget: Budget | None = None,
) -> Plan:
    """Decide everything that a run needs."""
    return Plan(
        name=name or pipeline.name,
        pipeline=pipeline,
        cases=golden,
        golden_version=golden.version,
        golden_path=golden.path,
        metrics=metrics,
        mode=mode,
        judge=judge,
        embedder=embedder,
        repeat=repeat,
        concurrency=concurrency,
        unanswerable=unanswerable or config.unanswerable,
        budget=budget,
    )


def pipeline_of(
    thing: Any,
    golden: GoldenSet,
    *,
    name: str | None = None,
    options: PipelineOptions | None = None,
) -> Pipeline:
    """Make a pipeline of anything that answers; None means the answers inside the golden set."""
    if thing is None:
        if not golden.recorded:
            raise UsageError(
                "no pipeline was given, and the golden set carries no recorded answers",
                fix="Name a pipeline, or give recorded outputs with --outputs.",
            )
        return RecordedPipeline(golden.recorded, name=name or "recorded")
    if hasattr(thing, "ask") and hasattr(thing, "refuses"):
        ready: Pipeline = thing
        return ready
    return as_pipeline(thing, name=name, options=options or PipelineOptions())


def bounds(metrics: Sequence[Named] | None, config: Config) -> list[Bound]:
    """Turn names, tiers and metric objects into metrics with their settings.

    None is the fast tier, as configured; one name or metric is taken for a list of one.

    Raises:
        UsageError: An item is none of these.
    """
    if isinstance(metrics, str | Bound | LabelMetric | CaseMetric):
        metrics = [metrics]
    if not isinstance(metrics, Iterable | None):
        raise UsageError(
            f"metrics is of type {type(metrics).__name__}",
            where="metrics",
            fix='Give a list such as ["recall@5", "mrr"].',
        )
    found: dict[str, Bound] = {}
    for item in ["fast"] if metrics is None else metrics:
        if isinstance(item, str):
            some = resolve([item], config)
        elif isinstance(item, Bound):
            some = [item]
        elif isinstance(item, LabelMetric | CaseMetric):
            some = [Bound(item, {})]
        else:
            raise UsageError(
                f"an item of type {type(item).__name__} is not a metric",
                where="metrics",
                fix="Give names, or functions decorated with acidtest.metric(...).",
            )
        for bound in some:
            found.setdefault(bound.name, bound)
    return list(found.values())
