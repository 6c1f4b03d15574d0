"""How far the judge agrees with people: over all cases, by class and by tag, and at another threshold."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.project.calibrating.pairing import Labelled, Paired
from acidtest.project.calibrating.people import MEASURES, Measured
from acidtest.stats.agreement import Agreement, Weights, distance, kappas
from acidtest.stats.alpha import krippendorff_alpha
from acidtest.stats.auc import auc
from acidtest.stats.balanced import Verdicts, agreement_of, interval_of, verdicts_of
from acidtest.stats.rates import Interval
from acidtest.stats.shares import share_interval
from acidtest.stats.threshold import cross_validated
from acidtest.stats.units import places

MOST_TAGS = 50
"""Tags that are told apart, the commonest first."""

MOST_GRADES = 10
"""Labels of more different values are no grades."""

Confusion = dict[str, dict[str, int]]
"""Label -> verdict -> cases."""


class Share(Struct, frozen=True):
    """A share with its interval; both None where there is nothing to take it of."""

    value: float | None
    ci: Interval | None
    n: int


class Class(Struct, frozen=True, kw_only=True):
    """One of yes and no.

    Attributes:
        labels: Cases that people label so.
        verdicts: Cases that the judge calls so.
        recall: Share of those that people label so which the judge calls so.
        precision: Share of those that the judge calls so which people label so.
    """

    labels: int
    verdicts: int
    recall: Share
    precision: Share


class Tagged(Struct, frozen=True, kw_only=True):
    """The cases of one tag."""

    n: int
    confusion: Confusion
    accuracy: Measured
    balanced_accuracy: Measured
    kappa: Measured


class Refitted(Struct, frozen=True, kw_only=True):
    """The threshold that fits the labels best.

    Attributes:
        threshold: From here on a score is best taken for yes.
        lowest: The lowest threshold that fits a part of the cases best.
        highest: The highest.
        folds: Into how many parts the cases were dealt.
        accuracy: On cases that the threshold was not fitted on; so the other two.
        balanced_accuracy: See there.
        kappa: See there.
    """

    threshold: float
    lowest: float
    highest: float
    folds: int
    accuracy: Measured
    balanced_accuracy: Measured
    kappa: Measured


def judged(cases: Sequence[Labelled]) -> Verdicts:
    """Return labels and the judge's verdicts."""
    return _with(cases, [case.verdict for case in cases])


def agreements(given: Verdicts) -> dict[str, Measured]:
    """Return accuracy, balanced accuracy and kappa."""
    return {name: agreement_of(name, given) for name in MEASURES}


def area(cases: Sequence[Labelled]) -> Measured:
    """Return the AUC of the scores."""
    return auc(
        [case.score for case in cases],
        [case.truth for case in cases],
        weights=[case.weight for case in cases],
        groups=[case.group for case in cases],
    )


def confusion(cases: Sequence[Labelled]) -> Confusion:
    """Count cases by label and verdict."""
    counts = Counter((case.truth, case.verdict) for case in cases)
    return {
        _word(truth): {_word(verdict): counts[truth, verdict] for verdict in (True, False)}
        for truth in (True, False)
    }


def classes(cases: Sequence[Labelled]) -> dict[str, Class]:
    """Return for yes and for no how many are found, and how many of those found are right."""
    found: dict[str, Class] = {}
    for kind in (True, False):
        labels = [case for case in cases if case.truth == kind]
        verdicts = [case for case in cases if case.verdict == kind]
        found[_word(kind)] = Class(
            labels=len(labels),
            verdicts=len(verdicts),
            recall=_share(labels, [case.verdict == kind for case in labels]),
            precision=_share(verdicts, [case.truth == kind for case in verdicts]),
        )
    return found


def by_tag(cases: Sequence[Labelled]) -> dict[str, Tagged]:
    """Return the commonest tags' cases apart."""
    counts = Counter(tag for case in cases for tag in dict.fromkeys(case.case.tags))
    found: dict[str, Tagged] = {}
    for tag, n in counts.most_common(MOST_TAGS):
        some = [case for case in cases if tag in case.case.tags]
        found[tag] = Tagged(n=n, confusion=confusion(some), **agreements(judged(some)))
    return found


def refitted(pairs: Paired) -> Refitted | Skip:
    """Return the threshold that fits best, with its quality on cases that it was not fitted on."""
    cases = pairs.cases
    fitted = cross_validated(
        [case.score for case in cases],
        [case.truth for case in cases],
        weights=[case.weight for case in cases],
        groups=[case.group for case in cases],
        near=pairs.threshold,
    )
    if isinstance(fitted, Skip):
        return fitted
    return Refitted(
        threshold=fitted.threshold,
        lowest=fitted.lowest,
        highest=fitted.highest,
        folds=fitted.folds,
        **agreements(_with(cases, list(fitted.verdicts))),
    )


def weighted_kappa(pairs: Paired) -> dict[str, Measured]:
    """Return Cohen's kappa of grades by distance: scores and labels go to the nearest grade that people gave."""
    names: tuple[Weights, ...] = ("linear", "quadratic")
    grades = _grades(pairs)
    if isinstance(grades, Skip):
        return dict.fromkeys(names, grades)
    cases, k = pairs.cases, len(grades)
    label = np.array(_nearest([case.label for case in cases], grades))
    score = np.array(_nearest([case.score for case in cases], grades))
    where = places([case.group for case in cases])
    n = int(where.max()) + 1
    weights = [case.weight for case in cases]
    flat = np.bincount((where * k + label) * k + score, weights=weights, minlength=n * k * k)
    tables = flat.astype(np.float64).reshape(n, k, k)
    found: dict[str, Measured] = {}
    for name in names:
        apart = distance(k, name)
        value = float(kappas(tables.sum(axis=0), apart))
        if math.isnan(value):
            found[name] = Skip(
                "all labels and all scores are one grade: chance would agree as well"
            )
            continue
        ci, why = interval_of(tables, lambda some, apart=apart: kappas(some, apart))  # type: ignore[misc]
        found[name] = Agreement(value=value, ci=ci, why_no_ci=why, n=len(cases))
    return found


def alphas(pairs: Paired) -> dict[str, Measured]:
    """Return Krippendorff's alpha of people, and of people and the judge.

    Of yes or no it is nominal; of grades ordinal, the judge's scores at the nearest grade that people gave.
    """
    grades = [0.0, 1.0] if pairs.yes_or_no else _grades(pairs)
    if isinstance(grades, Skip):
        return {"people": grades, "with_judge": grades}
    every = (*pairs.cases, *pairs.divided)
    people = [_nearest(list(case.said.values()), grades) for case in every]
    if pairs.yes_or_no:
        judge = [int(case.verdict) for case in every]
    else:
        judge = _nearest([case.score for case in every], grades)
    both = [[*some, one] for some, one in zip(people, judge, strict=True)]
    groups = [case.group for case in every]
    return {
        name: krippendorff_alpha(
            units,
            level="nominal" if pairs.yes_or_no else "ordinal",
            grades=len(grades),
            groups=groups,
        )
        for name, units in (("people", people), ("with_judge", both))
    }


def enough(found: dict[str, Measured], width: float) -> dict[str, int | None]:
    """Return about how many labels like these make each interval so wide; None where it has none.

    An interval's width goes with 1 / sqrt(labels).
    """
    return {
        name: None
        if isinstance(each, Skip) or each.ci is None
        else math.ceil(each.n * ((each.ci[1] - each.ci[0]) / width) ** 2)
        for name, each in found.items()
    }


def _with(cases: Sequence[Labelled], said: Sequence[bool]) -> Verdicts:
    return verdicts_of(
        [case.truth for case in cases],
        said,
        [case.weight for case in cases],
        [case.group for case in cases],
    )


def _share(cases: Sequence[Labelled], right: Sequence[bool]) -> Share:
    if not cases:
        return Share(None, None, 0)
    weights = [case.weight for case in cases]
    value = sum(w for w, yes in zip(weights, right, strict=True) if yes) / sum(weights)
    ci = share_interval(right, weights, [case.group for case in cases])
    return Share(value, ci, len(cases))


def _grades(pairs: Paired) -> list[float] | Skip:
    if not pairs.cases:
        return Skip("no verdict has a label")
    if pairs.yes_or_no:
        return Skip("the labels are yes or no: kappa says it all")
    grades = sorted({value for case in pairs.cases for value in case.said.values()})
    if len(grades) > MOST_GRADES:
        return Skip(
            f"the labels have {len(grades)} different values, and grades are {MOST_GRADES} at most"
        )
    return grades


def _nearest(values: Sequence[float], grades: Sequence[float]) -> list[int]:
    return [min(range(len(grades)), key=lambda at: abs(grades[at] - value)) for value in values]


def _word(yes: bool) -> str:  # noqa: FBT001 - it is the thing itself
    return "yes" if yes else "no"
