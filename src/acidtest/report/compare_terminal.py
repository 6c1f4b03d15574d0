"""Two runs against each other in a terminal: in words first, then figures, tags and the worst cases.

Fits 40 columns and uses 110; without colour every finding is a word.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from acidtest.data.compared import Change, Comparison
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.report.compare_figures import between, figure, p_value, signed, unit_of
from acidtest.report.figures import NONE, count, score
from acidtest.report.paper import Paper
from acidtest.report.view import GOOD, STAGES, UNKNOWN
from acidtest.report.words import STYLES, change_finding, change_tone

WORST = 5
"""So many of the cases that got worse are shown."""

LOST = 3
"""So many metrics of each."""

TIE = 1e-9
"""Differences up to this are rounding."""

TAGS = 8
"""So many rows by tag are shown."""

NAME = 14
"""So many cells names get at least: a table that leaves them fewer does without some columns."""


def print_comparison(base: Run, candidate: Run, comparison: Comparison, console: Console) -> None:
    """Print what changed from one run to another, and which stage changed it.

    Args:
        base: The run before.
        candidate: The run after.
        comparison: What was found between them.
        console: Where to print.
    """
    paper = Paper(console)
    paper.heading(f"{base.name} → {candidate.name}")
    for words in comparison.words:
        paper.line(words)
    for note in comparison.notes:
        paper.lead("!", paper.text(note, "yellow"), indent=0)
    if not comparison.metrics:
        paper.line("No metric was scored in both runs.")
        return
    changes = list(comparison.metrics.values())
    paper.console.print()
    counted = _changes(paper, changes)
    _seen(paper, changes, counted=counted)
    _verdicts(paper, comparison)
    _tags(paper, comparison)
    _worst(paper, base, candidate, comparison)
    _legend(paper, comparison)


def _changes(paper: Paper, changes: Sequence[Change]) -> bool:
    """Write the means of both sides, and what is to be held of their difference.

    Returns whether there was room for how many cases got better and worse.
    """
    both = [_BEFORE, _AFTER]
    change = [_CHANGE, _Column("95% CI", _interval), _P]
    wide, middle = [*both, *change, _COUNT, _FINDING], [*both, *change, _FINDING]
    narrow, least = [*both, _CHANGE, _P, _FINDING], [_CHANGE, _P, _FINDING]
    return _COUNT in _by_stage(paper, (wide, middle, narrow, least), changes)


def _seen(paper: Paper, changes: Sequence[Change], *, counted: bool) -> None:
    """Write the worst tenth, what these cases could have shown, and the counts where they had no room."""
    paper.heading("Worst tenth, and what these cases could show")
    tenth = [_Column("p10\nbefore", _p10), _Column("after", _p10_after)]
    interval, end = _Column("95% CI of\nits change", _p10_interval), (_LEAST, _NEEDED)
    counts = [] if counted else [_COUNT]
    layouts = (
        [*tenth, interval, *counts, *end],
        [*tenth, *counts, *end],
        [*tenth, *counts, _LEAST],
    )
    _by_stage(paper, (*layouts, [*tenth, _LEAST]), changes)


def _before(c: Change) -> str:
    return figure(c.base, unit_of(c.metric, c.stage))


def _after(c: Change) -> str:
    return figure(c.candidate, unit_of(c.metric, c.stage))


def _delta(c: Change) -> str:
    return signed(c.delta, unit_of(c.metric, c.stage))


def _interval(c: Change) -> str:
    return between(c.ci, unit_of(c.metric, c.stage))


def _p(c: Change) -> str:
    return p_value(c.p if c.p_adjusted is None else c.p_adjusted) or NONE


def _count(c: Change) -> str:
    return f"{c.wins}/{c.losses}/{c.ties}" if c.wins + c.losses + c.ties else NONE


def _p10(c: Change) -> str:
    return figure(c.base_p10, unit_of(c.metric, c.stage))


def _p10_after(c: Change) -> str:
    return figure(c.candidate_p10, unit_of(c.metric, c.stage))


def _p10_interval(c: Change) -> str:
    return between(c.p10_ci, unit_of(c.metric, c.stage))


def _least(c: Change) -> str:
    return figure(c.min_detectable, unit_of(c.metric, c.stage))


def _needed(c: Change) -> str:
    return f"{c.needed:,}" if c.needed is not None and c.needed < 1e6 else NONE


class _Column(Struct, frozen=True):
    """A column: its title, what it tells of a change, and whether it has the finding's colour."""

    title: str
    told: Callable[[Change], str]
    coloured: bool = False

    def width(self, changes: Sequence[Change]) -> int:
        """Return how many cells it takes without the gap."""
        lines = (*self.title.split("\n"), *map(self.told, changes))
        return max(map(len, lines))


_BEFORE, _AFTER = _Column("before", _before), _Column("after", _after)
_CHANGE, _P = _Column("change", _delta, coloured=True), _Column("p", _p)
_COUNT, _FINDING = (
    _Column("better/\nworse/same", _count),
    _Column("", change_finding, coloured=True),
)
_LEAST, _NEEDED = _Column("smallest\nchange", _least), _Column("cases\nneeded", _needed)


def _by_stage(
    paper: Paper, layouts: Sequence[Sequence[_Column]], changes: Sequence[Change]
) -> Sequence[_Column]:
    """Write a table of the changes under their stages, in the first layout that leaves names room.

    Returns that layout.
    """
    gap = 2 if paper.width >= 92 else 1
    longest = 2 + max(len(c.metric) for c in changes)
    for columns in layouts:
        room = paper.width - sum(gap + column.width(changes) for column in columns)
        if room >= min(longest, NAME):
            break
    heads = [(column.title, column is not _FINDING) for column in columns]
    table = paper.grid([("", False), *heads], gap=gap)
    for stage, title in STAGES:
        some = [c for c in changes if c.stage == stage]
        if some:
            table.add_row(paper.text(title, "bold"))
        for c in some:
            style = STYLES[change_tone(c)]
            cells = (paper.text(one.told(c), style * one.coloured) for one in columns)
            table.add_row(paper.folded(c.metric, max(12, min(longest, room))), *cells)
    paper.table(table)
    return columns


def _verdicts(paper: Paper, comparison: Comparison) -> None:
    found = {v: pair for v, pair in comparison.verdicts.items() if pair[0] != pair[1]}
    if not found:
        return
    paper.heading("Verdicts that became more or fewer")
    table = paper.grid([("", False), ("before", True), ("after", True)], gap=2)
    for verdict, (before, after) in found.items():
        better = (after > before) == (verdict == GOOD)
        style = "" if verdict == UNKNOWN else "green" if better else "red"
        table.add_row(paper.text(verdict), paper.text(str(before)), paper.text(str(after), style))
    paper.table(table, indent=2)


def _tags(paper: Paper, comparison: Comparison) -> None:
    rows = [
        (tag, c)
        for tag, changes in comparison.tags.items()
        for c in changes.values()
        if change_tone(c) != "mute"
    ]
    if not rows:
        return
    rows.sort(key=lambda row: (row[1].p or 0.0, -abs(row[1].delta)))
    paper.heading("By tag, as hints: not corrected for how many there are")
    table = paper.grid(
        [("tag", False), ("metric", False), ("cases", True), ("change", True), ("", False)], gap=1
    )
    for tag, c in rows[:TAGS]:
        style = STYLES[change_tone(c)]
        table.add_row(
            paper.clipped(tag, 14),
            paper.clipped(c.metric, 20),
            paper.text(str(c.n)),
            paper.text(signed(c.delta, "score"), style),
            paper.text(change_finding(c), style),
        )
    paper.table(table, indent=2)
    if len(rows) > TAGS:
        paper.line(paper.text(f"{len(rows) - TAGS} more in the JSON", "dim"), indent=2)


class _Fall(Struct, frozen=True):
    """A case that got worse: by how much in which metric (below 0), and its verdicts."""

    before: CaseResult
    after: CaseResult
    steps: tuple[tuple[float, str], ...]
    flow: tuple[str, str]

    @property
    def broke(self) -> bool:
        """Whether nothing spoke against it before, and something does after."""
        return self.flow[0] == GOOD and self.flow[1] not in (GOOD, UNKNOWN)


def _worst(paper: Paper, base: Run, candidate: Run, comparison: Comparison) -> None:
    """Write the cases that got worse, those that broke first."""
    if not comparison.cases:
        return
    changes = [c for c in comparison.metrics.values() if c.stage != "operations"]
    theirs = {case.id: case for case in candidate.cases}
    falls = [
        _fall(case, theirs[case.id], changes)
        for case in base.cases
        if case.id in theirs and case.question == theirs[case.id].question
    ]
    worse = [fall for fall in falls if fall.steps or fall.broke]
    if not worse:
        return
    worse.sort(key=lambda fall: (not fall.broke, fall.steps[:1]))
    paper.heading(f"Worst changes ({min(WORST, len(worse))} of {count(len(worse), 'case')} worse)")
    for fall in worse[:WORST]:
        _case(paper, fall)


def _fall(before: CaseResult, after: CaseResult, changes: Sequence[Change]) -> _Fall:
    steps = []
    for c in changes:
        old, new = before.scores.get(c.metric), after.scores.get(c.metric)
        if isinstance(old, Score) and isinstance(new, Score):
            by = (new.value - old.value) * (1 if c.direction == "higher" else -1)
            if by < -TIE:
                steps.append((by, c.metric))
    one, other = (case.diagnosis.verdict if case.diagnosis else UNKNOWN for case in (before, after))
    return _Fall(before, after, tuple(sorted(steps)), (one, other))


def _case(paper: Paper, fall: _Fall) -> None:
    one, other = fall.flow
    name = paper.clipped(fall.before.id, min(28, paper.width // 2), "bold")
    flow = one if one == other else f"{one} → {other}"
    paper.line(Text("  "), name, Text("  "), paper.text(flow, "red" if fall.broke else ""))
    paper.console.print(
        Text("    ").append_text(paper.clipped(fall.before.question, paper.width - 4, "italic"))
    )
    told = [
        f"{name} {_value(fall.before, name)} → {_value(fall.after, name)}"
        for _, name in fall.steps[:LOST]
    ]
    if told:
        paper.line(paper.text(", ".join(told), "dim"), indent=4)


def _value(case: CaseResult, name: str) -> str:
    outcome = case.scores.get(name)
    return score(outcome.value if isinstance(outcome, Score) else None, 2)


def _legend(paper: Paper, comparison: Comparison) -> None:
    n = max(c.n for c in comparison.metrics.values())
    how = f"Paired over up to {count(n, 'case')}" if comparison.cases else "Not paired"
    paper.console.print()
    paper.line(
        paper.text(
            f"{how}. p is corrected for the number of metrics (Holm); better and worse: p up to 0.05; "
            "perhaps: only the interval leaves out 0. Smallest change: what these cases would have "
            "shown in four of five tries.",
            "dim",
        )
    )
