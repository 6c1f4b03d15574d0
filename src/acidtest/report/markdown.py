"""Runs as Markdown for a step summary or a pull-request comment: short tables, the diagnosis, worst cases."""

from collections.abc import Sequence

from acidtest.data.compared import Comparison
from acidtest.data.readings import Finding, Scorecard
from acidtest.data.runs import Run
from acidtest.report import view
from acidtest.report.compare_markdown import comparison_lines
from acidtest.report.corrected import corrected_rows
from acidtest.report.figures import count, interval, score
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.words import status_word

WORST = 5
FAILURES = 3


def markdown_report(
    runs: Sequence[Run], scorecards: Sequence[Scorecard], compared: Sequence[Comparison] = ()
) -> str:
    """Return one run or several as Markdown.

    Args:
        runs: The runs, with diagnoses; the first is what the others are compared with.
        scorecards: One a run, in the same order.
        compared: What changed from the first run to each other one.
    """
    lines = [line for one in compared for line in comparison_lines(one)]
    for run, card in zip(runs, scorecards, strict=True):
        lines += _run(run, card)
    return document(lines)


def _run(run: Run, card: Scorecard) -> list[str]:
    info = run.info
    judge = code(info.judge.model) if info.judge else "none"
    about = (
        f"{count(info.golden.cases, 'case')} · mode {info.mode} · judge {judge} · "
        f"scored {view.coverage(run)} · run {code(info.id)}"
    )
    lines = [f"## acidtest: {code(run.name)}", "", f"**{prose(view.headline(run, card))}**", ""]
    lines += [
        about,
        "",
        *_metrics(run, card),
        *_corrected(run),
        *_tree(card),
        *_verdicts(card),
        *_worst(run),
    ]
    return lines + _failures(run)


def _metrics(run: Run, card: Scorecard) -> list[str]:
    if not run.metrics:
        return []
    lines = [
        "| Metric | Mean | 95% interval | p10 | Scored | Skipped | Failed | Target |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for stage, rows in view.by_stage(run):
        lines.append(f"| **{stage}** | | | | | | | |")
        for name, s in rows:
            finding = view.finding_of(card, name)
            goal = f"{score(finding.target, 2)} {status_word(finding)}" if finding else ""
            figures = (score(s.mean), interval(s.ci), score(s.p10, 2))
            counts = (str(s.scored), str(s.skipped), str(s.failed))
            lines.append(f"| {' | '.join((code(name), *figures, *counts, goal))} |")
    unscored = [f"- {prose(told)}" for told in view.unscored(run)]
    return [*lines, "", *unscored, *([""] if unscored else [])]


def _corrected(run: Run) -> list[str]:
    rows = corrected_rows(run)
    if not rows:
        return []
    lines = [
        "| Corrected by people's labels | Mean | 95% interval | Labels | Judge | Lambda | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        figures = (row.mean, row.ci, row.labels, row.judge, row.weight)
        lines.append(f"| {' | '.join((code(row.name), *figures, prose(row.note)))} |")
    return [*lines, ""]


def _tree(card: Scorecard) -> list[str]:
    lines = []
    for finding in card.findings:
        if finding.status == "met":
            continue
        note = f": {prose(finding.note)}" if finding.note else ""
        lines.append(f"- {prose(view.against(finding))}{note}")
        if finding.status == "below":
            lines += _advice(finding)
    lines += [f"- {prose(note)}" for note in card.notes]
    return [*lines, ""] if lines else []


def _advice(finding: Finding) -> list[str]:
    lines = [f"  - look: {prose(finding.look)}"] if finding.look else []
    mends = "; ".join(map(prose, finding.mends))
    return [*lines, f"  - mend: {mends}"] if mends else lines


def _verdicts(card: Scorecard) -> list[str]:
    if not card.verdicts:
        return []
    told = ", ".join(f"{prose(verdict)} {n}" for verdict, n in card.verdicts.items())
    return [f"Verdicts: {told}.", ""]


def _worst(run: Run) -> list[str]:
    cases = view.broken(run)[:WORST]
    if not cases:
        return []
    lines = ["<details><summary>Worst cases</summary>", ""]
    for case in cases:
        verdict = case.diagnosis.verdict if case.diagnosis else view.UNKNOWN
        why = f" {code(case.diagnosis.why, 300)}" if case.diagnosis and case.diagnosis.why else ""
        lines.append(f"- {code(case.id, 60)} **{prose(verdict)}** {code(case.question)}{why}")
    return [*lines, "", "</details>", ""]


def _failures(run: Run) -> list[str]:
    reasons = view.failures(run)[:FAILURES]
    if not reasons:
        return []
    lines = ["<details><summary>Failed scores</summary>", ""]
    lines += [f"- {n:,} × {code(why, 300)}, first {code(first)}" for why, n, first in reasons]
    return [*lines, "", "</details>", ""]
