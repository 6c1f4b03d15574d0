"""The sections of a scorecard in a terminal, each a function that writes one."""

from collections.abc import Callable

from rich.text import Text

from acidtest.data.readings import Finding, Scorecard
from acidtest.data.runs import Run, Summary
from acidtest.report import view
from acidtest.report.figures import count, interval, score, share
from acidtest.report.paper import Paper
from acidtest.report.words import STATUS_TONES, STYLES, status_word, verdict_tone

WORST = 5
FAILURES = 3
"""So many of the worst cases are shown."""

TAGS = 20
"""So many tags are shown."""

WIDE = 76
"""From so many columns the table has all of its columns."""

Column = tuple[str, bool, Callable[[str, Summary], Text]]
"""Heading, whether it holds figures, and what stands in it."""


def head(paper: Paper, run: Run) -> None:
    """Say what was run, in two lines."""
    info = run.info
    paper.rule()
    paper.line(paper.text(info.name, "bold"), Text("  "), paper.text(info.id))
    judge = f"judge {info.judge.model}" if info.judge else "no judge"
    parts = [
        info.mode,
        count(info.golden.cases, "case"),
        judge,
        f"golden {view.short(info.golden.version)}",
    ]
    if info.commit is not None:
        parts.append(f"commit {info.commit.sha[:8]}{' (dirty)' if info.commit.dirty else ''}")
    if info.status != "finished":
        parts.append(info.status)
    parts.append(f"scored {view.coverage(run)}")
    paper.line(paper.text(" · ".join(parts), "dim"))


def metrics(paper: Paper, run: Run, card: Scorecard) -> None:
    """Write the table of metrics, grouped by stage."""
    if not run.metrics:
        paper.line("No metric in this run.")
        return
    columns = _columns(paper, run, card)
    table = paper.grid([(title, figures) for title, figures, _ in columns], gap=_gap(paper))
    for stage, rows in view.by_stage(run):
        table.add_row(paper.text(stage, "bold"))
        for name, summary in rows:
            table.add_row(*(cell(name, summary) for _, _, cell in columns))
    paper.console.print()
    paper.table(table)
    for told in view.unscored(run):
        paper.lead("-", paper.text(told, "dim"), indent=0)


def _gap(paper: Paper) -> int:
    return 2 if paper.width >= 92 else 1


def _columns(paper: Paper, run: Run, card: Scorecard) -> list[Column]:
    wide = paper.width >= WIDE
    columns: list[Column] = [
        ("mean", True, lambda _, s: paper.text(score(s.mean), "bold")),
        ("95% CI", True, lambda _, s: paper.text(interval(s.ci))),
    ]
    if wide:
        columns.append(("p10", True, lambda _, s: paper.text(score(s.p10, 2))))
    columns.append(("scored/\nskip/fail", True, lambda _, s: _counts(paper, s)))
    if wide and any(summary.undecided for summary in run.metrics.values()):
        columns.append(("un-\ndecided", True, lambda _, s: paper.text(_undecided(s))))
    if card.findings:
        columns.append(("target", False, lambda name, _: _target(view.finding_of(card, name))))
    # What the figures leave is the names' room; 17 for the longest target, the others as they are.
    taken = sum(_WIDTHS[title] + _gap(paper) for title, _, _ in columns)
    longest = max(len(name) for name in run.metrics) + 2
    room = max(12, min(longest, paper.width - taken))
    return [("", False, lambda name, _: paper.indented(name, room)), *columns]


_WIDTHS = {
    "mean": 5,
    "95% CI": 9,
    "p10": 4,
    "scored/\nskip/fail": 9,
    "un-\ndecided": 7,
    "target": 16,
}


def _counts(paper: Paper, summary: Summary) -> Text:
    text = paper.text(f"{summary.scored}/{summary.skipped}/")
    return text.append_text(paper.text(str(summary.failed), "red" if summary.failed else ""))


def _undecided(summary: Summary) -> str:
    return share(summary.undecided) if summary.undecided is not None else ""


def _target(finding: Finding | None) -> Text:
    if finding is None:
        return Text()
    style = STYLES[STATUS_TONES[finding.status]]
    return Text(f"{score(finding.target, 2)} ").append(status_word(finding), style)


def tree(paper: Paper, run: Run, card: Scorecard) -> None:
    """Write the diagnostic tree: the first line that fails in full, the others in short."""
    paper.heading("Diagnosis")
    first = view.first_failing(card)
    paper.line(paper.text(view.headline(run, card), "red" if first else ""))
    if first is not None:
        if first.note:
            paper.line(paper.text(_sentence(first.note)), indent=2)
        paper.lead("look", first.look)
        for mend in first.mends:
            paper.lead("mend", mend)
    for finding in card.findings:
        if finding.status == "met" or finding is first:
            continue
        note = f": {finding.note}" if finding.note else ""
        paper.lead("-", f"{view.against(finding)}{note}", indent=0)
        if finding.status == "below":
            paper.lead("look", finding.look)
            paper.lead("mend", "; ".join(finding.mends))
    for note in card.notes:
        paper.lead("!", note, indent=0)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def verdicts(paper: Paper, card: Scorecard) -> None:
    """Write how many cases have each verdict, with bars."""
    if not card.verdicts:
        return
    paper.heading("Verdicts")
    most = max(card.verdicts.values())
    table = paper.grid([("", False), ("", True), ("", False)], gap=2)
    table.show_header = False
    room = max(4, min(30, paper.width - 56))
    for verdict, n in card.verdicts.items():
        style = "green" if verdict == view.GOOD else "yellow" if verdict == view.UNKNOWN else "red"
        bar = "█" * max(1, round(room * n / most))
        table.add_row(paper.text(verdict), paper.text(str(n)), paper.text(bar, style))
    paper.table(table, indent=2)


def faithful_correct(paper: Paper, card: Scorecard) -> None:
    """Write the faithful x correct table, and name the cases with either fault."""
    table = card.faithful_correct
    if not any(table.values()):
        return
    paper.heading("Faithful x correct")
    grid = paper.grid([("", False), ("correct", True), ("wrong", True)], gap=2)
    for row in ("faithful", "unfaithful"):
        cells = (str(len(table.get(f"{row}, {column}", ()))) for column in ("correct", "wrong"))
        grid.add_row(paper.text(row), *map(paper.text, cells))
    paper.table(grid, indent=2)
    for key, meaning in view.FAULTS.items():
        ids = table.get(key, ())
        if ids:
            more = f" and {len(ids) - 8} more" if len(ids) > 8 else ""
            names = ", ".join(paper.clipped(i, 24).plain for i in ids[:8])
            paper.lead("-", f"{meaning}: {names}{more}")


def tags(paper: Paper, run: Run, card: Scorecard) -> None:
    """Write the means per tag, of as many metrics as fit."""
    if not run.tags:
        return
    names: list[str] = []
    room = paper.width - 30  # the tag, its cases, and the indent
    for name in view.tag_metrics(run, card):
        room -= min(len(name), 20) + 2
        if room >= 0:
            names.append(name)
    paper.heading("By tag")
    table = paper.grid(
        [("", False), ("cases", True), *((paper.clipped(n, 20).plain, True) for n in names)], gap=2
    )
    counts = view.tag_counts(run)
    for tag, means in list(run.tags.items())[:TAGS]:
        cells = (paper.text(score(means.get(name), 2)) for name in names)
        n = counts.get(tag, 0)
        table.add_row(paper.clipped(tag, 18), paper.text(str(n) if n else "-"), *cells)
    paper.table(table, indent=2)
    if len(run.tags) > TAGS:
        paper.line(
            paper.text(f"{len(run.tags) - TAGS} more tags in the full report", "dim"), indent=2
        )


def worst(paper: Paper, run: Run) -> None:
    """Write the worst cases with their verdicts and reasons."""
    cases = view.broken(run)
    if not cases:
        return
    shown = min(WORST, len(cases))
    paper.heading(f"Worst cases ({shown} of {len(cases)} that broke)")
    for case in cases[:WORST]:
        verdict = case.diagnosis.verdict if case.diagnosis else view.UNKNOWN
        style = STYLES[verdict_tone(case.diagnosis)]
        name = paper.clipped(case.id, min(28, paper.width // 2), "bold")
        paper.line(Text("  "), name, Text("  "), paper.text(verdict, style))
        paper.console.print(
            Text("    ").append_text(paper.clipped(case.question, paper.width - 4, "italic"))
        )
        if case.diagnosis and case.diagnosis.why:
            paper.line(paper.clipped(case.diagnosis.why, 3 * paper.width), indent=4)
        for metric, low in view.low_scores(run, case, 2):
            text = f"{metric} {score(low.value, 2)}: {low.reason}"
            paper.line(paper.clipped(text, 2 * paper.width, "dim"), indent=4)


def failures(paper: Paper, run: Run) -> None:
    """Write why scores failed, each reason once."""
    reasons = view.failures(run)
    if not reasons:
        return
    paper.heading(f"Failed scores ({sum(n for _, n, _ in reasons):,})")
    for why, n, first in reasons[:FAILURES]:
        where = f"{first}: " if n == 1 else f"{n:,} times, first {first}: "
        paper.line(paper.clipped(f"{where}{why}", 4 * paper.width), indent=2)
    if len(reasons) > FAILURES:
        more = f"{count(len(reasons) - FAILURES, 'more reason')} in the full report"
        paper.line(paper.text(more, "dim"), indent=2)


def operations(paper: Paper, run: Run) -> None:
    """Write latency, tokens, money, and what judging took."""
    rows = view.operations(run)
    if not rows:
        return
    paper.heading("Operations")
    table = paper.grid([("", False), ("", False)], gap=2)
    table.show_header = False
    for label, value in rows:
        table.add_row(paper.text(label), paper.text(value))
    paper.table(table, indent=2)
