"""A run's means, corrected by people's labels of some of its cases.

A label is a person's value for a metric of a case, given to the answer that this run has. Several people's
values of one case are one label, their mean.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import UNSET, Struct
from msgspec.structs import replace

from acidtest.data.corrected import Correction
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.data.ranges import SHARE, Range, inside, range_of
from acidtest.data.runs import Run
from acidtest.stats.ppi import Corrected, corrected_mean


class Labelled(Struct, frozen=True):
    """What people say of one case: the mean of their values, and the weight of the case."""

    value: float
    weight: float


Labels = Mapping[str, Mapping[str, Labelled]]
"""Metric -> case -> label."""


def by_metric(labels: Iterable[HumanLabel]) -> Labels:
    """Return labels by metric and case, several people's as one."""
    held: dict[str, dict[str, list[HumanLabel]]] = {}
    for label in labels:
        held.setdefault(label.metric, {}).setdefault(label.case, []).append(label)
    return {
        metric: {
            case: Labelled(fmean(x.label for x in some), fmean(x.weight for x in some))
            for case, some in cases.items()
        }
        for metric, cases in held.items()
    }


def corrected_run(run: Run, labels: Sequence[HumanLabel]) -> Run:
    """Return a run whose summaries hold the corrected mean of every metric that has labels.

    What corrections the run had before are gone: without labels it comes back plain.
    """
    held = by_metric(labels)
    return replace(
        run,
        metrics={
            name: replace(
                summary,
                corrected=correction_of(_mean(run, name, held[name])) if name in held else UNSET,
            )
            for name, summary in run.metrics.items()
        },
    )


def correction_of(found: Corrected | None) -> Correction:
    """Return a correction as it is written; None is one of a run that has no score."""
    if found is None:
        note = "no case has a score in this run, so there is nothing to correct"
        return Correction(mean=None, ci=None, labels=0, weight=None, note=note)
    return Correction(
        mean=found.mean if found.is_corrected else None,
        ci=found.ci,
        labels=found.labels,
        weight=found.weight,
        note=found.note,
    )


def bounds_of(metric: str, *columns: Iterable[float | None]) -> Range | None:
    """Return a metric's range: that of ours, 0 to 1 where all values lie there, else none."""
    known = range_of(metric)
    if known is not None:
        return known
    some = [x for column in columns for x in column if x is not None]
    return SHARE if all(inside(x, SHARE) for x in some) else None


def _mean(run: Run, metric: str, labels: Mapping[str, Labelled]) -> Corrected | None:
    scored = [
        (case, outcome.value)
        for case in run.cases
        if isinstance(outcome := case.scores.get(metric), Score)
    ]
    if not scored:
        return None
    judged = [value for _, value in scored]
    some = [labels.get(case.id) for case, _ in scored]
    said = [None if label is None else label.value for label in some]
    return corrected_mean(
        judged,
        said,
        weights=[0.0 if label is None else label.weight for label in some],
        groups=[
            case.group if case.group is not None else (n,) for n, (case, _) in enumerate(scored)
        ],
        bounds=bounds_of(metric, judged, said),
    )
