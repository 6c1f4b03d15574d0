"""`acidtest golden cover`: what a golden set does not reach."""

from typing import TYPE_CHECKING

import click

from acidtest.cli.corpora import corpus_needed, corpus_option
from acidtest.cli.options import filled, json_option
from acidtest.cli.output import stdout, write
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.golden.cover.record import Coverage
    from acidtest.report.paper import Paper

_ROWS = 10  # documents that are shown
_SUGGESTED = 10
_NARROW = 76


@click.command(name="cover")
@click.argument("golden", metavar="G", type=filled)
@corpus_option
@click.option(
    "--traces",
    multiple=True,
    type=filled,
    metavar="F|RUN",
    help="What users asked: recorded outputs, a file of questions, or a run.",
)
@click.option(
    "--topics",
    type=click.IntRange(2, 200),
    metavar="N",
    help="Group the chunks into N topics; by default by their number.",
)
@click.option("--store", type=filled, metavar="URL", help="The store of a run.")
@json_option
def command(
    golden: str,
    corpus: str | None,
    traces: tuple[str, ...],
    topics: int | None,
    store: str | None,
    json_to: str | None,
) -> int:
    """Say what of a corpus the golden set G does not reach, and what to write next.

    Documents and sections are reached by labels and evidence. Topics are groups of chunks that share
    words. With --traces what users ask counts as much as what the corpus holds.
    """
    from acidtest.golden.cover.coverage import coverage, coverage_json
    from acidtest.golden.load import load_golden
    from acidtest.project.config import load_config
    from acidtest.project.golden_cover import asked_in

    inputs = [("the golden set", golden), *(("the traces", path) for path in traces)]
    check_targets({"--json": json_to}, [*inputs, *([("the corpus", corpus)] if corpus else [])])
    cases, config = load_golden(golden), load_config()
    asked = [each for source in traces for each in asked_in(source, config, cases, store=store)]
    found = coverage(cases, corpus_needed(corpus), asked, topics=topics)
    if json_to:
        write(json_to, coverage_json(found), what="cover")
    if json_to != "-":
        from acidtest.report.paper import Paper

        _show(found, Paper(stdout()))
    return 0


def _show(found: "Coverage", paper: "Paper") -> None:
    reached = sum(1 for document in found.documents if document.cases)
    paper.line(
        paper.text(
            f"{found.cases_placed:,} of {found.cases:,} cases have a place in the corpus; they reach "
            f"{found.chunks_reached:,} of {found.chunks:,} chunks"
            + (
                f" and {reached:,} of {len(found.documents):,} documents."
                if found.documents
                else "."
            ),
            "bold",
        )
    )
    if found.asked:
        paper.line(
            f"{found.asked:,} recorded questions, {found.asked_placed:,} of them with a retrieved chunk "
            "of this corpus."
        )
    for note in found.notes:
        paper.lead("!", paper.text(note, "yellow"), indent=0)
    if found.documents_only:
        paper.line(f"Of {found.documents_only:,} cases only the document is known.")
    if found.documents:
        _documents(found, paper)
    if found.topics:
        _topics(found, paper)
    if found.asked:
        _kinds(found, paper)
    paper.heading("What to write next")
    for each in found.suggestions[:_SUGGESTED]:
        paper.lead("-", each.text, indent=0)
    if not found.suggestions:
        paper.line("Nothing stands out.")
    if (more := len(found.suggestions) - _SUGGESTED) > 0:
        paper.line(paper.text(f"{more} more: --json", "dim"))


def _columns(found: "Coverage", *before: tuple[str, bool]) -> list[tuple[str, bool]]:
    return [*before, ("cases", True), *([("asked", True)] if found.asked else [])]


def _documents(found: "Coverage", paper: "Paper") -> None:
    paper.heading("Documents, those without a case first")
    wide = paper.width >= _NARROW
    table = paper.grid(
        _columns(found, ("document", False), ("chunks", True), ("sections\nreached", True)), gap=2
    )
    ranked = sorted(found.documents, key=lambda d: (d.cases > 0, -d.asked, -d.characters, d.id))
    for document in ranked[:_ROWS]:
        reached = sum(1 for section in document.sections if section.cases)
        figures = [
            f"{document.chunks:,}",
            f"{reached}/{len(document.sections)}",
            str(document.cases),
        ]
        figures += [str(document.asked)] if found.asked else []
        name = paper.clipped(document.id, 50 if wide else 28)
        table.add_row(name, *map(paper.text, figures))
    paper.table(table)
    if (more := len(ranked) - _ROWS) > 0:
        paper.line(paper.text(f"{more:,} more: --json", "dim"))


def _topics(found: "Coverage", paper: "Paper") -> None:
    paper.heading("Topics, by the words that chunks share")
    table = paper.grid(_columns(found, ("topic", False), ("chunks", True), ("alike", True)), gap=2)
    for topic in sorted(found.topics, key=lambda t: (t.cases > 0, -t.chunks, t.words)):
        figures = [f"{topic.chunks:,}", f"{topic.likeness:.2f}", str(topic.cases)]
        figures += [str(topic.asked)] if found.asked else []
        name = paper.clipped(", ".join(topic.words), 50 if paper.width >= _NARROW else 28)
        table.add_row(name, *map(paper.text, figures))
    paper.table(table)
    alone = found.chunks_without_topic
    paper.line(
        paper.text(
            (f"{alone:,} of {found.chunks:,} chunks share no word with any. " if alone else "")
            + "Grouped by words alone: one subject in other words is two topics. alike is the mean cosine "
            "to the topic's centre; a low one holds chunks that fit nowhere.",
            "dim",
        )
    )


def _kinds(found: "Coverage", paper: "Paper") -> None:
    paper.heading("Kinds of questions, by their words")
    table = paper.grid([("kind", False), ("set", True), ("asked", True)], gap=2)
    for kind in found.kinds:
        if kind.cases or kind.asked:
            shares = (f"{kind.cases / found.cases:.0%}", f"{kind.asked / found.asked:.0%}")
            table.add_row(*map(paper.text, (kind.kind, *shares)))
    paper.table(table)
