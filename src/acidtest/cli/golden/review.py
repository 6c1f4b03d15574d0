"""`acidtest golden review`: the cases that wait for a person."""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import stdout, write
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from acidtest.data.golden import Case
    from acidtest.report.paper import Paper

_LONGEST = 600
_MOST = 5
"""Pieces of evidence that are shown of a case."""


@click.command(name="review")
@click.argument("golden", type=filled, metavar="G")
@click.argument("names", nargs=-1, metavar="[CASE]...", type=filled)
@json_option
def command(golden: str, names: tuple[str, ...], json_to: str | None) -> int:
    """Show the cases of G that wait for review, or the cases that are named.

    Accept or reject them with: acidtest golden accept.
    """
    from acidtest.codec.lossy import encoded
    from acidtest.golden.grow.review import chosen, open_cases
    from acidtest.golden.load import load_golden

    set_apart()
    check_targets({"--json": json_to}, [("the golden set", golden)])
    whole = load_golden(golden)
    waiting = open_cases(whole)
    shown = chosen(tuple(whole), names, where=golden) if names else waiting
    if json_to:
        document = {
            "format": "acidtest/golden-review",
            "version": 1,
            "golden": golden,
            "cases": len(whole),
            "open": [case.id for case in waiting],
            "shown": shown,
        }
        write(json_to, encoded(document), what="JSON")
    if json_to != "-":
        from acidtest.report.paper import Paper

        paper = Paper(stdout())
        for case in shown:
            _show(case, paper)
        paper.line(f"{len(waiting)} of {len(whole)} cases wait for review.")
    return 0


def _show(case: "Case", paper: "Paper") -> None:
    head, *rest = _lines(case)
    paper.line(paper.text(head, "bold"))
    for line in rest:
        paper.lead("-", line)
    paper.line("")


def _lines(case: "Case") -> "Iterator[str]":
    from acidtest.report.clean import one_line

    told = case.metadata
    about = [str(told[name]) for name in ("kind", "persona", "style") if name in told]
    yield one_line(" · ".join([case.id, case.source or "", *about]).replace("·  ·", "·"))
    for turn in case.history:
        yield f"{one_line(turn.role)}: {_short(turn.text)}"
    yield f"question: {_short(case.question)}"
    if not case.answerable:
        yield "reference: none, it must be declined"
        if "missing" in told:
            yield f"missing in the corpus: {_short(told['missing'])}"
    else:
        yield f"reference: {_short(case.reference) if case.reference else 'none yet'}"
    for name, what in (
        ("checked_answer", "the check answered"),
        ("answer_given", "the system said"),
    ):
        if name in told:
            yield f"{what}: {_short(told[name])}"
    for each in case.evidence[:_MOST]:
        yield f"evidence {one_line(each.chunk_id or '')}: {_short(each.text)}"
    proposed = told.get("proposed_evidence")
    for each in proposed[:_MOST] if isinstance(proposed, list) else ():
        if isinstance(each, dict):
            yield f"proposed {_short(each.get('chunk_id') or '')}: {_short(each.get('text') or '')}"


def _short(text: Any) -> str:
    from acidtest.report.clean import clip, one_line

    return clip(one_line(str(text)), _LONGEST)
