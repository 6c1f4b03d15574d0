"""The gate: does this run hold its floors, and is it no worse than the baseline allows?

`strict` compares points: a drop beyond the tolerance fails. `statistical` fails a drop only when the
paired cases show, at 5 % over all gated metrics together, that it exceeds the tolerance; a larger drop
that they do not show leaves the gate open. Floors hold what was measured, in both modes.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from acidtest.comparison.change import changes_of, shared_measures
from acidtest.comparison.correct import corrected_run
from acidtest.comparison.correct_drop import corrected_drops, on_corrections, with_corrections
from acidtest.comparison.evidence_of_drop import Evidence, evidence_of, measure_of
from acidtest.comparison.floors import Floor
from acidtest.comparison.gate_words import below_floor, fallen, other_cases, small, too_few, uneven
from acidtest.comparison.limits import Drop, Limits, limits_of
from acidtest.comparison.own_value import correction, own_value
from acidtest.comparison.pair import caveats, check_runs, shared_cases
from acidtest.comparison.quantity import Quantity
from acidtest.comparison.stale import stale as staleness
from acidtest.comparison.trades import trades
from acidtest.data.gate import Gate, Gated, GateMode, GateResult
from acidtest.data.human import HumanLabel
from acidtest.data.runs import Run
from acidtest.errors import Incomparable, UnknownName, UsageError
from acidtest.stats.ppi_change import CorrectedChange

Stale = Literal["warn", "refuse"]
"""What a stale baseline is: something to know, or no baseline."""


def gate(
    run: Run,
    *,
    baseline: Run | None = None,
    min: Mapping[str, float] | None = None,  # noqa: A002 - the name that the command line has, too
    max_drop: Drop | Mapping[str, Drop] | None = None,
    mode: GateMode = "strict",
    stale: Stale = "warn",
    floor_on: Floor = "unsupported",
    labels: Sequence[HumanLabel] = (),
    baseline_labels: Sequence[HumanLabel] = (),
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
        labels: People's labels of the candidate's answers: floors and drops of their metrics are held
            against corrected means.
        baseline_labels: The same of the baseline's; without them a label of the candidate counts where
            the baseline gave the same answer from the same contexts.

    Raises:
        UsageError: A limit is not possible, or the mode needs cases that a run does not have.
        UnknownName: No such metric, tag, figure or mode.
        Incomparable: The runs share no case or metric, a named metric is in one of them only, or the
            baseline is stale and that is refused.
    """
    _one_of("mode", mode, get_args(GateMode))
    _one_of("stale", stale, get_args(Stale))
    _one_of("floor_on", floor_on, get_args(Floor))
    check_runs(run, *(() if baseline is None else (baseline,)))
    run = corrected_run(run, labels)
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
    changed: dict[Quantity, CorrectedChange] = {}
    prices: tuple[str, ...] = ()
    if baseline is not None:
        old = staleness(baseline, run, limits.quantities)
        if old and stale == "refuse":
            raise Incomparable(f"the baseline is stale: {' '.join(old)}", fix="Run it again.")
        notes = caveats(baseline, run) if paired else old
        if paired:
            pairs = shared_cases(baseline, run)
            shared = shared_measures(baseline, run)
            both = [q for q in limits.quantities if q in limits.drops or _in(baseline, q)]
            others = [q for q in both if q.statistic == "mean" and q.name not in run.metrics]
            means = {
                change.metric: change
                for change in changes_of([*shared, *map(measure_of, others)], pairs)
            }
            changed = corrected_drops(both, pairs, labels, baseline_labels)
            seen = evidence_of(both, limits.drops, pairs, means, changed)
            prices = trades(baseline, run, [means[m.name] for m in shared if m.name in means])
        else:
            prices = trades(baseline, run, None)
    entries = {
        wanted.name: _entry(wanted, run, baseline, limits, seen.get(wanted), mode, floor_on)
        for wanted in limits.quantities
    }
    corrections = {q: (correction(run, q), changed.get(q)) for q in limits.quantities}
    gated = {
        q.name: with_corrections(entries[q.name][0], *corrections[q]) for q in limits.quantities
    }
    return Gate(
        result=_result(gated),
        mode=mode,
        metrics=gated,
        reasons=tuple(why for _, why in entries.values() if why),
        trades=prices,
        notes=(
            *notes,
            *on_corrections(corrections, run, labels, limits.drops if baseline is not None else {}),
            *uneven(seen),
            *(small(seen, limits) if mode == "statistical" else ()),
        ),
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
    held = correction(run, wanted)
    own = held.mean if held and held.mean is not None else own_value(run, wanted)
    held_against = own_value(baseline, wanted) if baseline is not None else None
    before = seen.baseline if seen else held_against
    after = seen.candidate if seen else own
    delta = after - before if after is not None and before is not None else None
    floor, tolerance = limits.floors.get(wanted), limits.drops.get(wanted)
    allowed = tolerance.of(before) if tolerance and before is not None else None
    below = below_floor(wanted, run, floor, floor_on)
    fell, doubt = "", ""
    if tolerance is not None and baseline is not None and not (baseline.cases and run.cases):
        doubt = other_cases(wanted, run, baseline)
    if tolerance is not None and not doubt:
        fell, doubt = fallen(wanted, delta, before, tolerance, seen, mode)
    lacking = too_few(wanted, run, baseline if tolerance is not None else None)
    unscored = f"{wanted.name}: nothing was scored." if floor is not None and own is None else ""
    open_ = "" if below or fell else lacking or unscored or doubt
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


def _result(gated: Mapping[str, Gated]) -> GateResult:
    if any(entry.flag for entry in gated.values()):
        return "fail"
    return "inconclusive" if any(entry.open for entry in gated.values()) else "pass"


def _in(baseline: Run, wanted: Quantity) -> bool:
    return own_value(baseline, wanted) is not None


def _without_cases(run: Run, baseline: Run | None) -> str:
    return baseline.name if baseline is not None and not baseline.cases else run.name


def _one_of(kind: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UnknownName(kind, str(value), known, where=kind)
