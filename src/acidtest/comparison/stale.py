"""Whether a baseline still measures the same: golden set, judge, versions of metrics."""

from collections.abc import Iterable

from acidtest.comparison.judge_names import called
from acidtest.comparison.quantity import Quantity
from acidtest.data.runs import Run


def stale(baseline: Run, run: Run, gated: Iterable[Quantity]) -> tuple[str, ...]:
    """Return why the baseline is stale for what is gated, one sentence each; empty when it is not."""
    told = []
    old, new = baseline.info, run.info
    if old.golden.version != new.golden.version:
        told.append(
            f"The golden set changed since the baseline "
            f"({_short(old.golden.version)} to {_short(new.golden.version)})."
        )
        if not (baseline.cases and run.cases):
            told.append("These are summaries without cases: the runs may not share a single one.")
    metrics = [
        name
        for name in dict.fromkeys(wanted.head for wanted in gated)
        if name in baseline.metrics and name in run.metrics
    ]
    judged = [name for name in metrics if run.metrics[name].cost == "judge"]
    one, other = old.judge, new.judge
    if one is not None and other is not None and one.fingerprint != other.fingerprint:
        was, now = called(one), called(other)
        models = f"{was}, asked otherwise" if was == now else f"{was}, now {now}"
        told.append(f"Another judge scored the baseline ({models}){_of(judged)}.")
    elif judged and (one is None) != (other is None):
        told.append(f"One of the runs does not say who judged it{_of(judged)}.")
    for name in metrics:
        was, now = baseline.metrics[name].version, run.metrics[name].version
        if was != now:
            told.append(
                f"The baseline has {name} in another version ({_short(was)}, now {_short(now)})."
            )
    return tuple(told)


def _of(judged: list[str]) -> str:
    return f": {', '.join(judged)} may have moved because of it" if judged else ""


def _short(version: str) -> str:
    kind, colon, digits = version.rpartition(":")
    return f"{kind}{colon}{digits[:12]}" if colon else version[:20]
