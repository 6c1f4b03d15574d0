"""Which cases and metrics two runs share, and what must be said beside a comparison of them."""

from acidtest.comparison.judge_names import called
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import Incomparable, UsageError


def shared_cases(base: Run, candidate: Run) -> list[tuple[CaseResult, CaseResult]]:
    """Return the pairs of cases that ask the same in both runs: the same id and question.

    Raises:
        Incomparable: There is none, or a run has a case twice, or summaries only.
    """
    for run in (base, candidate):
        check_cases(run)
        check_once(run)
    theirs = {case.id: case for case in candidate.cases}
    pairs = [
        (case, theirs[case.id])
        for case in base.cases
        if case.id in theirs and _same(case, theirs[case.id])
    ]
    if not pairs:
        raise Incomparable(
            f"the runs {base.name!r} and {candidate.name!r} share no case",
            fix="Compare runs over the same golden set; cases pair by id and question.",
        )
    return pairs


def shared_metrics(base: Run, candidate: Run) -> list[str]:
    """Return the metrics that both runs have, in the base's order."""
    return [name for name in base.metrics if name in candidate.metrics]


def check_runs(*runs: object) -> None:
    """Refuse what is no run, such as the path of one.

    Raises:
        UsageError: One of them is no run.
    """
    for run in runs:
        if not isinstance(run, Run):
            raise UsageError(
                f"a run is needed, not {type(run).__name__}",
                fix="Read a file with acidtest.load_run(path), or make a run with evaluate().",
            )


def check_cases(run: Run) -> None:
    """Refuse a run that has no cases where cases are held against each other.

    Raises:
        Incomparable: It has none.
    """
    if not run.cases:
        raise Incomparable(
            f"the run {run.name!r} has no cases (summaries only), and runs are compared case by case",
            fix="Export the whole run; the strict gate holds summaries against each other, too.",
        )


def check_once(run: Run) -> None:
    """Refuse a run that has a case twice: it cannot be told which one another run's case belongs to.

    Raises:
        Incomparable: An id stands for more than one case.
    """
    seen: set[str] = set()
    for case in run.cases:
        if case.id in seen:
            raise Incomparable(
                f"the run {run.name!r} has two cases with the id {case.id!r}",
                fix="Give every case an id of its own, and run again.",
            )
        seen.add(case.id)


def caveats(base: Run, candidate: Run) -> tuple[str, ...]:
    """Return what must be said beside a comparison: one run twice; other golden set, judge, mode, version.

    Raises:
        Incomparable: The runs share no case.
    """
    pairs = shared_cases(base, candidate)
    said = []
    if base == candidate:
        said.append("Both are the same run: nothing can differ.")
    if base.info.golden.version != candidate.info.golden.version:
        said.append(
            f"The golden sets differ; compared on the {len(pairs)} cases that both have "
            f"(of {len(base.cases)} and {len(candidate.cases)})."
        )
    elif len(pairs) < max(len(base.cases), len(candidate.cases)):
        said.append(
            f"Compared on the {len(pairs)} cases that both runs have "
            f"(of {len(base.cases)} and {len(candidate.cases)})."
        )
    relabelled = sum(_labels(one) != _labels(other) for one, other in pairs)
    if relabelled:
        said.append(f"Labels or reference changed in {relabelled} of the shared cases.")
    said += other_judges(base, candidate)
    if base.info.mode != candidate.info.mode:
        said.append(f"The modes differ: {base.info.mode} and {candidate.info.mode}.")
    reworded = [m for m in base.metrics if _versions_differ(m, base, candidate)]
    if reworded:
        said.append(f"Scored in other versions (method or prompt): {', '.join(reworded)}.")
    turned = [
        name
        for name in shared_metrics(base, candidate)
        if base.metrics[name].direction != candidate.metrics[name].direction
    ]
    if turned:
        said.append(f"Higher is better in one run, lower in the other: {', '.join(turned)}.")
    dropped = [m for m in (*base.metrics, *candidate.metrics) if _one_sided(m, base, candidate)]
    if dropped:
        said.append(f"In one run only, not compared: {', '.join(dict.fromkeys(dropped))}.")
    return tuple(said)


def other_judges(base: Run, candidate: Run) -> list[str]:
    """Return what must be said where two runs were judged by different judges."""
    one, other = base.info.judge, candidate.info.judge
    if one is None or other is None or one.fingerprint == other.fingerprint:
        return []
    models = f"{called(one)}, {called(other)}"
    return [f"The judges differ ({models}): judged metrics may have moved because of the judge."]


def _one_sided(metric: str, base: Run, candidate: Run) -> bool:
    return (metric in base.metrics) != (metric in candidate.metrics)


def _versions_differ(metric: str, base: Run, candidate: Run) -> bool:
    there = candidate.metrics.get(metric)
    return there is not None and there.version != base.metrics[metric].version


def _same(one: CaseResult, other: CaseResult) -> bool:
    return one.question == other.question and one.answerable == other.answerable


def _labels(case: CaseResult) -> tuple[object, ...]:
    return case.relevant, case.relevant_docs, case.reference
