"""The scorecard: a run read against its targets, top to bottom, with where to look and what mends it.

A line is *met*, *below*, *unreachable* (the labels cap the metric under the target: its ceiling is
given), *untrusted* (a coverage line above is below its target: first things first) or *missing*
(nothing was scored).
"""

from collections import Counter
from collections.abc import Mapping

from acidtest.comparison import verdicts as v
from acidtest.comparison.advice import ADVICE, OTHER, RETRIEVAL_NOISE
from acidtest.comparison.diagnose import diagnose_case
from acidtest.comparison.notes import DECLINES_EVERYTHING, notes_on
from acidtest.comparison.reading import read_answer
from acidtest.comparison.scores import base_name
from acidtest.comparison.targets import (
    COVERAGE,
    TOLERANCE,
    ceiling_of,
    targets_of,
)
from acidtest.data.readings import Finding, Scorecard, TargetStatus
from acidtest.data.runs import Run, Summary

WELL_COVERED = 0.95
"""Below this share of scored among applicable cases a line says how few it rests on."""

SHOWN = 0.005
"""Differences below this do not show in two decimals."""

_NOISE_TELLS = {"precision": 0.5, "context_precision": 0.7, "context_usefulness": 0.8}
"""Values below which low faithfulness is put down to retrieval noise before anything else."""


def scorecard(run: Run, targets: Mapping[str, float] | None = None) -> Scorecard:
    """Read a run against its targets.

    Args:
        run: The run; cases without a diagnosis are diagnosed here.
        targets: The user's targets; they override and extend the defaults.
    """
    findings: list[Finding] = []
    distrust: str | None = None
    for metric, target in targets_of(run, targets).items():
        finding = _finding(run, metric, target, distrust)
        findings.append(finding)
        if finding.status == "below" and base_name(metric) in COVERAGE and distrust is None:
            distrust = metric
    found = [case.diagnosis or diagnose_case(case) for case in run.cases]
    counts = Counter(diagnosis.verdict for diagnosis in found)
    order = [*v.STAGES, *sorted(set(counts) - set(v.STAGES))]
    table = faithful_correct(run)
    notes = notes_on(run, table, found)
    return Scorecard(
        findings=tuple(findings),
        verdicts={verdict: counts[verdict] for verdict in order if counts[verdict]},
        faithful_correct=table,
        notes=notes,
        grave=next((note for note in notes if note.startswith(DECLINES_EVERYTHING)), ""),
    )


def faithful_correct(run: Run) -> dict[str, tuple[str, ...]]:
    """Return the faithful x correct table: the ids of the cases in each of its four fields.

    A faithful answer that is wrong follows a wrong context; a correct one that is not faithful
    ignores its context: different faults, and a mean of either metric hides both. Only cases count
    where both are decided, by the cut-offs of `acidtest.comparison.reading`.
    """
    table: dict[str, list[str]] = {
        f"{faithful}, {right}": []
        for faithful in ("faithful", "unfaithful")
        for right in ("correct", "wrong")
    }
    for case in run.cases:
        if case.failure is not None:
            continue
        answer = read_answer(case)
        if answer.faithful.value is None or answer.right.value is None:
            continue
        faithful = "faithful" if answer.faithful.value else "unfaithful"
        table[f"{faithful}, {'correct' if answer.right.value else 'wrong'}"].append(case.id)
    return {key: tuple(ids) for key, ids in table.items()}


def _finding(run: Run, metric: str, target: float, distrust: str | None) -> Finding:
    summary = run.metrics.get(metric)
    if summary is None or summary.mean is None:
        why = "not in this run" if summary is None else _nothing_scored(summary)
        return Finding(metric=metric, status="missing", target=target, value=None, note=why)
    value = summary.mean if summary.floor_value is None else summary.floor_value
    if summary.corrected and summary.corrected.mean is not None:
        value = summary.corrected.mean
    better = summary.direction == "higher"
    met = value >= target - TOLERANCE if better else value <= target + TOLERANCE
    ceiling = ceiling_of(run, metric) if better and not met else None
    status: TargetStatus = "met" if met else "below"
    if ceiling is not None and ceiling < target - TOLERANCE:
        status = "unreachable"
    elif distrust is not None and base_name(metric) not in COVERAGE:
        status = "untrusted"
    look, mends = ("", ()) if met else _advice(run, metric)
    said = [
        _on_status(metric, status, ceiling, distrust),
        "" if met or status == "unreachable" else _on_noise(run, metric),
        _on_summary(summary),
    ]
    return Finding(
        metric=metric,
        status=status,
        target=target,
        value=value,
        ceiling=ceiling if status == "unreachable" else None,
        look=look,
        mends=mends,
        note="; ".join(filter(None, said)),
    )


def _nothing_scored(summary: Summary) -> str:
    return f"nothing scored: {summary.skipped} skipped, {summary.failed} failed"


def _advice(run: Run, metric: str) -> tuple[str, tuple[str, ...]]:
    advice = ADVICE.get(base_name(metric), OTHER)
    if base_name(metric).startswith("faithfulness") and noisy(run):
        advice = RETRIEVAL_NOISE
    return advice.look, advice.mends


def noisy(run: Run) -> str | None:
    """Name the metric that shows retrieval noise, with its value; None when none does.

    `precision@k` counts as low only where it is low against what the labels allow.
    """
    for name, summary in run.metrics.items():
        cut = _NOISE_TELLS.get(base_name(name))
        if cut is None or summary.mean is None:
            continue
        ceiling = ceiling_of(run, name) or 1.0
        if summary.mean < cut and summary.mean < ceiling * cut:
            return f"{name} {summary.mean:.2f}"
    return None


def _on_status(
    metric: str, status: TargetStatus, ceiling: float | None, distrust: str | None
) -> str:
    if status == "untrusted":
        return f"not to be trusted before {distrust} meets its target"
    if status != "unreachable" or ceiling is None:
        return ""
    why = (
        "most cases have fewer relevant chunks than are counted"
        if base_name(metric) == "precision"
        else "cases have more relevant chunks than the cut-off lets in"
    )
    return f"the labels allow at most {ceiling:.2f}: {why}"


def _on_noise(run: Run, metric: str) -> str:
    cause = noisy(run) if base_name(metric).startswith("faithfulness") else None
    return f"with {cause}, retrieval noise is the likely cause" if cause else ""


def _on_summary(summary: Summary) -> str:
    said = []
    held, floor = summary.corrected, summary.floor_value
    if held and held.mean is not None:
        said.append(
            f"compared is the mean corrected by {held.labels} labels; the judge alone says "
            f"{summary.mean:.2f}"
        )
    elif floor is not None and summary.mean is not None and abs(floor - summary.mean) >= SHOWN:
        left = "some" if summary.undecided is None else f"{summary.undecided:.0%}"
        said.append(
            f"compared is what is not unsupported; the mean over what is decided is "
            f"{summary.mean:.2f}, with {left} left open by the judge"
        )
    applicable = summary.scored + summary.failed
    if applicable and summary.scored < WELL_COVERED * applicable:
        said.append(f"only {summary.scored} of {applicable} cases could be scored")
    return "; ".join(said)
