"""`acidtest judge check`: what a judge says of cases whose right verdict is known."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import amount, filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files

if TYPE_CHECKING:
    from rich.console import Console

    from acidtest.judges.local.measured import Measured, Side
    from acidtest.project.config import Config
    from acidtest.project.judging import Judging
    from acidtest.project.probing.known import Check, CheckEstimate, HardAnswer

TASKS = {
    "faithfulness": "Claims: faithfulness, faithfulness_binary, context_recall",
    "context_usefulness": "Contexts: context_usefulness (useful, useless)",
    "correctness": "Answers against a short reference: correctness (correct, incorrect)",
}
COLOURS = {"right": "green", "open": "yellow", "wrong": "red"}
_WIDE = 96  # columns that the intervals need


@click.command(name="check")
@click.option(
    "--judge", type=filled, metavar="MODEL", help="Which judge; by default the local one."
)
@click.option("--budget-usd", type=amount, metavar="X", help="Stop when it has cost this much.")
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=8,
    metavar="N",
    help="Judge calls in flight.",
)
@click.option("--dry-run", is_flag=True, help="Say what it would take, and ask nobody.")
@click.option("--no-cache", is_flag=True, help="Ask the judge again what it was asked before.")
@click.option("--store", type=filled, metavar="URL", help="Where verdicts are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Ask a judge plain and hard cases whose right verdict is known.

    Of the local judge it also shows how often it was right on public data that its thresholds were not fitted
    on; see the page "The local judge" of the handbook. Status 3: under 95 % of the questions got a verdict.
    """
    from acidtest.project.config import load_config
    from acidtest.project.stores import store_url

    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    inputs = [("the configuration", config.path)] if config.path else []
    check_targets(
        {"--json": given["json_to"]}, [*inputs, *store_files(store_url(config, given["store"]))]
    )
    found = interruptible(_asked(config, given))
    if given["json_to"]:
        import msgspec

        from acidtest.codec.lossy import encoded

        write(given["json_to"], msgspec.json.format(encoded(found), indent=1), what="check")
    else:
        from acidtest.project.probing.known import Check

        if isinstance(found, Check):
            _show(found, stdout())
        else:
            stdout().print(f"{_told(found)}. Nobody was asked.", markup=False)
    return int(getattr(found, "exit_status", 0))


async def _asked(config: "Config", given: dict[str, Any]) -> "Check | CheckEstimate":
    from acidtest.project.judging import judge_named
    from acidtest.project.means import means_of
    from acidtest.project.probing.known import check_judge
    from acidtest.project.stores import open_store

    means = means_of(config.judge, concurrency=given["concurrency"], budget_usd=given["budget_usd"])
    judging = judge_named(config.judge, given["judge"] or "local", means=means, base=Path.cwd())
    try:
        estimated = await _estimated(judging, config, given) if judging.kept else None
        if given["dry_run"]:
            return estimated or await _estimated(judging, config, given)
        if estimated is not None and estimated.calls:
            note(f"{_told(estimated)}.")
        for warning in await judging.check():
            note(warning)
        store = open_store(config, given["store"]) if judging.kept else None
        try:
            # The local judge is done before a line about it could be read.
            telling = progress("check", of="question") if judging.kept else nullcontext()
            with telling as watch:
                return await check_judge(
                    judging,
                    store,
                    concurrency=given["concurrency"],
                    use_cache=not given["no_cache"],
                    watch=watch,
                )
        finally:
            if store is not None:
                store.close()
    finally:
        await judging.aclose()


async def _estimated(
    judging: "Judging", config: "Config", given: dict[str, Any]
) -> "CheckEstimate":
    from acidtest.project.probing.known import estimate_check
    from acidtest.project.stores import open_existing

    store = open_existing(config, given["store"])
    try:
        return await estimate_check(judging, store, use_cache=not given["no_cache"])
    finally:
        if store is not None:
            store.close()


def _told(found: "CheckEstimate") -> str:
    from acidtest.report.clean import one_line
    from acidtest.report.figures import count

    tokens, price = found.tokens, found.cost_usd
    money = "unknown price" if price is None else f"${price.low:.4f} to ${price.high:.4f}"
    return (
        f"{count(found.questions, 'question')} to {one_line(found.judge)}: {count(found.calls, 'call')}, "
        f"{found.cached:,} known, at most {tokens.input.high + tokens.output.high:,} tokens, {money}"
    )


def _show(found: "Check", console: "Console") -> None:
    from acidtest.report.clean import one_line
    from acidtest.report.figures import count, money

    name = one_line(found.judge.model)
    console.print(f"judge {name}  {found.judge.fingerprint[:19]}", markup=False)
    if found.measured is not None:
        _tables(found.measured, console)
    _plain(found, console)
    _hard_cases(found.hard_cases, console, local=found.measured is not None)
    use = found.use
    if found.unjudged:
        console.print(f"It does not judge: {', '.join(found.unjudged)}.", markup=False)
    if found.coverage is None:
        console.print("Incomplete: this judge judges none of it.", markup=False)
    elif found.exit_status == 3:
        console.print(
            f"Incomplete: {found.coverage:.0%} of the questions got a verdict.", markup=False
        )
    if found.measured is None:
        told = (count(use.calls, "call"), f"{use.cached:,} known", count(use.tokens, "token"))
        console.print(f"{', '.join(told)}, {money(use.cost_usd)}.", markup=False)


def _plain(found: "Check", console: "Console") -> None:
    from rich.table import Table

    console.print("Plain cases, asked now: any judge should have them all right", style="bold")
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("task", overflow="fold")
    wide = console.width >= _WIDE
    for heading in (
        "right",
        "of",
        "open",
        "wrong",
        "failed",
        *(("95 % interval",) if wide else ()),
    ):
        shown.add_column(heading, justify="right", overflow="fold")
    for row in found.plain:
        counts = map(str, (row.right, row.n, row.open or "", row.wrong or "", row.failed or ""))
        ci = "" if row.ci is None else f"{100 * row.ci[0]:.0f}-{100 * row.ci[1]:.0f} %"
        shown.add_row(row.task, *counts, *((ci,) if wide else ()))
    console.print(shown)
    console.print()


def _tables(table: "Measured", console: "Console") -> None:
    from rich.table import Table

    wide = console.width >= _WIDE
    for task, title in TASKS.items():
        console.print(title, style="bold", markup=False)
        shown = Table(box=None, pad_edge=False, header_style="dim")
        shown.add_column("data", overflow="fold")
        for heading in ("labels", "n", "good", "decided", "bad:\nright", "good:\nright"):
            shown.add_column(heading, justify="right", overflow="fold")
        for row in table.rows:
            if row.task == task:
                shown.add_row(
                    row.data,
                    row.labels,
                    str(row.n),
                    f"{row.base:.0%}",
                    f"{row.decided:.0%}",
                    _side(row.against, wide=wide),
                    _side(row.in_favour, wide=wide),
                )
        for mean in table.means:
            if mean.over == task:
                shown.add_section()
                shown.add_row(
                    f"mean of {mean.sets} sets",
                    "",
                    "",
                    "",
                    _range(mean.decided, mean.decided_ci, wide=wide),
                    _range(mean.against, mean.against_ci, wide=wide),
                    _range(mean.in_favour, mean.in_favour_ci, wide=wide),
                )
        console.print(shown)
        console.print()
    ranked = table.ranking
    intervals = "" if wide else f" {_WIDE} columns and --json have the 95 % intervals."
    console.print(
        "good: share of units that are supported, useful or correct by the labels. bad: right, the "
        "share of its rulings unsupported, useless or incorrect that were right"
        f"{' (95 % interval)' if wide else ''}; good: right, likewise.{intervals} It depends on how "
        f"common bad units are in your data. Means leave out labels by machine. Rank correlation with people's ratings of {ranked.n} answers ({ranked.data}): "
        f"score {ranked.score:.2f}, 1 - unsupported {ranked.floor:.2f}, a recorded LLM judge "
        f"{ranked.llm_judge:.2f}.\n",
        markup=False,
    )


def _hard_cases(answered: "tuple[HardAnswer, ...]", console: "Console", *, local: bool) -> None:
    from rich.text import Text

    from acidtest.report.clean import one_line

    console.print("Hard cases, asked now", style="bold")
    for each in answered:
        case = each.case
        truth = "supported" if case.supported else "not supported"
        console.print(
            Text.assemble(
                (f"{each.outcome:7}", COLOURS.get(each.outcome, "red")),
                one_line(f"{case.kind}: says {each.says}, is {truth}"),
            )
        )
        console.print(Text(f"      {case.passage}\n      > {case.claim}"))
    kinds = (*COLOURS, "failed", "skipped")
    n = {kind: sum(each.outcome == kind for each in answered) for kind in kinds}
    told = ", ".join(f"{n[kind]} {kind}" for kind in kinds if n[kind] or kind in COLOURS)
    blind = (
        " It cannot see paraphrase, inference, a role swap, a dropped condition or a contradiction by "
        "meaning: where these matter, let a language model judge."
    )
    console.print(f"\n{told}.{blind if local else ''}", markup=False)


def _side(side: "Side", *, wide: bool) -> str:
    if side.right is None or side.ci is None:
        return f"({side.n} rulings)"
    return _range(side.right, side.ci, wide=wide)


def _range(value: float, ci: tuple[float, float], *, wide: bool) -> str:
    return f"{value:.0%}" + (f" ({100 * ci[0]:.0f}-{100 * ci[1]:.0f})" if wide else "")
