"""Why a gate failed, as a test report says it: the decision, the figures, and the cases behind them.

Whatever comes from outside (ids, questions, reasons) is put on one line and cut.
"""

from collections.abc import Sequence

from acidtest.comparison.quantity import Quantity, quantity
from acidtest.data.gate import Gate, Gated
from acidtest.data.outcomes import Failure, Score
from acidtest.data.runs import CaseResult, Run
from acidtest.report.clean import clip, one_line
from acidtest.report.gate_rows import headline, p_title, rows

_CASES = 5  # of each metric
_ID = 40
_TEXT = 100
_METRICS = 5  # whose cases are shown


def failure(gate: Gate, run: Run, baseline: Run | None) -> str:
    """Return what a failing test shows.

    Args:
        gate: A gate that did not pass.
        run: The candidate.
        baseline: What it was held against.
    """
    against = f" against {_called(baseline)}" if baseline is not None else ""
    lines = [
        f"acidtest gate: {one_line(headline(gate))}",
        f"{_called(run)}{against}, mode {gate.mode}",
        *(f"  {one_line(reason)}" for reason in gate.reasons),
        "",
        *_table(gate, alone=baseline is None),
    ]
    wrong = [(name, entry) for name, entry in gate.metrics.items() if entry.flag or entry.open]
    for name, entry in wrong[:_METRICS]:
        lines += _worst(name, entry, run, baseline)
    if len(wrong) > _METRICS:
        lines += ["", f"and {len(wrong) - _METRICS} more metrics"]
    for title, told in (("To decide", gate.trades), ("To know", gate.notes)):
        lines += ["", f"{title}:", *(f"  {one_line(each)}" for each in told)] if told else []
    return "\n".join(lines)


def _table(gate: Gate, *, alone: bool) -> list[str]:
    """Return the figures; without a baseline there is nothing that changed."""
    changed = ("baseline", "candidate", "change", "95% interval", p_title(gate))
    head = ("metric", *(("value",) if alone else changed), "limits", "")
    body = [
        (
            one_line(r.name),
            *((r.candidate,) if alone else (r.baseline, r.candidate, r.change, r.ci, r.p)),
            r.limit,
            r.word,
        )
        for r in rows(gate)
    ]
    widths = [max(len(row[n]) for row in (head, *body)) for n in range(len(head))]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *body)]  # fmt: skip


def _worst(name: str, entry: Gated, run: Run, baseline: Run | None) -> list[str]:
    """Return the cases to look at: those that fell most, or scored least, or were not scored."""
    wanted = quantity(name, [run], where="gate")
    before = {case.id: case for case in baseline.cases} if baseline is not None else {}
    by_drop = entry.flag != "BELOW FLOOR" and bool(before)
    floor = None if by_drop else entry.floor
    found = [
        (_badness(wanted, case, before.get(case.id), by_drop=by_drop, floor=floor), number, case)
        for number, case in enumerate(run.cases)
    ]
    worst = sorted((bad, number, case) for bad, number, case in found if bad is not None)[:_CASES]
    if not worst:
        return []
    told = [_line(wanted, case, before.get(case.id)) for _, _, case in worst]
    title = "Cases that fell most" if by_drop else "Worst cases"
    return ["", f"{title}, {one_line(name)}:", *told]


def _badness(
    wanted: Quantity,
    case: CaseResult,
    before: CaseResult | None,
    *,
    by_drop: bool,
    floor: float | None,
) -> float | None:
    """Return what the cases are ordered by, the worst first; None for one that is not to blame."""
    after = wanted.read(case)
    if isinstance(after, Failure):
        return -float("inf")
    if not isinstance(after, Score):
        return None
    sign = -1.0 if wanted.direction == "lower" else 1.0
    if not by_drop:
        holds = floor is not None and sign * after.value >= sign * floor
        return None if holds else sign * after.value
    old = wanted.read(before) if before is not None and before.question == case.question else None
    change = sign * (after.value - old.value) if isinstance(old, Score) else 0.0
    return change if change < 0 else None


def _line(wanted: Quantity, case: CaseResult, before: CaseResult | None) -> str:
    after = wanted.read(case)
    old = wanted.read(before) if before is not None else None
    figure = wanted.told(after.value) if isinstance(after, Score) else "not scored"
    was = f" (was {wanted.told(old.value)})" if isinstance(old, Score) else ""
    why = [
        after.reason if isinstance(after, Score) else after.why if after is not None else "",
        _diagnosed(case),
    ]
    lines = [
        f"  {clip(one_line(case.id), _ID)}  {figure}{was}  {clip(one_line(case.question), _TEXT)}"
    ]
    lines += [f"      {clip(one_line(text), _TEXT)}" for text in _said(why)]
    return "\n".join(lines)


def _diagnosed(case: CaseResult) -> str:
    found = case.diagnosis
    if found is None or found.verdict in ("ok", "unknown"):
        return ""
    return f"{found.verdict}: {found.why}"


def _said(texts: Sequence[str | None]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]


def _called(run: Run) -> str:
    return clip(one_line(f"{run.name} ({run.id})"), _TEXT)
