"""`acidtest golden agree`: how far annotators agree."""

from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.data.outcomes import Skip
    from acidtest.project.golden_agree import Agreed, Pair
    from acidtest.report.paper import Paper
    from acidtest.stats.agreement import Agreement

_SHOWN = 20  # disagreements that are told one by one


@click.command(name="agree")
@click.argument("files", nargs=-1, required=True, metavar="LABELS...", type=filled)
@click.option(
    "--review", type=target, metavar="F", help="Write disagreements for a person to decide."
)
@json_option
def command(files: tuple[str, ...], review: str | None, json_to: str | None) -> int:
    """Say how far annotators agree, and list what they disagree on.

    Cohen's kappa for every two people, Krippendorff's alpha for all, with intervals over cases. Fill in
    `decision` in the review and give the file to: acidtest golden label --apply.
    """
    from acidtest.golden.labelling.labels_file import asked_rows
    from acidtest.project.golden_agree import agree_json, agreement

    check_targets({"--review": review, "--json": json_to}, [("the labels", file) for file in files])
    found = agreement(files)
    errors = write_each(
        [
            (review, "review", lambda: asked_rows(found.disagreements)),
            (json_to, "JSON", lambda: agree_json(found, files)),
        ]
    )
    if "-" not in (review, json_to):
        from acidtest.report.paper import Paper

        _show(found, Paper(stdout()))
        if found.disagreements and not review:
            note("--review FILE writes the disagreements for a person to decide.")
    return told_errors(errors)


def _show(found: "Agreed", paper: "Paper") -> None:
    from acidtest.report.figures import count

    for name, counts in found.people.items():
        told = ", ".join(f"{number} x {word}" for word, number in counts.items())
        paper.lead(name[:40], told, indent=0)
    for pair in found.pairs:
        _pair(paper, pair)
    for pair in found.prelabels:
        _pair(paper, pair)
    if len(found.people) > 1:
        paper.heading("Krippendorff's alpha, all people")
        _table(paper, found.alpha)
    paper.heading(count(len(found.disagreements), "disagreement"))
    for each in found.disagreements[:_SHOWN]:
        said = ", ".join(f"{name} {word}" for name, word in each.grades.items())
        paper.lead("?", f"{each.case}: {each.chunk}: {said}", indent=0)
    if len(found.disagreements) > _SHOWN:
        paper.line(f"... and {len(found.disagreements) - _SHOWN} more")


def _pair(paper: "Paper", pair: "Pair") -> None:
    paper.heading(f"Cohen's kappa, {pair.a} and {pair.b}: {pair.same} of {pair.n} the same")
    names = {
        "none": "grades alike or not",
        "linear": "by distance",
        "quadratic": "by squared distance",
        "relevant": "relevant (1 to 3) or not",
    }
    _table(paper, {names[name]: value for name, value in pair.kappa.items()})


def _table(paper: "Paper", values: "dict[str, Agreement | Skip]") -> None:
    from acidtest.data.outcomes import Skip

    table = paper.grid([("", False), ("value", True), ("95 % interval", False), ("n", True)], gap=2)
    for name, value in values.items():
        if isinstance(value, Skip):
            cells = [name, "-", value.why, ""]
        else:
            ci = value.ci
            told = f"{ci[0]:.2f} to {ci[1]:.2f}" if ci else f"none: {value.why_no_ci}"
            cells = [name, f"{value.value:.3f}", told, str(value.n)]
        table.add_row(*map(paper.text, cells))
    paper.table(table)
