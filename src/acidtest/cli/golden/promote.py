"""`acidtest golden promote`: cases of a run, recorded outputs, or live traces into a golden set."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, write
from acidtest.cli.streams import results, set_apart
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.project.golden_promote import Promotion

_MOST_GRADE = 3


@click.command(name="promote")
@click.argument("names", nargs=-1, required=True, metavar="RUN CASE...", type=filled)
@click.option("--into", required=True, type=filled, metavar="G", help="The set; a JSONL file.")
@click.option(
    "--outputs",
    type=filled,
    metavar="F",
    help="Take rows of recorded outputs, by id or question; then no RUN is named.",
)
@click.option(
    "--traces", is_flag=True, help="Take live traces of the store, by id; then no RUN is named."
)
@click.option("--reference", type=filled, metavar="TEXT", help="The right answer.")
@click.option(
    "--reference-from",
    type=click.Choice(["answer"]),
    help="The answer that the system gave was right.",
)
@click.option("--unanswerable", is_flag=True, help="Nothing in the corpus answers it.")
@click.option(
    "--relevant",
    multiple=True,
    type=filled,
    metavar="ID[=GRADE]",
    help="A relevant chunk, graded 0 to 3; 1 by default. May be given several times.",
)
@click.option("--tag", "tags", multiple=True, type=filled, metavar="T", help="A tag more.")
@click.option(
    "--source",
    type=filled,
    metavar="WORD",
    help="Where it is from; by default run, or production for recorded outputs and traces.",
)
@click.option("--by", type=filled, metavar="NAME", help="Who says so; by default your user name.")
@click.option(
    "--replace", is_flag=True, help="Put what is new into the case of G that asks the same."
)
@click.option("--store", type=filled, metavar="URL", help="Where runs and traces are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Put cases of a run into a golden set, with where they are from.

    RUN is an id, a name, `latest` or a JSON file; CASE the id of a case of it. With --traces ids of live
    traces are named instead, with --outputs rows of a file. What was retrieved is
    kept as proposed evidence. Of several that ask the same the first is put in. A case without a reference is marked open: it waits for review.
    """
    from acidtest.codec.lossy import encoded
    from acidtest.golden.grow.promote import Ruling
    from acidtest.project.config import load_config
    from acidtest.project.golden_promote import (
        promote,
        seen_in_outputs,
        seen_in_run,
        who_and_when,
    )

    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    check_targets({"--json": given["json_to"]}, [("the golden set", given["into"])])
    names: tuple[str, ...] = given["names"]
    if given["traces"]:
        from acidtest.project.traces_promote import seen_in_traces

        if given["outputs"]:
            raise UsageError("give --traces or --outputs, not both", fix="Leave one of them out.")
        seen = seen_in_traces(config, names, given["store"])
    elif given["outputs"]:
        seen = seen_in_outputs(given["outputs"], names)
    elif len(names) > 1:
        seen = seen_in_run(config, names[0], names[1:], given["store"])
    else:
        raise UsageError(
            f"no case of run {names[0]!r} is named",
            fix="Name one or more: acidtest golden promote RUN CASE... --into G. A live trace is taken with "
            "--traces.",
        )
    by, when = who_and_when(given["by"])
    ruling = Ruling(
        reference=given["reference"],
        from_answer=given["reference_from"] is not None,
        unanswerable=given["unanswerable"],
        relevant=_grades(given["relevant"]),
        tags=given["tags"],
        source=given["source"],
        by=by,
        when=when,
    )
    done = promote(seen, ruling, given["into"], replace=given["replace"])
    if given["json_to"]:
        write(given["json_to"], encoded(done), what="JSON")
    _tell(done, quiet=given["json_to"] == "-")
    return 0


def _tell(done: "Promotion", *, quiet: bool) -> None:
    for what, ids in (("Added", done.added), ("Replaced", done.replaced)):
        if ids and not quiet:
            click.echo(f"{what} {', '.join(ids)}", file=results())
    for name, others in done.same.items():
        note(f"{name} stands for all that ask this: {', '.join(others)} ask the same")
    if done.open:
        note(
            f"Waiting for review: {', '.join(done.open)}. "
            f"See them with: acidtest golden review {done.into}"
        )


def _grades(given: tuple[str, ...]) -> dict[str, int]:
    found: dict[str, int] = {}
    for text in given:
        name, grade = _grade(text)
        if name in found:
            raise UsageError(
                f"{name!r} is graded twice",
                where="--relevant",
                fix="Give each chunk once: --relevant ID=GRADE.",
            )
        found[name] = grade
    return found


def _grade(text: str) -> tuple[str, int]:
    """Take the grade off the end; an id may hold = itself."""
    name, sign, grade = text.rpartition("=")
    if not sign:
        return text, 1
    if not name or not grade.isdecimal() or int(grade) > _MOST_GRADE:
        raise UsageError(
            f"{text!r} has no grade from 0 to {_MOST_GRADE} behind the =",
            where="--relevant",
            fix="Write ID or ID=GRADE, such as pricing#2=3.",
        )
    return name, int(grade)
