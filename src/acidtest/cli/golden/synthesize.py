"""`acidtest golden synthesize`: questions to a corpus, for a person to review."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.corpora import corpus_needed, corpus_option
from acidtest.cli.options import amount, filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import results, set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.project.config import Config
    from acidtest.project.golden_grow_estimate import Forecast
    from acidtest.project.golden_grow_plan import Prepared
    from acidtest.project.golden_grown import Grown, Order
    from acidtest.project.judging import Judging


_MOST = 1_000_000  # questions that are planned at once


@click.command(name="synthesize")
@corpus_option
@click.option(
    "--n", "n", required=True, type=click.IntRange(1, _MOST), metavar="N", help="How many."
)
@click.option("--out", type=filled, metavar="G", help="Write them to this new JSONL file.")
@click.option("--into", type=filled, metavar="G", help="Add them to this golden set (JSONL).")
@click.option(
    "--judge",
    type=filled,
    metavar="MODEL",
    help="Who writes; by default the configured judge. local: templates, without a model.",
)
@click.option("--checker", type=filled, metavar="MODEL", help="Who checks; by default who writes.")
@click.option(
    "--existing",
    multiple=True,
    type=filled,
    metavar="G",
    help="A set whose questions are not asked again; may be given several times.",
)
@click.option(
    "--kinds",
    multiple=True,
    type=filled,
    metavar="KIND[=W],...",
    help="Which kinds of questions, with weights; by default all.",
)
@click.option("--persona", "personas", multiple=True, type=filled, metavar="TEXT", help="Who asks.")
@click.option("--style", "styles", multiple=True, type=filled, metavar="TEXT", help="How they ask.")
@click.option(
    "--language",
    type=filled,
    default=None,
    metavar="NAME",
    help="What language they ask in; by default that of the chunk.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Other chunks.")
@click.option(
    "--tries",
    type=click.IntRange(1, 10),
    default=3,
    show_default=True,
    metavar="N",
    help="Drafts for each question at most.",
)
@click.option("--dry-run", is_flag=True, help="Say what it would take, and spend nothing.")
@click.option("--budget-usd", type=amount, metavar="X", help="Stop when it has cost this much.")
@click.option("--concurrency", type=int, default=8, metavar="N", help="Calls in flight.")
@click.option("--no-cache", is_flag=True, help="Ask again what was asked before.")
@click.option("--store", type=filled, metavar="URL", help="Where replies are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Write questions to a corpus: cases marked synthetic, that wait for a person's review.

    Each has its reference, and evidence that stands in its chunks word for word. Without a language
    model simple drafts come from templates. Status 3: fewer than asked for could be written; why is told.
    An interrupted synthesis goes on with the same command.
    """
    from acidtest.project.config import load_config
    from acidtest.project.golden_grow_plan import prepare, writing_judge
    from acidtest.project.means import means_of
    from acidtest.project.stores import store_url

    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    order = _order(given)
    inputs = [("the configuration", config.path)] if config.path else []
    inputs += [("the corpus", given["corpus"])] if given["corpus"] else []
    inputs += [("a golden set", path) for path in given["existing"]]
    files = store_files(store_url(config, given["store"]))
    check_targets({"--json": given["json_to"], "the set": order.out}, [*inputs, *files])
    means = means_of(config.judge, concurrency=given["concurrency"], budget_usd=given["budget_usd"])
    base = Path(config.folder) if given["judge"] is None else Path.cwd()
    judging = writing_judge(config.judge, given["judge"], means=means, base=base)
    checking = None
    if given["checker"]:
        checking = writing_judge(
            config.judge, given["checker"], means=means, base=Path.cwd(), where="--checker"
        )
        if checking is None or judging is None:
            raise UsageError(
                "templates are checked by rules", where="--checker", fix="Name two language models."
            )
    prepared = prepare(
        corpus_needed(given["corpus"]), order, writer=_fingerprint(judging, checking)
    )
    if given["dry_run"]:
        return _dry_run(prepared, judging, checking, config, given)
    grown = interruptible(_grow(prepared, judging, checking, config, given))
    if given["json_to"]:
        import msgspec

        from acidtest.codec.lossy import encoded

        write(given["json_to"], msgspec.json.format(encoded(grown), indent=1), what="JSON")
    if given["json_to"] != "-":
        _show(grown)
    return grown.exit_status


def _order(given: dict[str, Any]) -> "Order":
    from acidtest.golden.grow.kinds import parse_kinds
    from acidtest.golden.grow.plan import Wish
    from acidtest.golden.grow.voices import PERSONAS, STYLES
    from acidtest.project.golden_grown import Order

    if (given["out"] is None) == (given["into"] is None):
        raise UsageError(
            "give --out or --into",
            fix="--out G writes a new set, --into G adds to one that is there.",
        )
    return Order(
        n=given["n"],
        out=given["out"] or given["into"],
        append=given["into"] is not None,
        existing=given["existing"],
        kinds=parse_kinds(given["kinds"]),
        wish=Wish(
            seed=given["seed"],
            personas=given["personas"] or PERSONAS,
            styles=given["styles"] or STYLES,
            language=given["language"] or "",
        ),
        tries=given["tries"],
        concurrency=given["concurrency"],
        use_cache=not given["no_cache"],
    )


def _fingerprint(judging: "Judging | None", checking: "Judging | None") -> str:
    return " ".join(each.judge.fingerprint for each in (judging, checking) if each is not None)


async def _grow(
    prepared: "Prepared",
    judging: "Judging | None",
    checking: "Judging | None",
    config: "Config",
    given: dict[str, Any],
) -> "Grown":
    from acidtest.project.golden_grow import grow
    from acidtest.project.stores import open_store

    if judging is None:
        return await grow(prepared)
    store = None
    try:
        # A closed port or a refused key is told before anything is asked.
        for warning in [*await judging.check(), *(await checking.check() if checking else ())]:
            note(warning)
        store = open_store(config, given["store"]) if judging.kept else None
        with progress("synthesize", of="question") as watch:
            return await grow(prepared, judging, store, checking=checking, watch=watch)
    finally:
        if store is not None:
            store.close()
        await judging.aclose()


def _dry_run(
    prepared: "Prepared",
    judging: "Judging | None",
    checking: "Judging | None",
    config: "Config",
    given: dict[str, Any],
) -> int:
    from acidtest.project.golden_grow_estimate import forecast
    from acidtest.project.stores import open_existing

    store = open_existing(config, given["store"])
    try:
        found = asyncio.run(forecast(prepared, judging, store, checking=checking))
    finally:
        if store is not None:
            store.close()
    if given["json_to"]:
        from acidtest.codec.lossy import encoded

        write(given["json_to"], encoded(found), what="estimate")
    if given["json_to"] != "-":
        for line in _forecast_lines(found):
            click.echo(line, file=results())
        click.echo("Nothing was asked.", file=results())
    return 0


def _forecast_lines(found: "Forecast") -> list[str]:
    from acidtest.cli.dry_run import minutes_in_words, money_in_words, span_in_words

    lines = [
        f"{found.asked} questions asked for" + (f", {found.before} there" if found.before else "")
    ]
    if not found.models:
        lines.append("  calls: none")
    for name, model in found.models.items():
        tokens = f"{span_in_words(model.tokens.input)} in, {span_in_words(model.tokens.output)} out"
        lines += [
            f"  calls: {span_in_words(model.calls)} to {name}",
            f"  tokens: {tokens}",
            f"  price: {money_in_words(model.cost_usd)}",
        ]
    if found.cached:
        lines.append(f"  answered before: {found.cached:,}")
    if found.models:
        lines.append(f"  time: {minutes_in_words(found.minutes)}")
    lines += [f"  missing: {each.missing} {each.kind}: {each.why}" for each in found.shortfall]
    return lines


def _show(grown: "Grown") -> None:
    from acidtest.report.figures import count, money
    from acidtest.report.paper import Paper

    paper = Paper(stdout())
    table = paper.grid((("kind", False), ("asked", True), ("there", True)), gap=2)
    for kind, each in grown.kinds.items():
        table.add_row(kind, f"{each.asked:,}", f"{each.kept:,}")
    paper.table(table)
    paper.line("")
    told = [f"{grown.kept} of {grown.asked} questions are in {grown.out}, to be reviewed."]
    if grown.before:
        told.append(f"{grown.before} of them were there before.")
    if grown.dropped:
        reasons = ", ".join(f"{n} {reason}" for reason, n in grown.dropped.items())
        told.append(f"Dropped of {grown.tried} drafts: {reasons}.")
    word = "Missing" if grown.exit_status else "Others stand in for"
    told += [f"{word}: {each.missing} {each.kind}: {each.why}." for each in grown.shortfall]
    if grown.stopped:
        told.append(f"Stopped: {grown.stopped}")
    if grown.judge is not None:
        use = grown.use
        took = f"{count(use.calls, 'call')}, {use.cached:,} known, {count(use.tokens, 'token')}"
        told.append(f"{took}, {money(use.cost_usd)}.")
    told += grown.notes
    if grown.kept:
        told.append(f"Next: acidtest golden review {grown.out}")
    for line in told:
        paper.line(line)
