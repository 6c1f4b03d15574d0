"""Many runs, ranked by one metric: the set of the best, ranks as intervals, and what the best costs.

A sweep tries chunk sizes, values of k, rerankers; the highest mean of thirty is as much luck as merit.
Every pair is compared at once (`stats.best`), over the cases that all runs scored, so a winner is named
only when it is clearly better than each other run.
"""

from collections.abc import Sequence
from statistics import fmean

from acidtest.comparison.own_value import own_value
from acidtest.comparison.pair import check_cases
from acidtest.comparison.quantity import COST, LATENCY
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.data.sweep import Contender, Sweep
from acidtest.errors import Incomparable, UnknownName
from acidtest.stats.best import Pairs, compare_all
from acidtest.stats.bootstrap import mean_interval
from acidtest.stats.power import ALPHA


def rank(runs: Sequence[Run], metric: str) -> Sweep:
    """Rank runs by a metric.

    Args:
        runs: At least two, over the same golden set; cases pair by id and question.
        metric: What to rank by.

    Raises:
        UnknownName: A run does not have the metric.
        Incomparable: Fewer than two runs, or no two cases that all of them scored.
    """
    if len(runs) < 2:
        raise Incomparable("a ranking needs at least two runs", fix="Name more runs.")
    for run in runs:
        if metric not in run.metrics:
            raise UnknownName("metric in every run", metric, run.metrics, where=run.name)
        check_cases(run)
    cases, values = _scored_by_all(runs, metric)
    direction = runs[0].metrics[metric].direction
    sign = 1 if direction == "higher" else -1
    groups = [case.group if case.group is not None else (case.id,) for case in cases]
    pairs = compare_all(values, groups)
    if pairs is None:
        raise Incomparable(
            f"{metric} was scored in fewer than two cases by all of the runs",
            fix="Rank by another metric, or leave out the run that lacks its scores.",
        )
    order = sorted(range(len(runs)), key=lambda i: -sign * pairs.means[i])
    best = set(pairs.best(alpha=ALPHA, sign=sign))
    made = [
        _contender(
            runs[i], i, pairs, metric, [row[i] for row in values], groups, best, order[0], sign
        )
        for i in order
    ]
    front = tuple(_with_front(one, made, sign) for one in made)
    return Sweep(
        metric=metric,
        direction=direction,
        cases=len(cases),
        contenders=front,
        words=tuple(_words(metric, front)),
        notes=tuple(_notes(runs, len(cases))),
    )


def _scored_by_all(runs: Sequence[Run], metric: str) -> tuple[list[CaseResult], list[list[float]]]:
    by_id = [{case.id: case for case in run.cases} for run in runs]
    cases: list[CaseResult] = []
    values: list[list[float]] = []
    for case in runs[0].cases:
        same = [found.get(case.id) for found in by_id]
        scores = [
            one.scores.get(metric) if one is not None and one.question == case.question else None
            for one in same
        ]
        row = [score.value for score in scores if isinstance(score, Score)]
        if len(row) == len(runs):
            cases.append(case)
            values.append(row)
    if not cases:
        raise Incomparable(
            f"no case was scored in {metric} by all of the {len(runs)} runs",
            fix="Rank runs over the same golden set, and leave out a run that lacks the scores.",
        )
    return cases, values


def _contender(
    run: Run,
    i: int,
    pairs: Pairs,
    metric: str,
    values: list[float],
    groups: Sequence[object],
    best: set[int],
    first: int,
    sign: int,
) -> Contender:
    return Contender(
        run=run.info,
        value=pairs.means[i],
        ci=mean_interval(values, groups),
        rank=pairs.ranks(i, alpha=ALPHA, sign=sign),
        best=i in best,
        p_best=None if i == first else pairs.p[first][i],
        cost_usd=own_value(run, COST),
        latency_ms=own_value(run, LATENCY),
        values={n: s.mean for n, s in run.metrics.items() if s.mean is not None and n != metric},
    )


def _with_front(one: Contender, all_: Sequence[Contender], sign: int) -> Contender:
    from msgspec.structs import replace

    return replace(one, front=not any(_dominates(other, one, sign) for other in all_))


def _dominates(other: Contender, one: Contender, sign: int) -> bool:
    """Say whether another run is at least as good, as cheap and as quick, and better in one."""
    pairs = [(sign * other.value, sign * one.value)]
    for mine, theirs in ((one.cost_usd, other.cost_usd), (one.latency_ms, other.latency_ms)):
        if mine is not None and theirs is not None:
            pairs.append((-theirs, -mine))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def _words(metric: str, ranked: Sequence[Contender]) -> list[str]:
    best = [one for one in ranked if one.best]
    said = []
    if len(best) == 1:
        said.append(f"{best[0].run.name} is clearly the best in {metric}.")
    elif len(best) == len(ranked):
        said.append(f"No run is clearly better than another in {metric}.")
    else:
        said.append(
            f"{len(best)} of {len(ranked)} runs may be the best in {metric}; the others are clearly "
            "worse than one of them."
        )
    for what, of in (("cheapest", _cost), ("quickest", _latency)):
        known = [one for one in best if of(one) is not None]
        if len(best) > 1 and len(known) == len(best):
            least = min(known, key=lambda one: of(one) or 0.0)
            rest = fmean(of(one) or 0.0 for one in known)
            if rest and (of(least) or 0.0) < 0.95 * rest:
                said.append(f"The {what} of them is {least.run.name}.")
    return said


def _cost(one: Contender) -> float | None:
    return one.cost_usd


def _latency(one: Contender) -> float | None:
    return one.latency_ms


def _notes(runs: Sequence[Run], cases: int) -> list[str]:
    said = []
    most = max(len(run.cases) for run in runs)
    if cases < most:
        said.append(f"Ranked on the {cases} of {most} cases that all runs scored.")
    if len({run.info.golden.version for run in runs}) > 1:
        said.append("The golden sets differ; only cases that are in all of them count.")
    judges = {run.info.judge.fingerprint for run in runs if run.info.judge}
    if len(judges) > 1:
        said.append("The judges differ: judged metrics may differ because of the judge.")
    return said
