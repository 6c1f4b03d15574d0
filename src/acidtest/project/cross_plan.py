"""What a crossing asks: two plans, each a generator on the contexts of the other run.

What is asked is only what the two runs do not tell themselves: cases whose contexts differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acidtest.comparison.crossing import crossable
from acidtest.comparison.pair import shared_cases
from acidtest.data.golden import Case, GoldenSet
from acidtest.data.outcomes import Score
from acidtest.data.runs import JudgeRef, Run
from acidtest.errors import AcidtestError, UsageError
from acidtest.golden.load import load_golden
from acidtest.metrics.bound import Bound
from acidtest.ports import Judge
from acidtest.project.config import Config
from acidtest.project.cross_contexts import swapped
from acidtest.project.cross_pipelines import both_pipelines
from acidtest.project.embedding import Embedding, embedding_of
from acidtest.project.judging import Judging
from acidtest.project.means import Means, means_of
from acidtest.project.planning import bounds, judging_of, make_plan
from acidtest.run.imports import case_of
from acidtest.run.pinned import pinned
from acidtest.run.plan import Plan, check
from acidtest.store.runs import Store


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """What a crossing would ask, before anything is spent.

    Attributes:
        plans: The baseline's generator on the candidate's contexts, then the other way round; none
            where no case got other contexts.
        warnings: What a person should know before it is begun.
        judging: Who judges.
        embedding: Who embeds.
        means: What both share.
        other_judge: Whether one of the warnings is of a judge that is not the runs'.
    """

    plans: tuple[Plan, ...]
    warnings: tuple[str, ...]
    judging: Judging | None
    embedding: Embedding | None
    means: Means
    other_judge: bool = False


def plan_crossing(
    config: Config,
    base: Run,
    candidate: Run,
    *,
    store: Store | None = None,
    judge: str | Judge | None = None,
    concurrency: int = 8,
    budget_usd: float | None = None,
) -> Crossing:
    """Decide what a crossing asks; nothing is asked yet.

    Takes what `crossed` takes. The store tells of the runs' cases what the runs do not.

    Raises:
        UsageError: The runs cannot be crossed; the message says what to do.
        Incomparable: They share no case.
    """
    pairs = shared_cases(base, candidate)
    for run in (base, candidate):
        if run.info.mode != "live":
            raise UsageError(
                f"run {run.name!r} was made in mode {run.info.mode}, and only live runs can be crossed",
                where="--cross",
                fix="Evaluate the whole pipeline: acidtest run --mode live.",
            )
    warnings: list[str] = []
    metrics = _metrics(base, candidate, config, warnings)
    contexts = swapped(base, candidate, pairs, [m.name for m in metrics], warnings)
    means = means_of(
        config.judge,
        concurrency=concurrency,
        budget_usd=budget_usd,
        configured=judge is None or isinstance(judge, str),
    )
    if not contexts[0]:
        return Crossing(
            plans=(), warnings=tuple(warnings), judging=None, embedding=None, means=means
        )
    judging = judging_of(metrics, config, judge, means=means)
    embedding = embedding_of(metrics, config, None, means=means)
    of_judge = _other_judge(judging, base, candidate)
    warnings += of_judge
    golden = _golden(config, candidate, list(contexts[0]), store, warnings)
    pipelines = both_pipelines(config, base, candidate, golden, warnings)
    plans = []
    for pipeline, own, other, given in zip(
        pipelines, (base, candidate), (candidate, base), contexts, strict=True
    ):
        plan = make_plan(
            pipeline,
            golden,
            metrics,
            config,
            judge=judging.judge if judging else None,
            embedder=embedding.embedder if embedding else None,
            mode="golden-context",
            name=f"{own.name} on {other.name if other.name != own.name else other.id}",
            repeat=min(_repeats(base), _repeats(candidate)),
            concurrency=concurrency,
            budget=means.budget,
        )
        plan = replace(plan, contexts=given, contexts_from=other.id)
        check(plan)
        plans.append(plan)
    return Crossing(
        plans=tuple(plans),
        warnings=tuple(warnings),
        judging=judging,
        embedding=embedding,
        means=means,
        other_judge=bool(of_judge),
    )


def _metrics(base: Run, candidate: Run, config: Config, warnings: list[str]) -> list[Bound]:
    names = crossable(base, candidate)
    found: list[Bound] = []
    for name in names:
        try:
            some = bounds([name], config)
        except UsageError as error:
            warnings.append(f"{name} is not crossed: {error}")
            continue
        found += some
        if {b.spec.version for b in some} != {base.metrics[name].version} or (
            base.metrics[name].version != candidate.metrics[name].version
        ):
            warnings.append(f"{name} is scored in another version than in the runs.")
    if not found:
        raise UsageError(
            "the runs share no metric that both stages can move",
            where="--cross",
            fix="Score some in both, such as -m faithfulness -m token_f1.",
        )
    return found


def _other_judge(judging: Judging | None, base: Run, candidate: Run) -> list[str]:
    if judging is None:
        return []
    own = JudgeRef(model=judging.judge.model, fingerprint=judging.judge.fingerprint)
    theirs = [run.info.judge for run in (base, candidate) if run.info.judge is not None]
    # Which model is behind its name shows when it is asked: until then it is taken for the same.
    others = {
        judge.model
        for judge in theirs
        if judge.fingerprint != pinned(own, judge.reported).fingerprint
    }
    if not others:
        return []
    models = ", ".join(sorted(others))
    return [
        f"The runs were judged by {models}, the crossing is by {judging.judge.model}: name theirs with --judge."
    ]


def _golden(
    config: Config, run: Run, ids: Sequence[str], store: Store | None, warnings: list[str]
) -> GoldenSet:
    """Return the cases that are asked, with all that is known of them."""
    cases = _stored(run, store) or _configured(config, run)
    if cases is None:
        warnings.append(
            f"The golden set of run {run.name!r} is not here: its cases are asked without earlier turns."
        )
        cases = {case.id: case_of(case) for case in run.cases}
    return GoldenSet(
        [cases[i] for i in ids], version=run.info.golden.version, path=run.info.golden.path
    )


def _stored(run: Run, store: Store | None) -> dict[str, Case] | None:
    if store is None:
        return None
    found = next((s for s in store.all_runs() if s.info.id == run.id), None)
    return None if found is None else {case.id: case for case in store.cases(found)}


def _configured(config: Config, run: Run) -> dict[str, Case] | None:
    if config.golden is None:
        return None
    try:
        golden = load_golden(Path(config.folder) / config.golden)
    except AcidtestError:
        return None  # it is another one, or none any more: the run's own words will do
    return {c.id: c for c in golden} if golden.version == run.info.golden.version else None


def _repeats(run: Run) -> int:
    trials = (
        len(outcome.trials)
        for case in run.cases
        for outcome in case.scores.values()
        if isinstance(outcome, Score)
    )
    return max(trials, default=0) or 1
