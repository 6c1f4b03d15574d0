"""Stored rows to a `Run`: the same rows give the same run, today and in a year."""

from collections.abc import Sequence

from msgspec.structs import replace

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, MetricSpec, Outcome
from acidtest.data.runs import CaseResult, Run
from acidtest.run.pinned import pinned
from acidtest.run.repeats import merged
from acidtest.run.summary import operations, summary, tag_means
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store


def load(store: Store, stored: StoredRun) -> Run:
    """Assemble a stored run.

    Cases that the run has not reached (it was interrupted) count as failed, not as absent.

    Raises:
        StoreError: A row of it is damaged or missing.
    """
    cases = store.cases(stored)
    outcomes: dict[tuple[str, str], dict[int, Outcome]] = {}
    for result in store.results(stored.info.id):
        outcomes.setdefault((result.case_id, result.metric), {})[result.trial] = result.outcome
    answers = store.answers(stored.info.id)
    rows = tuple(case_result(case, answers.get(case.id), stored.specs, outcomes) for case in cases)
    groups = [case.group for case in cases]
    metrics = {
        spec.name: summary(spec, [row.scores[spec.name] for row in rows], groups)
        for spec in stored.specs
    }
    use, judge = stored.judge_use, stored.info.judge
    if use is not None and judge is not None:
        judge = pinned(judge, use.models)
    return Run(
        info=replace(stored.info, judge=judge),
        metrics=metrics,
        undecided={name: s.undecided for name, s in metrics.items() if s.undecided is not None},
        tags=tag_means(rows, metrics),
        operations=operations(rows, stored.judge_use),
        cases=rows,
    )


def case_result(
    case: Case,
    answer: Answer | None,
    specs: Sequence[MetricSpec],
    outcomes: dict[tuple[str, str], dict[int, Outcome]],
) -> CaseResult:
    """Join what was asked, what came back and how it scored."""
    missing = Failure("the run was interrupted before this was scored")
    scores: dict[str, Outcome] = {}
    for spec in specs:
        trials = outcomes.get((case.id, spec.name))
        scores[spec.name] = merged(trials) if trials else missing
    given = answer or Answer(case_id=case.id)
    return CaseResult(
        id=case.id,
        question=case.question,
        answer=given.text,
        retrieved=given.retrieved,
        tags=case.tags,
        group=case.group,
        latency_ms=given.latency_ms,
        usage=given.usage,
        scores=scores,
        reference=case.reference,
        relevant=case.relevant,
        relevant_docs=case.relevant_docs,
        evidence=case.evidence,
        answerable=case.answerable,
        candidates=given.candidates,
        citations=given.citations,
        abstained=given.abstained,
        failure=given.failure,
        notes=given.notes,
    )
