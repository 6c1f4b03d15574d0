"""Two runs, paired by case: what changed in each metric that both scored.

The same case is asked in both runs, so that the difference within a case is what counts: its spread
is smaller than that of the cases themselves.
"""

from collections.abc import Iterable
from statistics import fmean

from acidtest.data import CaseResult, Change, Run, Score
from acidtest.errors import Incomparable
from acidtest.stats.bootstrap import paired_interval

TIE = 1e-9
"""Differences up to this are ties: they are rounding."""


def changes(base: Run, candidate: Run) -> tuple[Change, ...]:
    """Return what changed from `base` to `candidate`, one entry a metric, in the base's order.

    Means, wins, losses and the interval are over the cases that *both* runs scored in that metric:
    they can differ from the means of the runs. A win is a case where the candidate is better,
    whichever way the metric points.

    Raises:
        Incomparable: The runs share no case.
    """
    pairs = shared_cases(base, candidate)
    found = (_change(base, metric, pairs) for metric in base.metrics if metric in candidate.metrics)
    return tuple(change for change in found if change is not None)


def shared_cases(base: Run, candidate: Run) -> list[tuple[CaseResult, CaseResult]]:
    """Return the pairs of cases that ask the same in both runs: the same id and question.

    Raises:
        Incomparable: There is none.
    """
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


def caveats(base: Run, candidate: Run) -> tuple[str, ...]:
    """Return what must be said beside a comparison: other golden set, judge, mode or coverage.

    Raises:
        Incomparable: The runs share no case.
    """
    pairs = shared_cases(base, candidate)
    said = []
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
    said += _judges(base, candidate)
    if base.info.mode != candidate.info.mode:
        said.append(f"The modes differ: {base.info.mode} and {candidate.info.mode}.")
    dropped = [m for m in (*base.metrics, *candidate.metrics) if _one_sided(m, base, candidate)]
    if dropped:
        said.append(f"In one run only, not compared: {', '.join(dict.fromkeys(dropped))}.")
    return tuple(said)


def _judges(base: Run, candidate: Run) -> list[str]:
    one, other = base.info.judge, candidate.info.judge
    if one is None or other is None or one.fingerprint == other.fingerprint:
        return []
    models = f"{one.model}, {other.model}"
    return [f"The judges differ ({models}): judged metrics may have moved because of the judge."]


def _one_sided(metric: str, base: Run, candidate: Run) -> bool:
    return (metric in base.metrics) != (metric in candidate.metrics)


def _same(one: CaseResult, other: CaseResult) -> bool:
    return one.question == other.question and one.answerable == other.answerable


def _labels(case: CaseResult) -> tuple[object, ...]:
    return case.relevant, case.relevant_docs, case.reference


def _change(
    base: Run, metric: str, pairs: Iterable[tuple[CaseResult, CaseResult]]
) -> Change | None:
    values = [
        (one.value, other.value, old.group or old.id)
        for old, new in pairs
        if isinstance(one := old.scores.get(metric), Score)
        and isinstance(other := new.scores.get(metric), Score)
    ]
    if not values:
        return None
    summary = base.metrics[metric]
    deltas = [other - one for one, other, _ in values]
    sign = 1.0 if summary.direction == "higher" else -1.0
    wins = sum(sign * delta > TIE for delta in deltas)
    losses = sum(sign * delta < -TIE for delta in deltas)
    return Change(
        metric=metric,
        stage=summary.stage,
        direction=summary.direction,
        base=fmean(one for one, _, _ in values),
        candidate=fmean(other for _, other, _ in values),
        delta=fmean(deltas),
        ci=paired_interval(deltas, [group for _, _, group in values]),
        wins=wins,
        losses=losses,
        ties=len(values) - wins - losses,
        n=len(values),
    )
