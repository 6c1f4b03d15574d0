"""A gate in the terminal: the decision first, then why, then the figures; the last line is for programs."""

from rich.console import Console

from acidtest.data.gate import Gate
from acidtest.report.gate_rows import headline, last_line, p_title, rows
from acidtest.report.paper import Paper
from acidtest.report.words import STYLES

_TONES = {"pass": "good", "fail": "bad", "inconclusive": "warn"}
_ROOMY, _WIDE, _MIDDLE = 100, 78, 56
"""From these widths on limits, intervals, and both sides' figures stand in the table."""


def print_gate(gate: Gate, console: Console, *, baseline: str = "", candidate: str = "") -> None:
    """Print a gate.

    Args:
        gate: The decision.
        console: Where to print.
        baseline: What the baseline is called; empty where there is none.
        candidate: What the candidate is called.
    """
    paper = Paper(console)
    paper.line(paper.text(headline(gate), f"bold {STYLES[_TONES[gate.result]]}"))
    against = f"{candidate} against {baseline}" if baseline else candidate
    if against:
        paper.line(paper.text(f"{against} (mode {gate.mode})", "dim"))
    for reason in gate.reasons:
        paper.lead("-", paper.text(reason), indent=0)
    console.print()
    _table(gate, paper, alone=not baseline)
    if gate.trades:
        paper.heading("To decide: gains that have a price")
        for trade in gate.trades:
            paper.lead("?", paper.text(trade), indent=0)
    if gate.notes:
        paper.heading("To know")
        for note in gate.notes:
            paper.lead("!", paper.text(note, "yellow"), indent=0)
    console.print()
    paper.line(paper.text(last_line(gate)))


def _table(gate: Gate, paper: Paper, *, alone: bool) -> None:
    """Write the figures; without a baseline there is nothing that changed."""
    wide, middle, roomy = (paper.width >= least for least in (_WIDE, _MIDDLE, _ROOMY))
    columns = [("metric", False)]
    columns += [("value", True)] if alone else []
    columns += [("before", True), ("after", True)] if middle and not alone else []
    columns += [] if alone else [("change", True)]
    columns += [("95% CI", True), (p_title(gate), True)] if wide and not alone else []
    limits = roomy or alone
    columns += [("limits", False)] if limits else []
    table = paper.grid([*columns, ("flag", False)])
    table.columns[-1].no_wrap = True
    for row in rows(gate):
        style = STYLES[row.tone]
        name = paper.text(row.name)
        name.overflow = "fold"  # a name is whole, or it is no name
        cells = [name]
        cells += [paper.text(row.candidate, style)] if alone else []
        cells += (
            [paper.text(row.baseline), paper.text(row.candidate)] if middle and not alone else []
        )
        cells += [] if alone else [paper.text(row.change, style)]
        cells += [paper.text(row.ci), paper.text(row.p)] if wide and not alone else []
        cells += [paper.text(row.limit)] if limits else []
        table.add_row(*cells, paper.text(row.word, style))
    paper.table(table)
