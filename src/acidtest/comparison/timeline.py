"""Runs of one name over time: one line a commit, and which changes are more than noise."""

from collections.abc import Sequence

from acidtest.comparison.change import corrected, metric_change
from acidtest.comparison.judge_names import called
from acidtest.comparison.own_value import own_value
from acidtest.comparison.pair import shared_cases
from acidtest.comparison.quantity import COST, LATENCY
from acidtest.data.history import History, Moment
from acidtest.data.runs import Run
from acidtest.errors import Incomparable
from acidtest.stats.power import ALPHA

METRICS = ("recall@5", "mrr", "faithfulness", "correctness", "abstention_accuracy")
"""The columns where none are asked for and the runs have them."""

MOST = 7

OPERATIONS = {wanted.name: wanted for wanted in (LATENCY, COST)}
"""The columns that no metric is."""


def timeline(
    runs: Sequence[Run], metrics: Sequence[str] = (), *, counts: Sequence[int] = ()
) -> History:
    """Return the history of runs.

    A column has moved when its change from the line before is clear: the p-value, corrected over the
    columns, is at most 5 %.

    Args:
        runs: One a commit, oldest first; at least one.
        metrics: The columns; by default the usual ones that the runs have, with p95 latency and cost.
        counts: How many runs each stands for; by default one.
    """
    columns = tuple(metrics) or _usual(runs)
    moments: list[Moment] = []
    notes: list[str] = []
    for n, run in enumerate(runs):
        before = runs[n - 1] if n else None
        moments.append(
            Moment(
                run=run.id,
                created=run.info.created,
                commit=run.info.commit,
                judge=run.info.judge.model if run.info.judge else None,
                golden=run.info.golden.version,
                cases=len(run.cases),
                values={name: x for name in columns if (x := _value(run, name)) is not None},
                moved=_moved(before, run, columns) if before else {},
                runs=counts[n] if n < len(counts) else 1,
            )
        )
        notes += _breaks(before, run) if before else []
    return History(
        name=runs[-1].name,
        columns=columns,
        directions={name: _direction(runs, name) for name in columns},
        moments=tuple(moments),
        notes=tuple(notes),
    )


def _value(run: Run, column: str) -> float | None:
    if column in OPERATIONS:
        return own_value(run, OPERATIONS[column])
    return run.metrics[column].mean if column in run.metrics else None


def _usual(runs: Sequence[Run]) -> tuple[str, ...]:
    scored = (
        name
        for run in reversed(runs)
        for name, summary in run.metrics.items()
        if summary.mean is not None
    )
    had = list(dict.fromkeys(scored))
    chosen = [name for name in METRICS if name in had]
    chosen += [name for name in had if name not in chosen][: max(0, len(METRICS) - len(chosen))]
    told = [name for name in OPERATIONS if any(_value(run, name) is not None for run in runs)]
    return tuple((chosen + told)[:MOST])


def _moved(before: Run, run: Run, columns: Sequence[str]) -> dict[str, int]:
    try:
        pairs = shared_cases(before, run)
    except Incomparable:
        return {}
    both = [name for name in columns if name in before.metrics and name in run.metrics]
    specs = [(name, run.metrics[name].stage, run.metrics[name].direction) for name in both]
    found = corrected([made for spec in specs if (made := metric_change(*spec, pairs))])
    clear = {}
    for change in found:
        if change.p_adjusted is not None and change.p_adjusted <= ALPHA and change.delta:
            better = (change.delta > 0) == (change.direction == "higher")
            clear[change.metric] = 1 if better else -1
    return clear


def _direction(runs: Sequence[Run], column: str) -> str:
    if column in OPERATIONS:
        return "lower"
    return next(
        (r.metrics[column].direction for r in reversed(runs) if column in r.metrics), "higher"
    )


def _breaks(before: Run, run: Run) -> list[str]:
    said = []
    at = f"{run.info.commit.sha[:8]}" if run.info.commit else run.id
    if before.info.golden.version != run.info.golden.version:
        said.append(f"From {at} on the golden set is another: lines before are over other cases.")
    one, other = before.info.judge, run.info.judge
    if one and other and one.fingerprint != other.fingerprint:
        said.append(
            f"From {at} on the judge is another ({called(one)}, then {called(other)}): judged metrics "
            "may have moved because of it."
        )
    return said
