"""`acidtest convert`: other tools' files to ours and back, with what is lost told."""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.project.convert import Amounts, Converted
    from acidtest.report.paper import Paper


@click.command(name="convert")
@click.argument("source", metavar="IN", type=filled)
@click.argument("out", metavar="OUT", type=filled)
@click.option(
    "--from",
    "from_",
    type=filled,
    metavar="FMT",
    help="The format of IN, such as ragas; by default it is guessed.",
)
@click.option(
    "--to",
    type=filled,
    metavar="FMT",
    help="The format of OUT; by default acidtest, a golden set in the form that OUT ends in.",
)
@click.option(
    "--system",
    type=filled,
    metavar="NAME",
    help="Whose outputs and scores to take, where IN has those of several systems.",
)
@click.option("--strict", is_flag=True, help="Status 1 when anything is lost.")
@json_option
def command(**given: Any) -> int:
    """Turn IN, a file of another tool or of ours, into OUT.

    What does not come along is told by field, with how many rows had it: what IN says and acidtest has
    no place for, what OUT has no place for, and what OUT gives otherwise when it is read again.
    """
    from acidtest.project.convert import convert, converted_json

    source, out, json_to = given["source"], given["out"], given["json_to"]
    check_targets({"OUT": out, "--json": json_to}, [("the file that is read", source)])
    done = convert(source, out, given["from_"], given["to"], system=given["system"])
    errors = write_each([(json_to, "JSON", lambda: converted_json(done))])
    if json_to != "-":
        from acidtest.report.paper import Paper

        _show(done, Paper(stdout()))
    return told_errors(errors) or (1 if given["strict"] and done.losses else 0)


def _show(done: "Converted", paper: "Paper") -> None:
    paper.line(f"Read {_amounts(done.read)} from {done.source} ({done.source_format})")
    paper.line(f"Wrote {_amounts(done.written)} to {done.target} ({done.target_format})")
    _table(done, paper)
    for text in done.notes:
        note(f"Note: {text}.")


def _amounts(amounts: "Amounts") -> str:
    counted = (
        (amounts.cases, "case"),
        (amounts.answers, "answer"),
        (amounts.scores, "score"),
        (amounts.runs, "run"),
        (amounts.chunks, "chunk"),
    )
    told = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counted if count]
    return ", ".join(told) or "nothing that is read again"


def _table(done: "Converted", paper: "Paper") -> None:
    if not done.losses:
        paper.line("Nothing is lost.")
        return
    paper.heading("What is lost")
    table = paper.grid((("field", False), ("rows", True), ("why", False), ("first", False)), gap=2)
    for loss in done.losses:
        first = (loss.first or "").removeprefix(f"{done.source}:").strip()
        place = f"line {first}" if first.isdigit() else first
        table.add_row(*map(paper.text, (loss.field, f"{loss.count:,}", loss.why, place)))
    paper.table(table)
