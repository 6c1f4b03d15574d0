"""From single rulings to rows: shifts, flips, faults that passed, repeatability. Pure counting.

Cases of one question or conversation are one unit: intervals draw it whole, tests count it once.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from msgspec import Struct

from acidtest.project.probing.bias.changes import Change
from acidtest.project.probing.bias.ruling import Ruling
from acidtest.stats.bootstrap import mean_interval
from acidtest.stats.mcnemar import mcnemar
from acidtest.stats.paired import paired_interval
from acidtest.stats.rates import Interval, wilson
from acidtest.stats.tail import at_least

TOLERATED = 0.05
"""The share of planted faults that may pass before a judge is called lenient."""

_SAME = 1e-9
_RESAMPLES = 2_000  # a probe has a hundred intervals


class Test(Struct, frozen=True):
    """An exact test: its p-value, and the smallest one that it could have given."""

    __test__ = False  # not one of pytest's

    p: float
    least: float


class Asked(Struct, frozen=True, kw_only=True):
    """One item before a change, asked again without it, and after it."""

    item: str
    unit: str
    before: Ruling
    again: Ruling | None
    after: Ruling


class Shifted(Struct, frozen=True, kw_only=True):
    """What a change did to a metric.

    Attributes:
        metric: The metric.
        kind: Which bias the change shows.
        change: The change.
        does: What it does.
        n: Items with a value before and after.
        shift: Mean of after minus before, and its 95 % interval.
        up: Units (questions) whose value rose.
        down: Units whose value fell.
        flips: Of `asked`, those that passed and no longer do, the reverse, or are left open now.
        asked: Items that had a value before, and any verdict after.
        flip_rate: flips / asked, and its 95 % interval.
        wavering: The share of the same items that flip when asked again unchanged; None when not asked.
        failed: Items that got no valid reply with the change.
        open: Items that had no value without the change.
        unfit: Items that the change does not fit.
        p_shift: Whether rises and falls are alike, corrected for all tests of the probe.
        p_flips: Whether it flips no more than asking again does, corrected likewise.
        finding: `raises`, `lowers`, `unsteady`, or None.
    """

    metric: str
    kind: str
    change: str
    does: str
    n: int
    shift: float | None
    shift_ci: Interval | None
    up: int
    down: int
    flips: int
    asked: int
    flip_rate: float | None
    flip_ci: Interval | None
    wavering: float | None
    failed: int
    open: int
    unfit: int
    p_shift: float = 1.0
    p_flips: float = 1.0
    finding: str | None = None


class Leniency(Struct, frozen=True, kw_only=True):
    """What became of planted faults of one kind: those that passed, of all that got a verdict.

    `open` were left open: neither passed nor caught. `finding` is `lenient` where surely more than a
    twentieth passes.
    """

    metric: str
    fault: str
    planted: int
    passed: int
    caught: int
    open: int
    failed: int
    rate: float | None
    ci: Interval | None
    p: float = 1.0
    finding: str | None = None


class Repeated(Struct, frozen=True, kw_only=True):
    """The same question several times: how often all verdicts agree, and how far values spread.

    `sd` is the standard deviation within an item, pooled over items.
    """

    metric: str
    asks: int
    n: int
    agreement: float | None
    ci: Interval | None
    sd: float | None


def shifted(
    metric: str, change: Change, pairs: Sequence[Asked], unfit: int
) -> tuple[Shifted, Test, Test]:
    """Sum up what a change did, and test it twice: rises against falls, flips against wavering."""
    valid = [a for a in pairs if a.before.value is not None and not a.after.failed]
    both = [
        (a.unit, a.after.value - a.before.value)
        for a in valid
        if a.after.value is not None and a.before.value is not None
    ]
    flips = [(a.unit, float(a.after.state != a.before.state)) for a in valid]
    wavers = [(a, a.again) for a in valid if a.again is not None and not a.again.failed]
    beyond = [
        (a.unit, float(a.after.state != a.before.state) - float(again.state != a.before.state))
        for a, again in wavers
    ]
    moved = sum(again.state != a.before.state for a, again in wavers)
    up, down = _sides(both)
    more, fewer = _sides(beyond)
    row = Shifted(
        metric=metric,
        kind=change.kind,
        change=change.name,
        does=change.does,
        n=len(both),
        shift=_mean(both),
        shift_ci=_shift_interval(both),
        up=up,
        down=down,
        flips=sum(value > 0 for _, value in flips),
        asked=len(flips),
        flip_rate=_mean(flips),
        flip_ci=_interval(flips),
        wavering=moved / len(wavers) if wavers else None,
        failed=sum(a.before.value is not None and a.after.failed for a in pairs),
        open=sum(a.before.value is None for a in pairs),
        unfit=unfit,
    )
    n = more + fewer
    return (
        row,
        Test(mcnemar(up, down), mcnemar(up + down, 0)),
        Test(at_least(more, n, 0.5), at_least(n, n, 0.5)),
    )


def leniency(metric: str, fault: str, said: Sequence[bool | str | None]) -> tuple[Leniency, Test]:
    """Sum up faults: caught (True), passed (False), open (None), or why there is no verdict."""
    passed, caught = said.count(False), said.count(True)
    n = passed + caught + said.count(None)
    row = Leniency(
        metric=metric,
        fault=fault,
        planted=len(said),
        passed=passed,
        caught=caught,
        open=said.count(None),
        failed=len(said) - n,
        rate=passed / n if n else None,
        ci=wilson(passed, n) if n else None,
    )
    return row, Test(at_least(passed, n, TOLERATED), at_least(n, n, TOLERATED))


def repeated(metric: str, units: Sequence[str], draws: Sequence[Sequence[Ruling]]) -> Repeated:
    """Sum up several draws of the same questions; items that failed in one of them are left out."""
    every = [
        (unit, said)
        for unit, *said in zip(units, *draws, strict=True)
        if not any(each.failed or not each.judged for each in said)
    ]
    same = [(unit, float(len({each.state for each in said}) == 1)) for unit, said in every]
    variances = []
    for _, said in every:
        values = [each.value for each in said if each.value is not None]
        if len(values) == len(said):
            mean = sum(values) / len(values)
            variances.append(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
    return Repeated(
        metric=metric,
        asks=len(draws),
        n=len(every),
        agreement=_mean(same),
        ci=_interval(same),
        sd=(sum(variances) / len(variances)) ** 0.5 if variances else None,
    )


_Valued = Sequence[tuple[str, float]]


def _sides(valued: _Valued) -> tuple[int, int]:
    """Count units whose sum is above nought, and below."""
    sums: dict[str, float] = defaultdict(float)
    for unit, value in valued:
        sums[unit] += value
    count: Callable[[int], int] = lambda sign: sum(sign * s > _SAME for s in sums.values())  # noqa: E731
    return count(1), count(-1)


def _mean(valued: _Valued) -> float | None:
    return sum(value for _, value in valued) / len(valued) if valued else None


def _interval(valued: _Valued) -> Interval | None:
    if not valued:
        return None
    values, groups = [value for _, value in valued], [unit for unit, _ in valued]
    return mean_interval(values, groups, resamples=_RESAMPLES)


def _shift_interval(valued: _Valued) -> Interval | None:
    if not valued:
        return None
    values, groups = [value for _, value in valued], [unit for unit, _ in valued]
    return paired_interval(values, groups, resamples=_RESAMPLES)
