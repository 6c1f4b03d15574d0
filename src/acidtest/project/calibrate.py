"""Calibrating a judge: how far its verdicts agree with people's, and what that is worth."""

import os
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.codec.lossy import encoded
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Skip
from acidtest.data.runs import Run
from acidtest.project.calibrating.answers import labels_of_run
from acidtest.project.calibrating.baselines import Baseline, baselines
from acidtest.project.calibrating.choosing import Chosen
from acidtest.project.calibrating.pairing import Paired, paired
from acidtest.project.calibrating.people import Ceiling, Measured, ceiling
from acidtest.project.calibrating.quality import (
    Class,
    Confusion,
    Refitted,
    Tagged,
    agreements,
    alphas,
    area,
    by_tag,
    classes,
    confusion,
    enough,
    judged,
    refitted,
    weighted_kappa,
)
from acidtest.project.human_labels import read_label_rows

FEWEST = 30
"""Labelled cases under which nothing of a judge is trusted."""

WIDTH = 0.2
"""The width of an interval that is wanted unless said otherwise."""

COMPARED = ("accuracy", "balanced_accuracy", "kappa")
"""Measures that ceiling and floor have too."""


class Calibration(Struct, frozen=True, kw_only=True):
    """A judge held against people.

    Attributes:
        run: The run.
        metric: The metric.
        pairs: Scores beside labels.
        measures: Accuracy, balanced accuracy, kappa and AUC.
        weighted_kappa: Kappa of grades, by weights.
        alpha: Krippendorff's alpha of people alone and with the judge.
        confusion: Cases by label and verdict.
        classes: Yes and no apart.
        tags: Tags apart.
        fitted: The threshold that fits best.
        ceiling: How far people agree.
        baselines: What it takes no judge to say, the best first.
        width: The width of an interval that is wanted.
        enough: About how many labels make it so wide, by measure.
    """

    run: Run
    metric: str
    pairs: Paired
    measures: dict[str, Measured]
    weighted_kappa: dict[str, Measured]
    alpha: dict[str, Measured]
    confusion: Confusion
    classes: dict[str, Class]
    tags: dict[str, Tagged]
    fitted: Refitted | Skip
    ceiling: Ceiling | Skip
    baselines: tuple[Baseline, ...]
    width: float
    enough: dict[str, int | None]

    @property
    def n(self) -> int:
        """Cases with a score and a label."""
        return len(self.pairs.cases)

    @property
    def few(self) -> bool:
        """Whether these are too few to trust anything."""
        return self.n < FEWEST

    @property
    def floor(self) -> Baseline | None:
        """The best of the baselines."""
        return self.baselines[0] if self.baselines else None

    @property
    def disagreements(self) -> tuple[str, ...]:
        """The cases in which the judge says otherwise than people."""
        return tuple(c.case.id for c in self.pairs.cases if c.verdict != c.truth)


def calibrate(
    run: Run,
    labels: Sequence[HumanLabel] | str | os.PathLike[str],
    metric: str,
    *,
    threshold: float | None = None,
    label_threshold: float | None = None,
    width: float = WIDTH,
) -> Calibration:
    """Hold a run's scores of a metric against people's labels.

    Args:
        run: The run.
        labels: People's labels, or the file of them; a file's labels of other answers are left out.
        metric: The metric.
        threshold: From here on a score counts as yes; by default the middle of the metric's range.
        label_threshold: The same for labels; by default the same.
        width: How wide an interval is wanted.

    Raises:
        UsageError: The run or the labels lack the metric, or its scale is not known.
        BadData: The file cannot be read.
    """
    if isinstance(labels, str | os.PathLike):
        labels, _ = labels_of_run(read_label_rows(labels), run)
    pairs = paired(run, labels, metric, threshold=threshold, label_threshold=label_threshold)
    cases = pairs.cases
    measures = {**agreements(judged(cases)), "auc": area(cases)}
    return Calibration(
        run=run,
        metric=metric,
        pairs=pairs,
        measures=measures,
        weighted_kappa=weighted_kappa(pairs),
        alpha=alphas(pairs),
        confusion=confusion(cases),
        classes=classes(cases),
        tags=by_tag(cases),
        fitted=refitted(pairs),
        ceiling=ceiling(pairs),
        baselines=baselines(pairs),
        width=width,
        enough=enough(measures, width),
    )


def calibration_json(found: Calibration, chosen: Sequence[Chosen] | None = None) -> bytes:
    """Return a calibration as JSON.

    Args:
        found: The calibration.
        chosen: Cases that were chosen for labelling; None where that was not asked for.
    """
    pairs, floor = found.pairs, found.floor
    summary = found.run.metrics.get(found.metric)
    people = sorted({name or "" for case in (*pairs.cases, *pairs.divided) for name in case.said})
    document: dict[str, Any] = {
        "format": "acidtest/judge-calibrate",
        "version": 1,
        "run": {
            "id": found.run.id,
            "name": found.run.name,
            "created": found.run.info.created,
            "golden": found.run.info.golden.version,
        },
        "judge": found.run.info.judge,
        "metric": found.metric,
        "metric_version": summary.version if summary else None,
        "cost": summary.cost if summary else None,
        "threshold": pairs.threshold,
        "label_threshold": pairs.label_threshold,
        "n": found.n,
        "annotators": people,
        "missing": pairs.missing,
        "enough_labels": not found.few,
        **{name: _beside(name, each, found) for name, each in found.measures.items()},
        "weighted_kappa": _all(found.weighted_kappa),
        "alpha": _all(found.alpha),
        "confusion": found.confusion,
        "classes": found.classes,
        "tags": {tag: _members(each) for tag, each in found.tags.items()},
        "fitted": _members(found.fitted),
        "ceiling": _members(found.ceiling),
        "floor": {"skip": "no verdict has a label"} if floor is None else _members(floor),
        "baselines": [_members(each) for each in found.baselines],
        "labels_for": {"width": found.width, **found.enough},
        "disagreements": found.disagreements,
    }
    if chosen is not None:
        document["next"] = [
            {"case": each.case.id, "weight": each.weight, "why": each.why} for each in chosen
        ]
    return msgspec.json.format(encoded(document), indent=1)


def _beside(name: str, each: Measured, found: Calibration) -> dict[str, Any]:
    """Return a measure with what people have of it, and the baseline that has most."""
    levels: dict[str, float | None] = {"ceiling": None, "floor": None}
    if name in COMPARED:
        known = [_value(each, name) for each in found.baselines]
        best = max((value for value in known if value is not None), default=None)
        levels = {"ceiling": _value(found.ceiling, name), "floor": best}
    elif not isinstance(each, Skip):
        levels["floor"] = 0.5  # scores that say nothing; people give no scores
    return {**_measured(each), **levels}


def _value(of: Ceiling | Baseline | Skip | None, name: str) -> float | None:
    each = None if of is None or isinstance(of, Skip) else getattr(of, name)
    return each.value if each is not None and not isinstance(each, Skip) else None


def _all(some: dict[str, Measured]) -> dict[str, Any]:
    return {name: _measured(each) for name, each in some.items()}


def _measured(each: Measured) -> dict[str, Any]:
    if isinstance(each, Skip):
        return {"skip": each.why}
    return {"value": each.value, "ci": each.ci, "why_no_ci": each.why_no_ci, "n": each.n}


def _members(of: Struct) -> dict[str, Any]:
    if isinstance(of, Skip):
        return {"skip": of.why}
    return {
        f.encode_name: _measured(value) if isinstance(value, Measured) else value
        for f in msgspec.structs.fields(of)
        for value in (getattr(of, f.name),)
    }
