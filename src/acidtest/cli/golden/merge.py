"""`acidtest golden merge`: two people's edits of a golden set, made one."""

from pathlib import PurePath
from typing import Any

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, write
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError


@click.command(name="merge")
@click.argument("base", metavar="BASE", type=filled)
@click.argument("ours", metavar="A", type=filled)
@click.argument("theirs", metavar="B", type=filled)
@click.option("--out", type=target, metavar="G", help="Write the merged set.")
@click.option(
    "--conflicts",
    type=target,
    metavar="F",
    help="Write conflicts for a person; by default beside G.",
)
@click.option("--apply", "applied", type=filled, metavar="F", help="Take filled-in conflicts back.")
@click.option(
    "--driver",
    type=filled,
    metavar="PATH",
    help="Be a merge driver of git: write over A, conflicts beside PATH.",
)
@json_option
def command(**given: Any) -> int:
    """Merge two people's edits A and B of the golden set BASE, field by field and label by label.

    What only one of them changed is taken. What both changed differently is a conflict: A's word stands
    in G, and all three go to the file of conflicts. Fill in `decision` there and give it with --apply.
    Status 1: there are conflicts.
    """
    from acidtest.golden.edit.canonical import canonical_lines
    from acidtest.golden.edit.conflicts import conflict_rows
    from acidtest.project.golden_edit import merge_golden, merge_json

    sources = [given["base"], given["ours"], given["theirs"]]
    out, conflicts = _places(given)
    named: list[tuple[str, str]] = [("the base", sources[0]), ("the other set", sources[2])]
    named += [("the one set", sources[1])] if not given["driver"] else []
    named += [("the decisions", given["applied"])] if given["applied"] else []
    check_targets({"--out": out, "--conflicts": conflicts, "--json": given["json_to"]}, named)
    if given["driver"]:
        from acidtest.golden.edit.read import read_lines

        sources = [read_lines(path) for path in sources]
    merge = merge_golden(*sources, decided=given["applied"])
    if merge.conflicts and conflicts:
        # First what is open, then what stands: whatever happens in between, nobody's word is lost.
        write(conflicts, conflict_rows(merge.conflicts), what="conflicts")
    write(out, canonical_lines(merge.golden), what="golden set")
    if given["json_to"]:
        told = conflicts if merge.conflicts else None
        write(given["json_to"], merge_json(merge, out, told), what="JSON")
    if "-" not in (out, conflicts, given["json_to"]):
        from acidtest.report.golden_merge import print_merge

        print_merge(merge, stdout())
    if merge.conflicts:
        file = given["applied"] if conflicts in (None, "-") else conflicts
        if given["driver"]:
            name = given["driver"]
            note(f"Edit {name} where {file} says, then: git add {name}, and remove {file}")
        elif file:
            note(f"Decide in {file}, then merge again with: --apply {file}")
            if not conflicts:
                note(f"Conflicts that are not in {file} are written with: --conflicts FILE")
    return 1 if merge.conflicts else 0


def _places(given: dict[str, Any]) -> tuple[str, str | None]:
    """Return where the set and its conflicts go; of conflicts read back, what is open stays there."""
    out: str | None = given["out"]
    if given["driver"]:
        if out or given["applied"]:
            raise UsageError(
                "--driver writes over A", where="--driver", fix="Leave --out and --apply out."
            )
        return given["ours"], given["conflicts"] or _beside(given["driver"])
    if not out:
        raise UsageError("the merged set goes nowhere", fix="Name it with --out.")
    if given["conflicts"] or given["applied"]:
        return out, given["conflicts"]
    if out == "-":
        raise UsageError(
            "conflicts have no place beside stdout", where="--out", fix="Name one with --conflicts."
        )
    return out, _beside(out)


def _beside(path: str) -> str:
    here = PurePath(path)
    return str(here.with_name(f"{here.stem}.conflicts.jsonl"))
