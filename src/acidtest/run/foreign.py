"""A run of what another tool scored, so that it reads, compares and gates like our own."""

from collections.abc import Mapping, Sequence

from acidtest.codec.json import content_hash
from acidtest.data.answers import Answer
from acidtest.data.golden import GoldenSet
from acidtest.data.outcomes import MetricSpec, Outcome
from acidtest.data.runs import GoldenRef, JudgeRef, Ref, Run, RunInfo
from acidtest.run.assemble import case_result
from acidtest.run.summary import operations, summary, tag_means


def foreign_run(
    name: str,
    golden: GoldenSet,
    answers: Mapping[str, Answer],
    scores: Mapping[str, Mapping[str, Outcome]],
    specs: Sequence[MetricSpec],
    *,
    tool: str,
    created: str,
    judge: str | None = None,
) -> Run:
    """Return a run over the cases that have a score or an answer.

    Its id follows from what it holds: the same file gives the same run.

    Args:
        name: The system.
        golden: The cases.
        answers: Case id -> what the system gave.
        scores: Case id -> metric -> outcome; every metric of `specs` for every case.
        specs: The metrics.
        tool: The format that the scores came in.
        created: When, in ISO 8601.
        judge: The model that scored, where it is known.
    """
    cases = [case for case in golden if case.id in answers or case.id in scores]
    outcomes = {
        (case_id, metric): {0: outcome}
        for case_id, row in scores.items()
        for metric, outcome in row.items()
    }
    rows = tuple(case_result(case, answers.get(case.id), specs, outcomes) for case in cases)
    groups = [case.group for case in cases]
    metrics = {
        spec.name: summary(spec, [row.scores[spec.name] for row in rows], groups) for spec in specs
    }
    mark = content_hash([name, tool, rows]).removeprefix("sha256:")
    return Run(
        info=RunInfo(
            id=f"{tool}-{mark[:12]}",
            name=name,
            created=created,
            status="finished",
            mode="live",
            golden=GoldenRef(path=golden.path, version=golden.version, cases=len(cases)),
            pipeline=Ref(name=name, fingerprint=content_hash([name, sorted(answers.items())])),
            judge=None if judge is None else JudgeRef(model=judge, fingerprint=f"{tool}:{judge}"),
        ),
        metrics=metrics,
        tags=tag_means(rows, metrics),
        operations=operations(rows, None),
        cases=rows,
    )
