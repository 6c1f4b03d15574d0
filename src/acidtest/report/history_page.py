"""The history of runs as a page and as Markdown: one line a commit, and a chart for each column."""

from msgspec import Struct

from acidtest.data.history import History, Moment
from acidtest.report.figures import count
from acidtest.report.html import page
from acidtest.report.markdown_text import code
from acidtest.report.terminal_history import commit, figure, scale
from acidtest.report.view import when

WIDTH, HEIGHT, EDGE = 320.0, 90.0, 8.0

MARKS = {1: "▲", -1: "▼"}
WORDS = {1: "clearly better", -1: "clearly worse"}


class Point(Struct, frozen=True, kw_only=True):
    """One value on a chart, with what it says."""

    x: float
    y: float
    moved: int
    told: str


class Chart(Struct, frozen=True, kw_only=True):
    """One column over time: the points, the line through them, and its ends in words."""

    column: str
    points: tuple[Point, ...]
    line: str
    low: str
    high: str
    label: str


def history_html(history: History) -> str:
    """Return a page of its own, everything inside."""
    return page(
        "history.html.j2",
        title=f"{history.name} over time",
        history=history,
        charts=[made for column in history.columns if (made := chart(history, column))],
        commit=commit,
        figure=figure,
        marks=MARKS,
        mark_words=WORDS,
        when=when,
    )


def chart(history: History, column: str) -> Chart | None:
    """Return the chart of one column; None with fewer than two values."""
    known = [(n, m, m.values[column]) for n, m in enumerate(history.moments) if column in m.values]
    if len(known) < 2:
        return None
    values = [value for _, _, value in known]
    low, high = min(values), max(values)
    bottom, top = scale(column, values)
    wide = len(history.moments) - 1
    points = tuple(
        Point(
            x=round(EDGE + n / wide * (WIDTH - 2 * EDGE), 1),
            y=round(HEIGHT - EDGE - (value - bottom) / (top - bottom) * (HEIGHT - 2 * EDGE), 1),
            moved=moment.moved.get(column, 0),
            told=_told(moment, column, value),
        )
        for n, moment, value in known
    )
    return Chart(
        column=column,
        points=points,
        line=" ".join(f"{point.x},{point.y}" for point in points),
        low=figure(column, low),
        high=figure(column, high),
        label=f"{column}: from {figure(column, values[0])} to {figure(column, values[-1])} over "
        f"{count(len(values), 'run')}, lowest {figure(column, low)}, highest {figure(column, high)}",
    )


def history_markdown(history: History) -> str:
    """Return the history as a Markdown table."""
    lines = [
        f"## acidtest: {code(history.name)} over time",
        "",
        f"| Commit | When | {' | '.join(code(column) for column in history.columns)} |",
        f"|---|---|{'--:|' * len(history.columns)}",
    ]
    for moment in history.moments:
        cells = []
        for column in history.columns:
            mark = MARKS.get(moment.moved.get(column, 0), "")
            cells.append(f"{figure(column, moment.values.get(column))} {mark}".strip())
        lines.append(f"| {code(commit(moment))} | {when(moment.created)} | {' | '.join(cells)} |")
    lines.append("")
    if any(moment.moved for moment in history.moments):
        lines += ["▲ clearly better, ▼ clearly worse than the line before (p under 5 %).", ""]
    if history.left_out:
        lines += [f"{count(history.left_out, 'older line')} left out.", ""]
    lines += [f"> {code(note)}" for note in history.notes]
    return "\n".join(lines).strip() + "\n"


def _told(moment: Moment, column: str, value: float) -> str:
    text = f"{commit(moment)}, {when(moment.created)}: {figure(column, value)}"
    moved = moment.moved.get(column, 0)
    return f"{text}, {WORDS[moved]} than before" if moved else text
