"""The terminal: a run's scorecard, what changed between runs, and the list of runs.

Fits 60 columns and uses 110; without colour (pipes, NO_COLOR) every status is a word, not only a hue.
"""

from collections.abc import Sequence

from rich.console import Console

from acidtest.data.compared import Change
from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run, RunInfo
from acidtest.report import terminal_card
from acidtest.report.figures import delta, interval, score
from acidtest.report.paper import Paper
from acidtest.report.view import STAGES, short, when
from acidtest.report.words import STYLES, change_tone, change_word


def print_scorecard(run: Run, scorecard: Scorecard, console: Console) -> None:
    """Print a run: its metrics by stage, where it breaks first and what mends it, its worst cases.

    Args:
        run: The run, with diagnoses.
        scorecard: The run read against its targets.
        console: Where to print.
    """
    paper = Paper(console)
    terminal_card.head(paper, run)
    terminal_card.metrics(paper, run, scorecard)
    terminal_card.tree(paper, run, scorecard)
    terminal_card.verdicts(paper, scorecard)
    terminal_card.faithful_correct(paper, scorecard)
    terminal_card.tags(paper, run, scorecard)
    terminal_card.worst(paper, run)
    terminal_card.failures(paper, run)
    terminal_card.operations(paper, run)


def print_changes(
    base: Run,
    candidate: Run,
    changes: Sequence[Change],
    console: Console,
    notes: Sequence[str] = (),
) -> None:
    """Print what changed from one run to another, metric by metric.

    Args:
        base: The run before.
        candidate: The run after.
        changes: The paired changes.
        console: Where to print.
        notes: What must be said beside them, such as differing golden sets.
    """
    paper = Paper(console)
    paper.heading(f"{base.name} → {candidate.name}")
    for note in notes:
        paper.lead("!", paper.text(note, "yellow"), indent=0)
    if not changes:
        paper.line("No metric was scored in both runs.")
        return
    wide = paper.width >= 76
    columns = [("metric", False), ("before", True), ("after", True), ("change", True)]
    columns += [("95% CI", True)] if wide else []
    columns += [("better/\nworse/same", True), ("", False)]
    table = paper.grid(columns, gap=2 if paper.width >= 90 else 1)
    for stage, title in STAGES:
        rows = [change for change in changes if change.stage == stage]
        if rows:
            table.add_row(paper.text(title, "bold"))
        for change in rows:
            word, style = change_word(change), STYLES[change_tone(change)]
            cells = [paper.indented(change.metric, 22 if wide else 18)]
            cells += [paper.text(score(x)) for x in (change.base, change.candidate)]
            cells.append(paper.text(delta(change.delta), style))
            if wide:
                cells.append(paper.text(interval(change.ci)))
            cells.append(paper.text(f"{change.wins}/{change.losses}/{change.ties}"))
            table.add_row(*cells, paper.text(word, style))
    paper.table(table)
    paper.line(
        paper.text(
            f"Paired over up to {max(c.n for c in changes)} cases. Clear: the 95% interval of the "
            "change leaves out 0.",
            "dim",
        )
    )


def print_runs(runs: Sequence[RunInfo], console: Console) -> None:
    """Print the list of runs, in the order given.

    Args:
        runs: What each run was made of.
        console: Where to print.
    """
    paper = Paper(console)
    if not runs:
        paper.line("No runs yet. Start one with: acidtest run")
        return
    wide = paper.width >= 76
    columns = [("id", False), ("name", False), ("created", False), ("status", False)]
    columns += [("cases", True), ("golden", False), ("judge", False)] if wide else []
    table = paper.grid(columns, gap=2 if paper.width >= 90 else 1)
    table.columns[0].min_width = max(len(info.id) for info in runs)  # whole: it is to be copied
    for info in runs:
        cells = [
            paper.text(info.id),
            paper.clipped(info.name, 18 if wide else 14),
            paper.text(when(info.created).removesuffix(" UTC")),
            paper.text(info.status, "" if info.status == "finished" else "yellow"),
        ]
        if wide:
            cells.append(paper.text(str(info.golden.cases)))
            cells.append(paper.text(short(info.golden.version)[:8]))
            cells.append(paper.clipped(info.judge.model if info.judge else "-", 14))
        table.add_row(*cells)
    paper.table(table)
