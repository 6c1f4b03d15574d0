"""`acidtest golden remap`: carry the labels over after the corpus was cut anew."""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import Share, filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.golden.remap.record import Remapping
    from acidtest.report.paper import Paper

_SHARE = Share()
_SHOWN = 20  # labels that are told one by one
_NAMES = 8  # case ids that a row of the table names


@click.command(name="remap")
@click.argument("golden", metavar="G", type=filled)
@click.option(
    "--chunks",
    required=True,
    type=filled,
    metavar="NEW",
    help="The new chunks: a file, a folder or a function.",
)
@click.option("--out", type=target, metavar="G2", help="Write the re-mapped set.")
@click.option(
    "--old",
    type=filled,
    metavar="OLD",
    help="The chunks that the labels name: texts of labels without evidence.",
)
@click.option(
    "--review", type=target, metavar="R", help="Write doubtful and lost labels for a person."
)
@click.option("--apply", "applied", type=filled, metavar="R", help="Take a filled-in review back.")
@click.option(
    "--confidence",
    type=_SHARE,
    default=0.8,
    show_default=True,
    metavar="X",
    help="Below it a label is doubtful.",
)
@click.option(
    "--overlap",
    type=_SHARE,
    default=0.2,
    show_default=True,
    metavar="X",
    help="Chunks that hold less of the evidence get no label.",
)
@json_option
def command(**given: Any) -> int:
    """Carry the labels of the golden set G over to new chunks, by the text of their evidence.

    The evidence is found to the letter, then but for typography, then by alignment. Every label is
    kept, moved, split, doubtful or lost, and none is left out: doubtful and lost ones are marked in G2
    and go to a person with --review. Status 1: something is doubtful or lost.
    """
    from acidtest.golden.load import load_golden
    from acidtest.project.corpora import load_corpus
    from acidtest.project.golden_remap import remap, remap_json, remap_review

    out, json_to = given["out"], given["json_to"]
    inputs = (("the golden set", "golden"), ("the chunks", "chunks"))
    more = (("the old chunks", "old"), ("the review", "applied"))
    check_targets(
        {"--out": out, "--review": given["review"], "--json": json_to},
        [(what, given[name]) for what, name in (*inputs, *more) if given[name]],
    )
    before, corpus = load_golden(given["golden"]), load_corpus(given["chunks"])
    found = remap(
        before,
        corpus,
        old=given["old"],
        review=given["applied"],
        confidence=given["confidence"],
        overlap=given["overlap"],
    )
    errors = write_each(
        [
            (out, "golden set", lambda: _lines(found)),
            (given["review"], "review", lambda: remap_review(found)),
            (json_to, "JSON", lambda: remap_json(found, before, corpus, out)),
        ]
    )
    if "-" not in (out, given["review"], json_to):
        from acidtest.report.paper import Paper

        _show(found, Paper(stdout()))
        if found.exit_status and not given["review"]:
            note("Look at the doubtful and lost labels: --review FILE writes them for a person.")
        if found.edited:
            note(
                "The evidence of edited cases says it otherwise now: acidtest golden stale shows how, and "
                "whether their references still hold is for a person."
            )
    return told_errors(errors) or found.exit_status


def _lines(found: "Remapping") -> bytes:
    from acidtest.golden.save import golden_lines

    return golden_lines(found.golden)


def _show(found: "Remapping", paper: "Paper") -> None:
    from acidtest.golden.remap.record import ORDER
    from acidtest.project.golden_remap import STATES

    table = paper.grid((("state", False), ("cases", True), ("ids", False)), gap=2)
    rows: list[tuple[str, tuple[str, ...]]]
    rows = [(state, found.cases(state)) for state in ORDER]
    rows += [("merged", found.merged), ("edited", found.edited), ("unlabelled", found.unlabelled)]
    for name, ids in rows:
        if ids or name in STATES:
            more = f" and {len(ids) - _NAMES} more" if len(ids) > _NAMES else ""
            named = "" if name == "kept" else ", ".join(ids[:_NAMES]) + more
            table.add_row(name, f"{len(ids):,}", paper.text(named))
    paper.line(paper.text("Cases after re-mapping", "bold"))
    paper.table(table)
    open_labels = [each for each in found.labels if each.state in ("doubtful", "lost")]
    if open_labels or found.renamed:
        paper.line("")
    for each in open_labels[:_SHOWN]:
        to = f" -> {', '.join(each.to[:3])}" if each.to else ""
        paper.lead("-", f"{each.state}: {each.case}: {each.label}{to}: {each.why}", indent=0)
    if len(open_labels) > _SHOWN:
        paper.line(f"... and {len(open_labels) - _SHOWN} labels more")
    for old, new in found.renamed.items():
        paper.lead("-", f"document {old} is {new} now", indent=0)
