"""`acidtest golden stale`: is the golden set still true to its corpus?"""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.data.golden import GoldenSet
    from acidtest.golden.stale_record import Staleness
    from acidtest.report.paper import Paper

_NAMES = 8  # case ids that a row of the table names
_SHOWN = 20  # pieces of evidence that are told one by one
_LONGEST = 400  # characters of a difference that are shown


@click.command(name="stale")
@click.argument("golden", metavar="G", type=filled)
@click.option(
    "--corpus",
    "corpus_from",
    type=filled,
    metavar="C",
    help="Today's corpus: a chunk file, a folder or a function; by default the configured one.",
)
@click.option(
    "--rebuild",
    type=target,
    metavar="R",
    help="Write stale cases beside today's text for a person.",
)
@click.option("--apply", "applied", type=filled, metavar="R", help="Take a filled-in review back.")
@click.option("--out", type=target, metavar="G2", help="Write the set as it is decided.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Say which cases of the golden set G are still true to the corpus.

    A case is still good when its document has the version that it was made from, or still says its
    evidence. Else its evidence was changed, moved to another document, its document was renamed, or it
    vanished. Status 1: any case is stale.
    """
    from acidtest.golden.load import load_golden
    from acidtest.golden.stale import staleness
    from acidtest.golden.stale_review import read_stale_review, refreshed
    from acidtest.project.golden_stale import corpus_of, stale_json, stale_review

    if given["applied"] and not given["out"]:
        raise UsageError("--apply decides on a set that goes nowhere", fix="Name it with --out.")
    out, json_to, rebuild = given["out"], given["json_to"], given["rebuild"]
    named = (("the golden set", "golden"), ("the corpus", "corpus_from"), ("the review", "applied"))
    check_targets(
        {"--rebuild": rebuild, "--out": out, "--json": json_to},
        [(what, given[name]) for what, name in named if given[name]],
    )
    golden = load_golden(given["golden"])
    corpus = corpus_of(given["corpus_from"], given["config_path"])
    decisions = read_stale_review(given["applied"]) if given["applied"] else {}
    found = staleness(golden, corpus)
    now = golden
    if out:
        now, dropped = refreshed(golden, found, decisions)
        for name in dropped:
            note(f"Dropped {name}")
        if decisions:
            found = staleness(now, corpus)
    errors = write_each(
        [
            (rebuild, "review", lambda: stale_review(found, now)),
            (out, "golden set", lambda: _lines(now)),
            (json_to, "JSON", lambda: stale_json(found, now, corpus)),
        ]
    )
    if "-" not in (out, rebuild, json_to):
        from acidtest.report.paper import Paper

        _show(found, Paper(stdout()))
        if found.exit_status and not rebuild:
            note("Look at the stale cases: --rebuild FILE writes them beside today's text.")
    return told_errors(errors) or found.exit_status


def _lines(golden: "GoldenSet") -> bytes:
    from acidtest.golden.save import golden_lines

    return golden_lines(golden)


def _show(found: "Staleness", paper: "Paper") -> None:
    from acidtest.golden.stale_record import ORDER
    from acidtest.project.golden_stale import marked

    table = paper.grid((("state", False), ("cases", True), ("ids", False)), gap=2)
    rows: list[tuple[str, tuple[str, ...]]]
    rows = [(state.replace("_", " "), found.cases(state)) for state in ORDER]
    rows += [("cannot tell", tuple(found.unknown)), ("unanswerable", found.unanswerable)]
    for name, ids in rows:
        more = f" and {len(ids) - _NAMES} more" if len(ids) > _NAMES else ""
        named = "" if name in ("still good", "unanswerable") else ", ".join(ids[:_NAMES]) + more
        table.add_row(name, f"{len(ids):,}", paper.text(named))
    paper.line(paper.text("Cases against the corpus", "bold"))
    paper.table(table)
    old = [each for each in found.evidence if each.state != "still_good"]
    if old or found.unknown:
        paper.line("")
    for each in old[:_SHOWN]:
        paper.lead("-", f"{each.state}: {each.case}: {each.why}", indent=0)
        if each.state == "changed" and each.today is not None:
            paper.line(paper.clipped(marked(each.text, each.today.text), _LONGEST), indent=4)
    if len(old) > _SHOWN:
        paper.line(f"... and {len(old) - _SHOWN} pieces of evidence more")
    for case, why in list(found.unknown.items())[:_SHOWN]:
        paper.lead("-", f"cannot tell: {case}: {why}", indent=0)
