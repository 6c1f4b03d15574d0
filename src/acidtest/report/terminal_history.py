"""The history of runs in a terminal: one line a commit, the newest last, trends as small bars."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from acidtest.data.history import History, Moment
from acidtest.report.figures import count, milliseconds, money, score
from acidtest.report.paper import Paper
from acidtest.report.view import when

BARS = "▁▂▃▄▅▆▇█"
NAMED = {"latency_ms.total.p95": "latency\np95", "cost_usd": "cost\na query"}
"""Columns that are no scores, and their headings."""

_STYLES = {1: "green", -1: "red", 0: ""}


def print_history(history: History, console: Console) -> None:
    """Print a history; `+` and `-` mark what is clearly better or worse than the line before.

    Args:
        history: What to print.
        console: Where.
    """
    paper = Paper(console)
    paper.heading(history.name)
    columns = list(history.columns)
    # What does not fit is left to wider terminals, from the right.
    room = paper.width - 24
    fitting = max(1, room // 11)
    shown, hidden = columns[:fitting], columns[fitting:]
    table = paper.grid([("commit", False), ("when", False), *((heading(c), True) for c in shown)])
    for moment in history.moments:
        table.add_row(
            paper.clipped(commit(moment), 12),
            paper.text(when(moment.created)[5:16]),
            *(_cell(paper, moment, column) for column in shown),
        )
    if len(history.moments) > 1:
        bars = [paper.text(trend(history, column), "dim") for column in shown]
        table.add_row(paper.text("trend", "dim"), Text(), *bars)
    paper.table(table)
    if hidden:
        paper.line(paper.text(f"Not shown in this width: {', '.join(hidden)}.", "dim"))
    if history.left_out:
        paper.line(paper.text(f"{count(history.left_out, 'older line')} left out.", "dim"))
    if any(moment.moved for moment in history.moments):
        paper.line(
            paper.text(
                "+ clearly better, - clearly worse than the line before (p under 5 %).", "dim"
            )
        )
    for note in history.notes:
        paper.lead("!", note, indent=0)


def heading(column: str) -> str:
    """Return a column's heading, broken where it is long."""
    if column in NAMED:
        return NAMED[column]
    return column.replace("_", "\n", 1) if len(column) > 10 else column


def commit(moment: Moment) -> str:
    """Return what a line is called: the commit, or the run where there is none."""
    if moment.commit is None:
        return "-"
    return moment.commit.sha[:8] + ("+" if moment.commit.dirty else "")


def figure(column: str, value: float | None) -> str:
    """Return a value as its column wants it."""
    if column.startswith("latency_ms"):
        return milliseconds(value)
    if column == "cost_usd":
        return money(value) if value is not None else "-"
    return score(value)


def trend(history: History, column: str) -> str:
    """Return the column as small bars, the lowest value to the highest; empty with fewer than two."""
    values = [moment.values.get(column) for moment in history.moments][-10:]
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return ""
    low, high = scale(column, known)
    top = len(BARS) - 1
    return "".join(
        " " if value is None else BARS[round((value - low) / (high - low) * top)]
        for value in values
    )


def scale(column: str, values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a column's scale: wide enough that noise does not look like a mountain.

    At least a tenth of the whole scale for scores, and a fifth of the highest value for times and
    money.
    """
    low, high = min(values), max(values)
    least = 0.1 if column not in NAMED else 0.2 * abs(high) or 1.0
    missing = max(0.0, least - (high - low))
    return low - missing / 2, high + missing / 2


def _cell(paper: Paper, moment: Moment, column: str) -> Text:
    moved = moment.moved.get(column, 0)
    text = paper.text(figure(column, moment.values.get(column)), _STYLES[moved])
    return text.append({1: " +", -1: " -", 0: "  "}[moved], _STYLES[moved])
