"""`acidtest golden accept`: a person's word on cases that wait for review."""

from typing import Any

import click

from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note, write
from acidtest.cli.streams import results, set_apart
from acidtest.cli.targets import check_targets


@click.command(name="accept")
@click.argument("golden", type=filled, metavar="G")
@click.argument("names", nargs=-1, metavar="[CASE]...", type=filled)
@click.option("--all", "everything", is_flag=True, help="Accept all cases that wait for review.")
@click.option(
    "--reject",
    "rejected",
    multiple=True,
    type=filled,
    metavar="CASE",
    help="Take this case out of G; may be given several times.",
)
@click.option("--reference", type=filled, metavar="TEXT", help="The right answer to the one CASE.")
@click.option("--by", type=filled, metavar="NAME", help="Who says so; by default your user name.")
@json_option
def command(**given: Any) -> int:
    """Accept cases of G that wait for review, or reject them.

    What is accepted is marked so, with who and when. What is rejected goes to G's file of rejected
    cases, beside it. Status 1: a case could not be accepted, since it has no reference.
    """
    from acidtest.codec.lossy import encoded
    from acidtest.project.golden_review import Wanted, rule

    set_apart()
    golden: str = given["golden"]
    check_targets({"--json": given["json_to"]}, [("the golden set", golden)])
    wanted = Wanted(
        accept=given["names"],
        everything=given["everything"],
        reject=given["rejected"],
        reference=given["reference"],
        by=given["by"],
    )
    done = rule(golden, wanted)
    if given["json_to"]:
        write(given["json_to"], encoded(done), what="JSON")
    if given["json_to"] != "-":
        click.echo(
            f"{len(done.accepted)} accepted, {len(done.rejected)} rejected, {done.open} still open",
            file=results(),
        )
    if done.rejected:
        note(f"Rejected cases are kept in {done.rejected_to}")
    for name, why in done.unfit.items():
        note(f"Not accepted: {name}: {why}. Give it one with --reference TEXT.")
    return 1 if done.unfit else 0
