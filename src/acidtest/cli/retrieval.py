"""`acidtest retrieval`: evaluate a run file against judgements."""

from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.output import note, stdout, write

if TYPE_CHECKING:
    from acidtest.project.retrieval import RetrievalScores

SHOWN = 5
"""How many query ids a note names."""


@click.command(name="retrieval")
@click.argument("files", nargs=-1, metavar="QRELS RUN")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC...",
    help="Such as recall@5, mrr, ndcg@10; trec_eval's names (P_5, map, ndcg_cut_10) are known too.",
)
@click.option("--per-query", is_flag=True, help="Every query's values, not the means alone.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on stdout, in full precision.")
@click.option(
    "--compat",
    type=click.Choice(["9", "10"]),
    default="10",
    show_default=True,
    help="Which trec_eval to equal; 9 (and pytrec_eval) has scores in single precision.",
)
@click.option(
    "--level", type=click.IntRange(min=1), default=1, show_default=True, help="Relevant from here."
)
@click.option("--depth", type=click.IntRange(min=1), help="Cut every ranking after N documents.")
@click.option("--judged-only", is_flag=True, help="Drop documents without a judgement first.")
@click.option(
    "--gain",
    type=click.Choice(["linear", "exp"]),
    help="The gain of nDCG: the grade (default), or 2^grade - 1.",
)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    per_query: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
    **options: Any,
) -> None:
    """Evaluate the run in RUN against the judgements in QRELS: TREC files (gzip or not), Parquet, Arrow or JSON.

    Every judged query counts: one that the run lacks, or that has no relevant document, counts 0.
    """
    from acidtest.project.retrieval import DEFAULT, retrieval

    # `--json -` means what `--json` means; names after the two files are metrics, as after -m.
    given = [file for file in files if not (as_json and file == "-")]
    if len(given) < 2:
        raise click.UsageError("give two files: QRELS RUN")
    qrels, run, *more = given
    scores = retrieval(qrels, run, [*metrics, *more] or list(DEFAULT), **options)
    if as_json:
        import msgspec

        result: dict[str, Any] = {"all": scores.means}
        if per_query:
            result["queries"] = scores.rows()
        write("-", msgspec.json.format(msgspec.json.encode(result), indent=1), what="result")
    else:
        _show(scores, per_query=per_query)
    _note(scores)


def _show(scores: "RetrievalScores", *, per_query: bool) -> None:
    from acidtest.report.clean import one_line

    console = stdout()
    rows = scores.rows() if per_query else {}
    if not console.is_terminal:  # one value a line, in trec_eval's order of columns
        lines = [
            f"{name}\t{one_line(query)}\t{value:.4f}"
            for query, values in (*rows.items(), ("all", scores.means))
            for name, value in values.items()
        ]
        click.echo("\n".join(lines))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    if per_query:
        table.add_column("query", overflow="fold")
        for name in scores.means:
            table.add_column(name, justify="right", overflow="fold")
        for query, values in rows.items():
            table.add_row(Text(one_line(query)), *(f"{value:.4f}" for value in values.values()))
        table.add_section()
        table.add_row("all", *(f"{mean:.4f}" for mean in scores.means.values()), style="bold")
    else:
        table.add_column("metric")
        table.add_column(f"mean of {len(scores.queries)}", justify="right")
        for name, mean in scores.means.items():
            table.add_row(Text(name), f"{mean:.4f}")
    console.print(table)


def _note(scores: "RetrievalScores") -> None:
    from acidtest.report.clean import one_line

    for queries, fault in (
        (scores.missing, "not in the run"),
        (scores.unlabelled, "without a relevant document"),
    ):
        if queries:
            more = ", ..." if len(queries) > SHOWN else ""
            note(
                f"{len(queries)} of {len(scores.queries)} judged queries are {fault} and count 0: "
                f"{one_line(', '.join(queries[:SHOWN]))}{more}"
            )
