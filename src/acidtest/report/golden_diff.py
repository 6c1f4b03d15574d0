"""The difference of two golden sets on the terminal and as Markdown."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from acidtest.data.golden import Case
from acidtest.golden.edit.diff import GoldenDiff
from acidtest.report.golden_changes import lines, summary
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.paper import Paper
from acidtest.report.word_marks import MARKS, Piece, marked

_STYLE = {"kept": "", "gone": "red", "new": "green"}
_ID = 40  # cells of an id, at most


def print_diff(diff: GoldenDiff, console: Console) -> None:
    """Print what changed between two versions of a golden set."""
    paper = Paper(console)
    names = f"{diff.before.path or 'before'} → {diff.after.path or 'after'}: "
    paper.line(paper.text(names, "bold"), Text(" "), summary(diff))
    for title, cases, style in (("Added", diff.added, "green"), ("Removed", diff.removed, "red")):
        if cases:
            _cases(paper, title, cases, style)
    if not diff.changed:
        return
    paper.heading("Changed")
    for change in diff.changed:
        name = paper.clipped(change.after.id, _ID, "bold")
        paper.lead("~", name, Text("  "), paper.text(change.after.question), indent=0)
        for line in lines(change):
            where = paper.text(f"{line.where}:", "cyan")
            paper.line(where, Text(" "), _text(paper, line.what), indent=4)


def _cases(paper: Paper, title: str, cases: Sequence[Case], style: str) -> None:
    paper.heading(title)
    for case in cases:
        mark = "+" if title == "Added" else "-"
        name = paper.clipped(case.id, _ID, style)
        paper.lead(mark, name, Text("  "), paper.text(case.question), indent=0)


def _text(paper: Paper, some: Sequence[Piece]) -> Text:
    made = Text()
    for kind, text in some:
        before, after = MARKS[kind]
        start = " " if text[:1].isspace() else ""
        end = " " if text[-1:].isspace() else ""
        shown = paper.text(text, _STYLE[kind])
        made.append(start)
        made.append(before, style=_STYLE[kind])
        made.append_text(shown)
        made.append(after, style=_STYLE[kind])
        made.append(end if shown.plain else "")
    return made


def markdown_of(diff: GoldenDiff) -> str:
    """Return what changed between two versions of a golden set as Markdown, for a pull request."""
    names = f"{code(diff.before.path or 'before')} to {code(diff.after.path or 'after')}"
    made = [f"**Golden set** {names}: {prose(summary(diff))}", ""]
    for title, cases in (("Added", diff.added), ("Removed", diff.removed)):
        if cases:
            made += [f"### {title}", ""]
            made += [f"- {code(case.id)} {code(case.question)}" for case in cases]
            made += [""]
    if diff.changed:
        made += ["### Changed", ""]
    for change in diff.changed:
        made.append(f"- {code(change.after.id)} {code(change.after.question)}")
        for line in lines(change):
            where, _, rest = line.where.partition(" ")
            named = f"{where} {code(rest)}" if rest else where
            made.append(f"  - {named}: {code(marked(line.what), 600)}")
    return document(made, rest="the JSON has the rest")
