"""`acidtest golden stats`: what a golden set holds."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import click

from acidtest.cli.corpora import corpus_option, corpus_or_none
from acidtest.cli.options import filled, json_option
from acidtest.cli.output import stdout, write
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.golden.stats import AgainstCorpus, GoldenStats, Spread
    from acidtest.report.paper import Paper

_SHOWN = 12  # tags, sources and the like that are told one by one


@click.command(name="stats")
@click.argument("golden", metavar="G", type=filled)
@corpus_option
@json_option
def command(golden: str, corpus: str | None, json_to: str | None) -> int:
    """Say what the golden set G holds: labels, evidence, tags, kinds of questions, lengths.

    With a corpus the labels are held against it. The ceilings say what precision@k can reach at most with
    these labels.
    """
    from acidtest.golden.load import load_golden
    from acidtest.golden.stats import golden_stats, stats_json

    inputs = (("the golden set", golden), ("the corpus", corpus))
    check_targets({"--json": json_to}, [(what, path) for what, path in inputs if path])
    stats = golden_stats(load_golden(golden), corpus_or_none(corpus))
    if json_to:
        write(json_to, stats_json(stats), what="statistics")
    if json_to != "-":
        from acidtest.report.paper import Paper

        _show(stats, Paper(stdout()))
    return 0


def _show(stats: "GoldenStats", paper: "Paper") -> None:
    from acidtest.report.figures import count

    paper.line(paper.text(f"{count(stats.cases, 'case')}, version {stats.version[:19]}", "bold"))
    table = paper.grid([("", False), ("cases", True), ("share", True), ("", False)], gap=2)
    for name, number, told in _rows(stats):
        if number:
            share = f"{number / stats.cases:.0%}"
            table.add_row(*map(paper.text, (name, f"{number:,}", share)), paper.text(told, "dim"))
    paper.table(table)
    paper.heading("Spread")
    columns = [("", False), *((name, True) for name in ("least", "median", "mean", "p90", "most"))]
    spread = paper.grid(columns, gap=2)
    for name, values in (
        ("words of a question", stats.question_words),
        ("relevant per labelled case", stats.relevant),
    ):
        if values is not None:
            spread.add_row(paper.text(name), *map(paper.text, _figures(values)))
    paper.table(spread)
    if stats.ceilings:
        told = ", ".join(f"{name} {value:.2f}" for name, value in stats.ceilings.items())
        paper.line(f"At most, with these labels: {told}")
    paper.heading("Counts")
    for title, counts in (
        ("tags", stats.tags),
        ("kinds, by the words of the question", stats.kinds),
        ("sources", stats.sources),
        ("splits", stats.splits),
        ("languages, guessed", stats.languages),
    ):
        _listed(paper, title, counts)
    if stats.corpus is not None:
        _corpus(paper, stats.corpus)


def _rows(stats: "GoldenStats") -> Iterator[tuple[str, int, str]]:
    yield "answerable", stats.answerable, ""
    yield "must be declined", stats.unanswerable, ""
    yield "with a reference", stats.with_reference, ""
    yield "labelled by chunk", stats.labelled_by_chunk, ""
    yield "labelled by document", stats.labelled_by_document, ""
    yield "not labelled", stats.unlabelled, "label metrics skip them"
    grades = ", ".join(f"{number} of grade {grade}" for grade, number in stats.grades.items())
    yield "with grades", stats.graded, grades
    versions = f"{stats.evidence} pieces, {stats.evidence_with_version} with a document's version"
    yield "with evidence", stats.with_evidence, versions
    yield "with earlier turns", stats.with_history, ""
    yield "groups", stats.groups, f"the largest has {stats.largest_group}"
    yield "with a recorded answer", stats.recorded, ""
    yield "without a tag", stats.untagged, ""


def _figures(values: "Spread") -> tuple[str, ...]:
    mean = f"{values.mean:.1f}"
    return str(values.least), f"{values.median:g}", mean, str(values.p90), str(values.most)


def _listed(paper: "Paper", title: str, counts: Mapping[str, int]) -> None:
    shown = [(name, number) for name, number in counts.items() if number]
    if shown:
        paper.line(f"{title}: {_some(f'{name[:40]} {number:,}' for name, number in shown)}")


def _some(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _SHOWN:,} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more


def _corpus(paper: "Paper", found: "AgainstCorpus") -> None:
    paper.heading("Against the corpus")
    paper.line(
        f"The labels reach {found.chunks_labelled:,} of {found.chunks:,} chunks, in "
        f"{found.documents_labelled:,} of {found.documents:,} documents."
    )
    if not found.labels_missing:
        return
    if found.labels_missing == found.labels:
        told = (
            f"None of the {found.labels:,} labels is in it. Is this the corpus that they name, and was "
            "it cut anew? See: acidtest golden remap"
        )
    else:
        told = (
            f"{found.labels_missing:,} of {found.labels:,} labels are not in it. Cases: "
            f"{_some(case[:60] for case in found.cases_with_missing)}. See: acidtest golden remap"
        )
    paper.line(paper.text(told, "yellow"))
