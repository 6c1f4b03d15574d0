"""The drop of a candidate from its baseline, corrected by people's labels of both, and what is said of it."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from acidtest.comparison.correct import Labelled, bounds_of, by_metric, correction_of
from acidtest.comparison.paired import Pairs
from acidtest.comparison.quantity import Quantity
from acidtest.data.corrected import Correction
from acidtest.data.gate import Gated
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.stats.ppi_change import CorrectedChange, corrected_change

Corrections = Mapping[Quantity, tuple[Correction | None, CorrectedChange | None]]
"""What the labels make of the candidate's mean, and of its drop."""


def corrected_drops(
    quantities: Iterable[Quantity],
    pairs: Pairs,
    labels: Sequence[HumanLabel],
    baseline_labels: Sequence[HumanLabel],
) -> dict[Quantity, CorrectedChange]:
    """Return the corrected change of each mean that has labels.

    Args:
        quantities: What is gated.
        pairs: The shared cases, the baseline's first.
        labels: People's labels of the candidate's answers.
        baseline_labels: The same of the baseline's; without them those of the candidate are taken where
            both gave the same answer from the same contexts.
    """
    after = by_metric(labels)
    before = by_metric(baseline_labels or _carried(labels, pairs))
    return {
        wanted: change
        for wanted in quantities
        if _is_corrected(wanted)
        and wanted.head in after
        and (change := _change(wanted, pairs, before.get(wanted.head, {}), after[wanted.head]))
    }


def with_corrections(
    entry: Gated, mean: Correction | None, change: CorrectedChange | None
) -> Gated:
    """Return a gated quantity with what the labels make of it."""
    if mean is not None:
        entry = replace(entry, corrected=mean)
    return entry if change is None else replace(entry, corrected_drop=correction_of(change))


def on_corrections(
    corrections: Corrections,
    run: Run,
    labels: Sequence[HumanLabel],
    drops: Iterable[Quantity],
) -> list[str]:
    """Say of each gated quantity that has labels what is corrected, and why what is not is not."""
    labelled, dropped = {label.metric for label in labels}, set(drops)
    told = []
    for wanted, (mean, change) in corrections.items():
        if wanted.head not in labelled:
            if labels and _is_judged(run, wanted):
                told.append(f"{wanted.name} has no label: the judge's own value counts.")
            continue
        if mean is None:
            told.append(f"{wanted.name} is the judge's own: only means of all cases are corrected.")
        elif mean.mean is None or mean.ci is None:
            told.append(f"{wanted.name} is not corrected ({mean.note}): the judge's mean counts.")
        else:
            alone = run.metrics[wanted.head].mean
            told.append(
                f"{wanted.name} is corrected by {mean.labels} labels to {mean.mean:.3f} "
                f"({mean.ci[0]:.3f} to {mean.ci[1]:.3f})"
                + ("." if alone is None else f"; the judge alone says {alone:.3f}.")
            )
        if mean is not None and wanted in dropped and (change is None or not change.is_corrected):
            why = "no case is scored in both runs" if change is None else change.note
            told.append(f"The drop of {wanted.name} is the judge's own ({why}).")
    return told


def _is_judged(run: Run, wanted: Quantity) -> bool:
    summary = run.metrics.get(wanted.head)
    return summary is not None and summary.cost == "judge"


def _is_corrected(wanted: Quantity) -> bool:
    return wanted.tag is None and wanted.statistic == "mean" and not wanted.is_operation


def _carried(labels: Sequence[HumanLabel], pairs: Pairs) -> list[HumanLabel]:
    """Return the labels of the candidate that are true of the baseline, too."""
    alike = {new.id for old, new in pairs if _alike(old, new)}
    return [label for label in labels if label.case in alike]


def _alike(old: CaseResult, new: CaseResult) -> bool:
    return old.answer == new.answer and _contexts(old) == _contexts(new)


def _contexts(case: CaseResult) -> list[tuple[str, str | None]]:
    return [(chunk.id or "", chunk.text) for chunk in case.retrieved or ()]


def _change(
    wanted: Quantity,
    pairs: Pairs,
    before: Mapping[str, Labelled],
    after: Mapping[str, Labelled],
) -> CorrectedChange | None:
    scored = [
        (old, one.value, new, other.value)
        for old, new in pairs
        if isinstance(one := old.scores.get(wanted.head), Score)
        and isinstance(other := new.scores.get(wanted.head), Score)
    ]
    if not scored:
        return None
    olds, news = [x for _, x, _, _ in scored], [x for _, _, _, x in scored]
    first, last = [before.get(o.id) for o, *_ in scored], [after.get(n.id) for _, _, n, _ in scored]
    said, says = _values(first), _values(last)
    return corrected_change(
        olds,
        news,
        said,
        says,
        weights_before=_weights(first),
        weights_after=_weights(last),
        groups=[old.group if old.group is not None else (n,) for n, (old, *_) in enumerate(scored)],
        bounds=bounds_of(wanted.head, olds, news, said, says),
    )


def _values(labels: Sequence[Labelled | None]) -> list[float | None]:
    return [None if label is None else label.value for label in labels]


def _weights(labels: Sequence[Labelled | None]) -> list[float]:
    return [0.0 if label is None else label.weight for label in labels]
