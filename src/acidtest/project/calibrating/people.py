"""The ceiling: how far people agree with each other, and how far the judge agrees with the same people.

Each person is held against the mean of the others on the same case. Others of whom as many say yes as no count
half for each. The judge is held against the same others, so that both meet the same targets; the difference has an
interval of its own. A case counts once, however many people labelled it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.project.calibrating.pairing import Labelled, Paired, meets
from acidtest.stats.agreement import Agreement, Tables
from acidtest.stats.balanced import Of, interval_of, measured, tables_of, verdicts_of

MEASURES: tuple[Of, ...] = ("accuracy", "balanced_accuracy", "kappa")

Measured = Agreement | Skip

_ONE_ALONE = np.array([[[0.5, 0.0], [0.0, 0.5]], [[0.0, 0.5], [0.5, 0.0]]])
"""Weight one, half yes and half no, in which the first is right and the second wrong."""


class Ceiling(Struct, frozen=True, kw_only=True):
    """How far people agree with each other.

    Attributes:
        people: How many there are.
        n: Cases that two of them labelled.
        accuracy: Share of cases in which a person says what the others say.
        balanced_accuracy: The mean of that share among the others' yes and no.
        kappa: Cohen's kappa of a person and the others.
        judge_kappa: Cohen's kappa of the judge and the same others.
        judge_minus_people: The difference.
    """

    people: int
    n: int
    accuracy: Measured
    balanced_accuracy: Measured
    kappa: Measured
    judge_kappa: Measured
    judge_minus_people: Measured


class _Against(Struct, frozen=True):
    """A person and the judge beside what the others say."""

    case: Labelled
    person: bool
    others: bool
    weight: float


def ceiling(pairs: Paired) -> Ceiling | Skip:
    """Return how far people agree, or why that cannot be said."""
    every = (*pairs.cases, *pairs.divided)
    people = {name for case in every for name in case.said}
    if not people:
        return Skip("no verdict has a label")
    if len(people) < 2:
        return Skip("the labels are of one person: two must label the same cases")
    against = [each for case in every for each in _against(case, pairs)]
    if not against:
        return Skip("no case has labels of two people who can be held against each other")
    human = _tables(against, [each.person for each in against])
    judge = _tables(against, [each.case.verdict for each in against])
    both = np.stack([human, judge], axis=1)
    n = len({each.case.case.id for each in against})
    return Ceiling(
        people=len(people),
        n=n,
        **{of: _measured(of, human, n) for of in MEASURES},
        judge_kappa=_measured("kappa", judge, n),
        judge_minus_people=difference(both[:, ::-1], n),
    )


def difference(both: Tables, n: int) -> Measured:
    """Return how much higher kappa is in the first than in the second of two tables, paired by group.

    For the interval there is one group more in which the first is right more often, and one in which the second
    is, by as much as groups that differ typically do, and by a case at least: where few differ, a bootstrap of
    those would be sure of what two of them say. With a whole group more on both sides the interval of a few large
    groups would say nothing; without any it would hold the truth in 80 of 100 samples of five groups.

    Args:
        both: Groups x 2 x labels x verdicts.
        n: How many cases they are of.
    """

    def apart(tables: Tables) -> Tables:
        values = measured("kappa", tables)
        found: Tables = values[..., 0] - values[..., 1]
        return found

    value = float(apart(both.sum(axis=0)))
    if np.isnan(value):
        return Skip("one of both has no kappa: all labels and all verdicts are the same")
    doubt = np.stack([_ONE_ALONE, _ONE_ALONE[::-1]]) * _typical(both, n)
    ci, why = interval_of(np.concatenate([both, doubt]), apart)
    return Agreement(value=value, ci=ci, why_no_ci=why, n=n)


def _typical(both: Tables, n: int) -> float:
    """Return by how much weight the first of two tables is right more often or less in groups where they differ."""
    right = both[..., 0, 0] + both[..., 1, 1]
    moved = right[:, 0] - right[:, 1]
    moved = moved[~np.isclose(moved, 0.0)]
    case = float(both.sum()) / 2 / n
    return max(case, float(np.sqrt(np.mean(moved**2)))) if len(moved) else case


def _against(case: Labelled, pairs: Paired) -> list[_Against]:
    found: list[tuple[bool, bool]] = []
    cut = pairs.label_threshold
    for name, value in case.said.items():
        others = [other for who, other in case.said.items() if who != name]
        if not others:
            continue
        mean = sum(others) / len(others)
        divided = pairs.yes_or_no and mean == 0.5
        truths = (True, False) if divided else (meets(mean, cut),) * 2  # each counts half
        found += [(meets(value, cut), truth) for truth in truths]
    return [_Against(case, a, b, case.weight / len(found)) for a, b in found]


def _tables(against: Sequence[_Against], said: Sequence[bool]) -> Tables:
    return tables_of(
        verdicts_of(
            [each.others for each in against],
            said,
            [each.weight for each in against],
            [each.case.group for each in against],
        )
    )


def _measured(of: Of, tables: Tables, n: int) -> Measured:
    value = float(measured(of, tables.sum(axis=0)))
    if np.isnan(value):
        return Skip("all say the same of all cases")
    ci, why = interval_of(tables, lambda some: measured(of, some))
    return Agreement(value=value, ci=ci, why_no_ci=why, n=n)
