"""The gate: does this run hold its floors, and is it no worse than the baseline allows?

`strict` compares points: a drop beyond the tolerance fails. `statistical` fails a drop only when the
paired cases show, at 5 % over all gated metrics together, that it exceeds the tolerance; a larger drop
that they do not show leaves the gate open. Floors hold what was measured, in both modes.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from acidtest.comparison.change import changes_of, shared_metrics
from acidtest.comparison.evidence_of_drop import Evidence, evidence_of, measure_of
from acidtest.comparison.floors import ROUNDING, Floor, gap, holds
from acidtest.comparison.limits import Drop, Limits, Tolerance, limits_of
from acidtest.comparison.own_value import counts, held_value, own_value
from acidtest.comparison.pair import caveats, shared_cases
from acidtest.comparison.quantity import Quantity
from acidtest.comparison.stale import stale as staleness
from acidtest.comparison.trades import trades
from acidtest.data.gate import Gate, Gated, GateMode, GateResult
from acidtest.data.runs import Run
from acidtest.errors import Incomparable, UnknownName, UsageError
from acidtest.stats.power import ALPHA

Stale = Literal["warn", "refuse"]
"""What a stale baseline is: something to know, or no baseline."""

COARSE = 0.05
"""A set that cannot show such a drop is small; the gate says so."""


def gate(
    run: Run,
    *,
    baseline: Run | None = None,
    min: Mapping[str, float] | None = None,  # noqa: A002 - the name that the command line has, too
    max_drop: Drop | Mapping[str, Drop] | None = None,
    mode: GateMode = "strict",
    stale: Stale = "warn",
    floor_on: Floor = "unsupported",
) -> Gate:
    """Decide whether a run may be released.

    What can be gated: a metric (`faithfulness`), its worst tenth (`faithfulness.p10`), the cases of a
    tag (`faithfulness[faq]`), latency (`latency_ms.total.p95`), and tokens and money per question
    (`tokens.output`, `cost_usd`). Where lower is better a floor is a ceiling and a rise is a drop.
    Values within 1e-9 of a limit hold it.

    Args:
        run: The candidate.
        baseline: What it is held against.
        min: The least value of each.
        max_drop: How much worse than the baseline each may be: a difference such as 0.03, or a share of
            the baseline such as "20%". One value covers all metrics that both runs have; a mapping names
            them, and its key "" is the value for those that it does not name. Without floors and
            tolerances nothing may drop.
        mode: `strict` or `statistical`.
        stale: Whether a baseline with another golden set, judge or version of a metric is refused.
        floor_on: What floors compare where the judge left claims undecided; see the handbook.

    Raises:
        UsageError: A limit is not possible, or the mode needs cases that a run does not have.
        UnknownName: No such metric, tag, figure or mode.
        Incomparable: The runs share no case or metric, a named metric is in one of them only, or the
            baseline is stale and that is refused.
    """
    _one_of("mode", mode, get_args(GateMode))
    _one_of("stale", stale, get_args(Stale))
    limits = limits_of(run, baseline, min, max_drop)
    if not limits.quantities:
        raise Incomparable(
            "the runs share no metric that says anything", fix="Score the same metrics in both."
        )
    paired = baseline is not None and bool(baseline.cases) and bool(run.cases)
    if mode == "statistical" and limits.drops and not paired:
        raise UsageError(
            f"the run {_without_cases(run, baseline)!r} has summaries only, and statistics are made of "
            "cases",
            where="mode statistical",
            fix="Export the whole run, or use the mode strict.",
        )
    notes: tuple[str, ...] = ()
    seen: dict[Quantity, Evidence] = {}
    prices: tuple[str, ...] = ()
    if baseline is not None:
        old = staleness(baseline, run, limits.quantities)
        if old and stale == "refuse":
            raise Incomparable(f"the baseline is stale: {' '.join(old)}", fix="Run it again.")
        notes = caveats(baseline, run) if paired else old
        if paired:
            pairs = shared_cases(baseline, run)
            shared = shared_metrics(baseline, run)
            both = [q for q in limits.quantities if q in limits.drops or _in(baseline, q)]
            others = [q for q in both if q.statistic == "mean" and q.name not in run.metrics]
            means = {
                change.metric: change
                for change in changes_of([*shared, *map(measure_of, others)], pairs)
            }
            seen = evidence_of(both, limits.drops, pairs, means)
            prices = trades(baseline, run, [means[m.name] for m in shared if m.name in means])
        else:
            prices = trades(baseline, run, None)
    entries = {
        wanted.name: _entry(wanted, run, baseline, limits, seen.get(wanted), mode, floor_on)
        for wanted in limits.quantities
    }
    gated = {name: entry for name, (entry, _) in entries.items()}
    return Gate(
        result=_result(gated),
        mode=mode,
        metrics=gated,
        reasons=tuple(why for _, why in entries.values() if why),
        trades=prices,
        notes=(*notes, *_uneven(seen), *(_small(seen, limits) if mode == "statistical" else ())),
    )


def _entry(
    wanted: Quantity,
    run: Run,
    baseline: Run | None,
    limits: Limits,
    seen: Evidence | None,
    mode: GateMode,
    floor_on: Floor,
) -> tuple[Gated, str]:
    """Return the entry of one quantity, and why it fails or is open."""
    own = own_value(run, wanted)
    held_against = own_value(baseline, wanted) if baseline is not None else None
    before = seen.baseline if seen else held_against
    after = seen.candidate if seen else own
    delta = after - before if after is not None and before is not None else None
    floor, tolerance = limits.floors.get(wanted), limits.drops.get(wanted)
    allowed = tolerance.of(before) if tolerance and before is not None else None
    below = _below_floor(wanted, run, floor, floor_on)
    fell, doubt = "", ""
    if tolerance is not None:
        fell, doubt = _fallen(wanted, delta, before, tolerance, seen, mode)
    too_few = _too_few(wanted, run, baseline if tolerance is not None else None)
    unscored = f"{wanted.name}: nothing was scored." if floor is not None and own is None else ""
    open_ = "" if below or fell else too_few or unscored or doubt
    entry = Gated(
        baseline=before,
        candidate=after,
        delta=delta,
        ci=seen.ci if seen else None,
        p=seen.p if seen else None,
        p_drop=seen.p_drop if seen else None,
        flag="BELOW FLOOR" if below else "REGRESSION" if fell else None,
        min_detectable=seen.min_detectable if seen else None,
        floor=floor,
        max_drop=allowed,
        open=open_,
    )
    return entry, f"{below} {fell}".strip() or open_


def _below_floor(wanted: Quantity, run: Run, floor: float | None, floor_on: Floor) -> str:
    if floor is None:
        return ""
    value, called = held_value(run, wanted, floor_on)
    if value is None or holds(value, floor, wanted.direction):
        return ""
    on = "" if called == wanted.statistic else f" ({called})"
    side = "below its floor" if wanted.direction == "higher" else "above its ceiling"
    return f"{wanted.name} is {wanted.told(value)}{on}, {side} {wanted.told(floor)}."


def _fallen(
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


def _too_few(wanted: Quantity, run: Run, baseline: Run | None) -> str:
    for held, side in ((run, "the candidate"), (baseline, "the baseline")):
        lack = gap(*counts(held, wanted)) if held is not None else None
        if lack:
            return f"{wanted.name}: only {lack} in {side}."
    return ""


def _result(gated: Mapping[str, Gated]) -> GateResult:
    if any(entry.flag for entry in gated.values()):
        return "fail"
    return "inconclusive" if any(entry.open for entry in gated.values()) else "pass"


def _uneven(seen: Mapping[Quantity, Evidence]) -> list[str]:
    """Tell of metrics that apply to other cases in one run than in the other."""
    return [
        f"{wanted.name}: {each.one_sided} cases have it in one run only (the other declined, or had no "
        f"answer) and are left out of the drop; {each.n} count."
        for wanted, each in seen.items()
        if each.one_sided > (each.n + each.one_sided) / 20
    ]


def _small(seen: Mapping[Quantity, Evidence], limits: Limits) -> list[str]:
    """Tell what drops would pass unseen, where they are coarse."""
    coarse = [
        f"{q.name} {e.min_detectable:.2g}"
        for q, e in seen.items()
        if q in limits.drops
        and not q.is_operation
        and e.min_detectable is not None
        and e.min_detectable > COARSE
    ]
    if not coarse:
        return []
    told = (
        f"This set is small: it shows drops beyond the tolerance from about {', '.join(coarse)} on"
    )
    return [f"{told}; smaller ones may pass unseen."]


def _in(baseline: Run, wanted: Quantity) -> bool:
    return own_value(baseline, wanted) is not None


def _without_cases(run: Run, baseline: Run | None) -> str:
    return baseline.name if baseline is not None and not baseline.cases else run.name


def _one_of(kind: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UnknownName(kind, value, known, where=kind)
