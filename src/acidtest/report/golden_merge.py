"""What a merge of two people's edits left open, on the terminal."""

from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from acidtest.data.golden import Case
from acidtest.golden.edit.desk import Conflict
from acidtest.golden.edit.merge import Merge
from acidtest.golden.grow.same import asked_by
from acidtest.report.clean import clip
from acidtest.report.figures import count
from acidtest.report.paper import Paper
from acidtest.text.surrogates import without_halves_in

_SHOWN = 20  # conflicts that are told one by one
_LONGEST = 200  # characters of a value
_SAME = 5  # questions asked twice that are told one by one


def print_merge(merge: Merge, console: Console) -> None:
    """Print how many cases there are now, what is open, and what is asked twice.

    A question that both added under ids of their own is no conflict of fields, and two cases of the set.
    """
    paper = Paper(console)
    told = f"{count(len(merge.golden), 'case')}, {count(len(merge.conflicts), 'conflict')}"
    paper.line(told + (f", {len(merge.decided)} decided" if merge.decided else ""))
    for each in merge.conflicts[:_SHOWN]:
        _conflict(paper, each)
    if len(merge.conflicts) > _SHOWN:
        paper.line(f"... and {len(merge.conflicts) - _SHOWN} more")
    asked: dict[str, list[Case]] = {}
    for case in merge.golden:
        asked.setdefault(asked_by(case.question, case.history), []).append(case)
    twice = [cases for cases in asked.values() if len(cases) > 1]
    for cases in twice[:_SAME]:
        ids = ", ".join(case.id for case in cases)
        paper.lead("-", f"{ids}: ask the same: {cases[0].question}", indent=0)
    if len(twice) > _SAME:
        paper.line(f"... and {len(twice) - _SAME} questions more; see: acidtest golden lint")


def _conflict(paper: Paper, each: Conflict) -> None:
    sides = {side: _built(getattr(each, side)) for side in ("base", "ours", "theirs")}
    base = sides["base"]
    if each.field == "case" and isinstance(base, dict):
        paper.lead("!", paper.text(each.case, "bold"), Text("  "), each.question, indent=0)
        for side in ("ours", "theirs"):
            paper.lead(f"{side:6}", _what(base, sides[side]), indent=4)
        return
    key = f" {each.key}" if each.key else ""
    paper.lead("!", paper.text(f"{each.case}: {each.field}{key}", "bold"), indent=0)
    for side, value in sides.items():
        paper.lead(f"{side:6}", _shown(value), indent=4)


def _what(base: dict[str, Any], side: Any) -> str:
    """Return what one side did to a case that the other removed."""
    if not isinstance(side, dict):
        return "removed the case"
    fields = [name for name in {**base, **side} if base.get(name) != side.get(name)]
    return f"changed {'; '.join(f'{name}: {_shown(side.get(name))}' for name in fields)}"


def _built(value: Any) -> Any:
    return without_halves_in(msgspec.to_builtins(value))


def _shown(value: Any) -> str:
    return "nothing" if value is None else clip(msgspec.json.encode(value).decode(), _LONGEST)
