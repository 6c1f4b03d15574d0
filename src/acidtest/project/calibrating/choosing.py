"""Which cases people should label next, and with which weight each then counts.

Every case of the run with a score and no label has a chance to be chosen: a third of the places is dealt among
all alike, the rest by how much a label would tell: where judges or repeats disagreed, and where the score is
near the threshold. A chosen case weighs 1 / its chance, so weighted figures stay true of the whole run; no
weight is above three times that of a plain random choice. Cases that have a label already stand for themselves
alone: their weight is 1 from then on, whatever it was.

A spot-check takes every verdict by the same chance, which hangs on case, answer and score alone: what was
chosen stays chosen, and a verdict that changed has its own chance.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from acidtest.codec.lossy import encoded
from acidtest.codec.rows.row import Row
from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.project.calibrating.pairing import meets, scored, threshold_of
from acidtest.stats.inclusion import chances, drawn

RANDOM = 1 / 3
"""The share of places that is dealt among all cases alike."""

NEAR = 0.25
"""Scores nearer to the threshold than this share of the scores' width are near."""

_DISSENT = re.compile(r"\b(\d{1,6}) of (\d{1,6}) judges; ")
_MOST_TEXT = 100_000  # characters of a reason or a record's reason that are read


Members = dict[str, Any]
"""What a row of a file holds."""


class Chosen(Struct, frozen=True, kw_only=True):
    """A case to label.

    Attributes:
        case: The case.
        weight: 1 / the chance by which it was chosen.
        why: What made it worth a look.
    """

    case: CaseResult
    weight: float
    why: str


def next_to_label(
    run: Run,
    metric: str,
    known: Collection[str],
    n: int,
    *,
    threshold: float | None = None,
    seed: int = 0,
) -> list[Chosen]:
    """Choose n cases without a label, or as many as there are, in the order of the run.

    Args:
        run: The run.
        metric: The metric.
        known: Cases that have a label.
        n: How many.
        threshold: From here on a score counts as yes; by default the middle of the metric's range.
        seed: The same seed chooses the same cases.

    Raises:
        UsageError: The run lacks the metric, or its scale is not known.
    """
    every = scored(run, metric)
    values = [value for _, value in every]
    cut = threshold_of(metric, values, threshold)
    width = max(values, default=0.0) - min(values, default=0.0)
    open_ = [(case, value) for case, value in every if case.id not in known]
    places = min(n, len(open_))
    tells = [_telling(case, value, metric, cut, width) for case, value in open_]
    total = sum(size for size, _ in tells)
    alike = RANDOM if total else 1.0
    sizes = [
        alike / len(open_) + ((1 - alike) * size / total if total else 0.0) for size, _ in tells
    ]
    by = chances(sizes, places)
    return [
        Chosen(case=open_[at][0], weight=1 / float(by[at]), why=tells[at][1])
        for at in drawn(by, seed)
    ]


def spot_check(run: Run, metric: str, known: Collection[str], share: float) -> list[Chosen]:
    """Choose a share of the verdicts at random, without those that are known.

    Args:
        run: The run.
        metric: The metric.
        known: Cases that have a label, or wait for one.
        share: The chance of each verdict, above 0.

    Raises:
        UnknownName: The run has no such metric.
    """
    return [
        Chosen(case=case, weight=1 / share, why="spot-check")
        for case, value in scored(run, metric)
        if case.id not in known and _lot(case, metric, value) < share
    ]


def carried_over(before: Sequence[tuple[Row, HumanLabel | None]], metric: str) -> list[Members]:
    """Return the rows of a labels file that go on beside cases that are newly chosen.

    Labels of this metric weigh 1 from then on; rows of it that waited are left out, since their cases had
    their chance anew. Other metrics' rows stay as they are.
    """
    return [
        {**row.values, "weight": 1.0}
        if label is not None and label.metric == metric and "weight" in row.values
        else dict(row.values)
        for row, label in before
        if label is not None or row.values.get("metric") != metric
    ]


def rows_to_fill_in(chosen: Sequence[Chosen], metric: str, kept: Sequence[Members] = ()) -> bytes:
    """Return a labels file: rows that are kept, and the chosen cases with a place for a label.

    The judge's verdict is not in the rows: it would draw people to it.
    """
    new = [
        {
            "case": each.case.id,
            "metric": metric,
            "label": None,
            "annotator": None,
            "weight": each.weight,
            "note": each.why,
            "question": each.case.question,
            "metadata": {
                "answer": each.case.answer,
                "reference": each.case.reference,
                "contexts": [chunk.text for chunk in each.case.retrieved or ()],
            },
        }
        for each in chosen
    ]
    return b"".join(encoded(row) + b"\n" for row in [*kept, *new])


def _telling(
    case: CaseResult, value: float, metric: str, cut: float, width: float
) -> tuple[float, str]:
    """Return how much a label would tell, from 0 to 2, and why."""
    outcome = case.scores[metric]
    apart = _apart(outcome, cut, width) if isinstance(outcome, Score) else 0.0
    near = max(0.0, 1 - abs(value - cut) / (NEAR * width)) if width > 0 else 0.0
    if apart > 0:
        return apart + near, "the judges or their repeats disagree"
    return near, "near the threshold" if near > 0 else "at random"


def _apart(score: Score, cut: float, width: float) -> float:
    """Return how far judges or repeats disagree, from 0 to 1: 1 where verdicts differ."""
    if len({meets(value, cut) for value in score.trials}) > 1:
        return 1.0
    trials = max(score.trials, default=0.0) - min(score.trials, default=0.0)
    shares = [1 - int(won) / int(of) for won, of in _dissents(score) if int(of)]
    return max([0.0, *shares, min(1.0, trials / width) if width > 0 else 0.0])


def _dissents(score: Score) -> Iterator[tuple[str, str]]:
    """Yield what a panel's votes left in the reasons: how many judges won, of how many."""
    whys: list[Any] = [score.reason]
    whys += [
        record[name]
        for record in score.evidence
        if isinstance(record, Mapping)
        for name in ("why", "reason")
        if name in record
    ]
    for why in whys:
        if isinstance(why, str):
            yield from _DISSENT.findall(why[:_MOST_TEXT])


def _lot(case: CaseResult, metric: str, value: float) -> float:
    """Return a number from 0 to 1 that hangs on the verdict alone."""
    said = encoded([case.id, metric, case.answer, value])
    return int.from_bytes(hashlib.sha256(said).digest()[:8], "big") / 2**64
