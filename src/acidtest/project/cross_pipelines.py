"""The pipelines of two runs, found by the names that the runs keep: their generators are asked again."""

from acidtest.data.golden import GoldenSet
from acidtest.data.runs import Run
from acidtest.errors import UnknownName, UsageError
from acidtest.ports import Pipeline
from acidtest.project.config import Config
from acidtest.project.sources import pipelines_of

ESTIMATE = "Compare without --cross: then the split is an estimate from the two runs alone."


def both_pipelines(
    config: Config, base: Run, candidate: Run, golden: GoldenSet, warnings: list[str]
) -> tuple[Pipeline, Pipeline]:
    """Return the pipelines of the baseline and of the candidate.

    Args:
        config: Where they are configured.
        base: The baseline.
        candidate: The candidate.
        golden: What they will be asked.
        warnings: Gets a sentence where a pipeline may not be what it was.

    Raises:
        UsageError: One of them is not here any more, or takes no contexts.
    """
    one, other = base.info.pipeline, candidate.info.pipeline
    if one.name == other.name and one.fingerprint != other.fingerprint:
        raise UsageError(
            f"both runs are of pipeline {one.name!r}, whose code changed in between: only one of its "
            "generators is still here",
            where="--cross",
            fix="Configure both versions under names of their own (the old one may be in a git worktree) "
            "and evaluate both. " + ESTIMATE,
        )
    if one.name == other.name and base.info.commit != candidate.info.commit:
        warnings.append(
            f"Both runs are of pipeline {one.name!r}, from two commits: its generator is asked as it is "
            "now, for both."
        )
    first, second = (_pipeline(config, run, golden, warnings) for run in (base, candidate))
    return first, second


def _pipeline(config: Config, run: Run, golden: GoldenSet, warnings: list[str]) -> Pipeline:
    name = run.info.pipeline.name
    try:
        found, _ = pipelines_of(config, [name], None, golden)
    except UnknownName as error:
        if error.kind != "pipeline":
            raise
        raise UsageError(
            f"pipeline {name!r} of run {run.name!r} is not configured",
            where=config.path or "--cross",
            fix=f"Give it a table [pipelines.{name}], and evaluate it by that name. {ESTIMATE}",
        ) from error
    pipeline = found[0]
    reason = pipeline.refuses("golden-context")
    if reason is not None:
        raise UsageError(
            f"pipeline {name!r} cannot be crossed: {reason}", where="--cross", fix=ESTIMATE
        )
    if pipeline.fingerprint != run.info.pipeline.fingerprint:
        warnings.append(
            f"The code of pipeline {name!r} has changed since run {run.id}: its generator is asked as it "
            "is now."
        )
    return pipeline
