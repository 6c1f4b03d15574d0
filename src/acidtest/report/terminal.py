"""The terminal: a run's scorecard, and the list of runs.

Fits 60 columns and uses 110; without colour (pipes, NO_COLOR) every status is a word, not only a hue.
"""

from collections.abc import Sequence

from rich.console import Console

from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run, RunInfo
from acidtest.report import terminal_card
from acidtest.report.paper import Paper
from acidtest.report.terminal_corrected import corrections
from acidtest.report.view import short, when


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
    corrections(paper, run)
    terminal_card.tree(paper, run, scorecard)
    terminal_card.verdicts(paper, scorecard)
    terminal_card.faithful_correct(paper, scorecard)
    terminal_card.tags(paper, run, scorecard)
    terminal_card.worst(paper, run)
    terminal_card.failures(paper, run)
    terminal_card.operations(paper, run)


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
    wide, wider = paper.width >= 76, paper.width >= 110
    columns = [("id", False), ("name", False), ("created", False), ("status", False)]
    columns += [("cases", True)] if wide else []
    columns += [("golden", False)] if wider else []
    columns += [("judge", False)] if wide else []
    table = paper.grid(columns, gap=2 if paper.width >= 90 else 1)
    table.columns[0].min_width = max(len(info.id) for info in runs)  # whole: it is to be copied
    if wide:
        # The judge's name is what is left to be told apart: it gets the room, and lines if it needs them.
        for column in table.columns[:-1]:
            column.no_wrap = True
        table.columns[-1].overflow = "fold"
    for info in runs:
        made = when(info.created).removesuffix(" UTC")
        cells = [
            paper.text(info.id),
            paper.clipped(info.name, 18 if wider else 14),
            paper.text(made if wider else made[:10]),
            paper.text(info.status, "" if info.status == "finished" else "yellow"),
        ]
        cells += [paper.text(str(info.golden.cases))] if wide else []
        cells += [paper.text(short(info.golden.version)[:8])] if wider else []
        cells += [paper.clipped(info.judge.model if info.judge else "-", 60)] if wide else []
        table.add_row(*cells)
    paper.table(table)
