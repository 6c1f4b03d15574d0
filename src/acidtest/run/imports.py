"""Putting a run that came as a file into a store, row by row, so that it reads like any other."""

from acidtest.codec.json import content_hash
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import MetricSpec, Result
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import DataError, UsageError
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store


def put(run: Run, store: Store) -> None:
    """Store a run.

    Of its golden set the run's own cases are kept; a case that the store has already, under the same
    version, stands as it is.

    Raises:
        UsageError: A run of this id is in the store already.
        DataError: The run has no cases: a summary alone cannot be stored.
    """
    if not run.cases:
        raise DataError(
            "the run has no cases: a summary alone cannot be stored",
            where=run.id,
            fix="Export the whole run: acidtest runs export.",
        )
    if any(stored.info.id == run.id for stored in store.all_runs()):
        raise UsageError(f"run {run.id!r} is in the store already", fix="Delete it first.")
    cases = [case_of(row) for row in run.cases]
    specs = tuple(
        MetricSpec(name=name, stage=s.stage, direction=s.direction, cost=s.cost, version=s.version)
        for name, s in run.metrics.items()
    )
    store.create(
        StoredRun(
            info=run.info,
            specs=specs,
            case_ids=tuple(case.id for case in cases),
            plan_hash=content_hash(["imported", run.id]),
        ),
        cases,
    )
    results = [
        Result(case_id=row.id, metric=name, outcome=outcome)
        for row in run.cases
        for name, outcome in row.scores.items()
    ]
    store.save(run.id, [_answer(row) for row in run.cases], results)
    if run.operations.judge is not None:
        store.set_status(run.id, run.info.status, judge_use=run.operations.judge)


def case_of(row: CaseResult) -> Case:
    """Return the case of a row, as far as a run tells: without earlier turns, split, source, metadata."""
    return Case(
        id=row.id,
        question=row.question,
        reference=row.reference,
        relevant=row.relevant,
        relevant_docs=row.relevant_docs,
        evidence=row.evidence,
        answerable=row.answerable,
        tags=row.tags,
        group=row.group,
    )


def _answer(row: CaseResult) -> Answer:
    return Answer(
        case_id=row.id,
        text=row.answer,
        retrieved=row.retrieved,
        candidates=row.candidates,
        citations=row.citations,
        abstained=row.abstained,
        latency_ms=row.latency_ms,
        usage=row.usage,
        failure=row.failure,
        notes=row.notes,
    )
