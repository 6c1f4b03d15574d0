"""A metric's scores beside what people say of the same cases, each a yes or a no."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from acidtest.data.human import HumanLabel
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.ranges import range_of
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import UnknownName, UsageError, suggestion

SLACK = 1e-9
"""By so much a value may lie below a threshold that it meets: means are rounded."""

DIVIDED = "as many people say yes as no"


class Labelled(Struct, frozen=True, kw_only=True):
    """A case that has a score and a label.

    Attributes:
        case: The case as it went in the run.
        score: The metric's value.
        verdict: Whether the score counts as yes.
        said: Each person's value; None names the unnamed one.
        label: The mean of them.
        truth: Whether the label counts as yes.
        weight: For how many cases it stands.
    """

    case: CaseResult
    score: float
    verdict: bool
    said: dict[str | None, float]
    label: float
    truth: bool
    weight: float

    @property
    def group(self) -> str:
        """What the case is drawn with."""
        return group_of(self.case)


class Paired(Struct, frozen=True, kw_only=True):
    """What can be compared, and what cannot.

    Attributes:
        cases: Cases with a score and a label.
        divided: Likewise, but as many people say yes as no: they tell of people, and nothing else.
        threshold: From here on a score counts as yes.
        label_threshold: From here on a label counts as yes.
        yes_or_no: Whether all labels are 0 or 1.
        missing: Why labelled cases are left out, and how many.
    """

    cases: tuple[Labelled, ...]
    divided: tuple[Labelled, ...]
    threshold: float
    label_threshold: float
    yes_or_no: bool
    missing: dict[str, int]


def group_of(case: CaseResult) -> str:
    """Return what a case is drawn with: its group, or itself."""
    return f"group {case.group}" if case.group is not None else f"case {case.id}"


def scored(run: Run, metric: str) -> list[tuple[CaseResult, float]]:
    """Return the cases that have a score of a metric, with it.

    Raises:
        UnknownName: The run has no such metric.
    """
    known = {*run.metrics, *(name for case in run.cases for name in case.scores)}
    if metric not in known:
        raise UnknownName("metric", metric, known, where="--metric")
    return [
        (case, outcome.value)
        for case in run.cases
        if isinstance(outcome := case.scores.get(metric), Score)
    ]


def threshold_of(metric: str, values: Sequence[float], given: float | None) -> float:
    """Return from where on a value counts as yes: as given, else the middle of the metric's range.

    Args:
        metric: The metric's name.
        values: Scores and labels; an own metric whose values all lie from 0 to 1 is a share, too.
        given: What was asked for.

    Raises:
        UsageError: The metric's scale is not known, or what was asked for makes all of it yes, or all no.
    """
    bounds = range_of(metric)
    if given is not None:
        if bounds is not None and not bounds[0] < given <= bounds[1]:
            raise UsageError(
                f"{given:g} tells nothing apart: {metric} is from {bounds[0]:g} to {bounds[1]:g}",
                where="the threshold",
                fix=f"Give one above {bounds[0]:g} and at most {bounds[1]:g}; from it on a value counts as yes.",
            )
        return given
    if bounds is None and all(0 <= value <= 1 for value in values):
        bounds = (0.0, 1.0)
    if bounds is None:
        raise UsageError(
            f"from where on {metric!r} is good is not known, since its values leave 0 to 1",
            fix="Say it: --threshold X.",
        )
    return sum(bounds) / 2


def paired(
    run: Run,
    labels: Sequence[HumanLabel],
    metric: str,
    *,
    threshold: float | None = None,
    label_threshold: float | None = None,
) -> Paired:
    """Put scores and labels side by side.

    Several people's labels make one by their mean. Where all are 0 or 1 and as many say yes as no, there
    is no truth, and the case is left out.

    Args:
        run: The run.
        labels: People's labels; those of other metrics are passed over.
        metric: The metric.
        threshold: From here on a score counts as yes; by default the middle of the metric's range.
        label_threshold: The same for labels; by default the same.

    Raises:
        UsageError: The run or the labels lack the metric, or its scale is not known.
    """
    values = {case.id: value for case, value in scored(run, metric)}
    said = _said(labels, metric)
    given = [each.label for each in said]
    cut = threshold_of(metric, [*values.values(), *given], threshold)
    label_cut = cut if label_threshold is None else threshold_of(metric, given, label_threshold)
    yes_or_no = all(value in (0.0, 1.0) for value in given)
    by_case: dict[str, list[HumanLabel]] = {}
    for each in said:
        by_case.setdefault(each.case, []).append(each)
    in_run = {case.id: case for case in run.cases}
    cases: list[Labelled] = []
    divided: list[Labelled] = []
    missing: Counter[str] = Counter()
    for name, some in by_case.items():
        case = in_run.get(name)
        why = _missing(case, metric)
        mean = sum(each.label for each in some) / len(some)
        weight = sum(each.weight for each in some) / len(some)
        if weight <= 0:
            why = why or "a weight of 0"
        if why or case is None:
            missing[why] += 1
            continue
        made = Labelled(
            case=case,
            score=values[name],
            verdict=meets(values[name], cut),
            said={each.annotator: each.label for each in some},
            label=mean,
            truth=meets(mean, label_cut),
            weight=weight,
        )
        if yes_or_no and mean == 0.5:
            missing[DIVIDED] += 1
            divided.append(made)
        else:
            cases.append(made)
    return Paired(
        cases=tuple(cases),
        divided=tuple(divided),
        threshold=cut,
        label_threshold=label_cut,
        yes_or_no=yes_or_no,
        missing=dict(missing),
    )


def meets(value: float, threshold: float) -> bool:
    """Say whether a value counts as yes."""
    return value >= threshold - SLACK


def _said(labels: Sequence[HumanLabel], metric: str) -> list[HumanLabel]:
    said = [each for each in labels if each.metric == metric]
    if labels and not said:
        raise UsageError(
            f"none is of {metric!r}",
            where="the labels",
            fix=suggestion(metric, {each.metric for each in labels}),
        )
    return said


def _missing(case: CaseResult | None, metric: str) -> str:
    if case is None:
        return "the run has no such case"
    outcome = case.scores.get(metric)
    if isinstance(outcome, Score):
        return ""
    if isinstance(outcome, Skip | Failure):
        return f"not scored: {outcome.why}"
    return "not scored"
