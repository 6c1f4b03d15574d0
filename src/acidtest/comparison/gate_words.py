"""Why a gated quantity fails or is open, and what must be known beside it: one sentence each."""

from collections.abc import Mapping

from acidtest.comparison.evidence_of_drop import Evidence
from acidtest.comparison.floors import ROUNDING, Floor, gap, holds
from acidtest.comparison.limits import Limits, Tolerance
from acidtest.comparison.own_value import counts, held_value
from acidtest.comparison.quantity import Quantity
from acidtest.data.gate import GateMode
from acidtest.data.runs import Run
from acidtest.stats.power import ALPHA

COARSE = 0.05
"""A set that cannot show such a drop is small; the gate says so."""


def below_floor(wanted: Quantity, run: Run, floor: float | None, floor_on: Floor) -> str:
    """Say that it misses its floor; empty when it does not."""
    if floor is None:
        return ""
    value, called = held_value(run, wanted, floor_on)
    if value is None or holds(value, floor, wanted.direction):
        return ""
    on = "" if called == wanted.statistic else f" ({called})"
    side = "below its floor" if wanted.direction == "higher" else "above its ceiling"
    return f"{wanted.name} is {wanted.told(value)}{on}, {side} {wanted.told(floor)}."


def fallen(
    wanted: Quantity,
    delta: float | None,
    before: float | None,
    tolerance: Tolerance,
    seen: Evidence | None,
    mode: GateMode,
) -> tuple[str, str]:
    """Return why it fails for its drop, and why its drop leaves it open; one of them, or neither."""
    if delta is None or before is None:
        return "", f"{wanted.name}: nothing was scored in both runs."
    if mode == "statistical" and seen is None:
        return "", f"{wanted.name}: no case was scored in both runs, so nothing shows its drop."
    worse = delta if wanted.direction == "lower" else -delta
    allowed = tolerance.of(before)
    if worse <= allowed + ROUNDING:
        return "", ""
    verb = "rose" if wanted.direction == "lower" else "fell"
    told = (
        f"{wanted.name} {verb} by {wanted.told(worse)} ({wanted.told(before)} to "
        f"{wanted.told(before + delta)}), more than the {wanted.told(allowed)} tolerated"
    )
    if mode == "strict":
        return f"{told}.", ""
    p = seen.p_drop if seen else None
    if p is not None and p <= ALPHA:
        return f"{told} (p {p:.2g}).", ""
    return "", f"{told}, but {_undecided(wanted, seen, p)}"


def _undecided(wanted: Quantity, seen: Evidence | None, p: float | None) -> str:
    n = seen.n if seen else 0
    if seen is None or p is None:
        return f"{n} cases are too few to show anything."
    told = f"{n} cases do not show it (p {p:.2g})"
    if seen.needed:
        told += f": it needs about {_round(max(seen.needed, n + 1)):,} cases"
    if seen.min_detectable is not None:
        least = wanted.told(float(f"{seen.min_detectable:.2g}"))
        told += f"; this set shows excesses of {least} and more"
    return f"{told}."


def _round(cases: int) -> int:
    """Return a number of cases to two digits, upwards: it is an estimate."""
    unit = 10 ** (len(str(cases)) - 2) if cases >= 100 else 1
    return -(-cases // unit) * unit


def too_few(wanted: Quantity, run: Run, baseline: Run | None) -> str:
    """Say in which run too little was scored; empty when enough was."""
    for held, side in ((run, "the candidate"), (baseline, "the baseline")):
        lack = gap(*counts(held, wanted)) if held is not None else None
        if lack:
            return f"{wanted.name}: only {lack} in {side}."
    return ""


def other_cases(wanted: Quantity, run: Run, baseline: Run) -> str:
    """Say that two summaries are of so many cases that they cannot be the same; empty when they may be.

    Without the cases themselves, what dropped cannot be told from what was asked.
    """
    after, before = _asked(wanted, run), _asked(wanted, baseline)
    if not after or not before or after == before:
        return ""
    return (
        f"{wanted.name}: the baseline's summary is of {before} cases, the candidate's of {after}, and without "
        "the cases a drop cannot be told from other questions; gate whole runs."
    )


def _asked(wanted: Quantity, run: Run) -> int:
    """Return how many cases a figure is of; 0 where the file does not say."""
    summary = run.metrics.get(wanted.head)
    return summary.n if summary is not None and summary.n else run.info.golden.cases


def uneven(seen: Mapping[Quantity, Evidence]) -> list[str]:
    """Tell of metrics that apply to other cases in one run than in the other."""
    return [
        f"{wanted.name}: {each.one_sided} cases have it in one run only (the other declined, or had no "
        f"answer) and are left out of the drop; {each.n} count."
        for wanted, each in seen.items()
        if each.one_sided > (each.n + each.one_sided) / 20
    ]


def small(seen: Mapping[Quantity, Evidence], limits: Limits) -> list[str]:
    """Tell what drops would pass unseen, where they are coarse."""
    coarse = [
        f"{q.name} {e.min_detectable:.2g}"
        for q, e in seen.items()
        if q in limits.drops
        and not q.is_operation
        and e.min_detectable is not None
        and e.min_detectable > COARSE
    ]
    blind = [q.name for q, e in seen.items() if q in limits.drops and e.p_drop is None]
    told = []
    if coarse:
        told.append(
            "This set is small: it shows drops beyond the tolerance from about "
            f"{', '.join(coarse)} on; smaller ones may pass unseen."
        )
    if blind:
        told.append(f"Too few cases to show any drop, however large: {', '.join(blind)}.")
    return told
