"""What the bias probe found, with all its tests corrected together.

So a judge without any bias raises a finding in at most one of twenty probes.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from acidtest.project.probing.bias.self_preference import SelfPreference
from acidtest.project.probing.bias.tally import Leniency, Shifted, Test
from acidtest.stats.tarone import tarone

ALPHA = 0.05
"""The chance of any finding about a judge without bias."""


def found_in(
    shifts: Sequence[tuple[Shifted, Test, Test]],
    faults: Sequence[tuple[Leniency, Test]],
    preferences: Sequence[SelfPreference],
) -> tuple[tuple[Shifted, ...], tuple[Leniency, ...], tuple[SelfPreference, ...], tuple[str, ...]]:
    """Correct all tests together; return the rows with what was found."""
    tests = [test for _, *both in shifts for test in both]
    tests += [test for _, test in faults]
    tests += [Test(each.p, 0.0) for each in preferences if each.p is not None]
    adjusted = iter(tarone([t.p for t in tests], [t.least for t in tests], alpha=ALPHA))
    rows = tuple(_shift_found(row, next(adjusted), next(adjusted)) for row, *_ in shifts)
    lenient = tuple(_fault_found(row, next(adjusted)) for row, _ in faults)
    preference = tuple(
        each if each.p is None else _preference_found(each, next(adjusted)) for each in preferences
    )
    told = [
        f"{row.kind}: {row.change} {row.finding} {row.metric}"
        if row.finding != "unsteady"
        else f"{row.kind}: {row.change} makes {row.metric} unsteady"
        for row in rows
        if row.finding
    ]
    told += [
        f"leniency: {row.metric} lets {row.passed} of {row.planted - row.failed} faults pass ({row.fault})"
        for row in lenient
        if row.finding
    ]
    told += [
        f"self-preference: {row.metric} is {row.finding} to {row.family}"
        for row in preference
        if row.finding
    ]
    return rows, lenient, preference, tuple(told)


def _shift_found(row: Shifted, p_shift: float, p_flips: float) -> Shifted:
    finding = "unsteady" if p_flips <= ALPHA else None
    if p_shift <= ALPHA:
        finding = "raises" if row.up > row.down else "lowers"
    return replace(row, p_shift=p_shift, p_flips=p_flips, finding=finding)


def _fault_found(row: Leniency, p: float) -> Leniency:
    return replace(row, p=p, finding="lenient" if p <= ALPHA else None)


def _preference_found(row: SelfPreference, p: float) -> SelfPreference:
    kind = "kinder" if (row.difference or 0.0) > 0 else "harder"
    return replace(row, p_adjusted=p, finding=kind if p <= ALPHA else None)
