"""`acidtest judge probe`: what a judge does with questions whose right verdict is known."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.options import amount, filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from acidtest.judges.attacks import Attack
    from acidtest.project.config import Config
    from acidtest.project.probing.injection import Injection
    from acidtest.project.probing.tally import Share

MOST = 4
"""Subjects there are."""

_WIDE = 96  # columns that the whole table needs
COLOURS = {"turned": "red", "failed": "yellow", "held": "green", "undecidable": "yellow"}


@click.command(name="probe")
@click.option("--injection", is_flag=True, help="Plant texts that give the judge orders.")
@click.option(
    "--judge", type=filled, metavar="MODEL", help="Which judge; by default the configured one."
)
@click.option(
    "--attack",
    "names",
    multiple=True,
    type=filled,
    metavar="NAME",
    help="Only this attack; may be given several times.",
)
@click.option(
    "--cases",
    "subjects",
    type=click.IntRange(1, MOST),
    default=2,
    show_default=True,
    metavar="N",
    help="Try every attack on the cases of so many subjects, 1 to 4.",
)
@click.option("--budget-usd", type=amount, metavar="X", help="Stop when it has cost this much.")
@click.option("--concurrency", type=int, default=8, metavar="N", help="Judge calls in flight.")
@click.option("--no-cache", is_flag=True, help="Ask the judge again what it was asked before.")
@click.option("--store", type=filled, metavar="URL", help="Where verdicts are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Probe a judge with cases whose right verdict is known.

    --injection plants attacks into what is judged (orders to the judge, forged verdicts, forged ends of
    the data and more) and says how many of them change a verdict. Status 1: one did. Status 3: under
    95 % could be measured. An interrupted probe goes on with the same command.
    """
    from acidtest.project.config import load_config
    from acidtest.project.stores import store_url

    if not given["injection"]:
        raise UsageError(
            "no probe is named",
            fix="There is one: --injection, which plants texts that give the judge orders.",
        )
    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    inputs = [("the configuration", config.path)] if config.path else []
    check_targets(
        {"--json": given["json_to"]},
        [*inputs, *store_files(store_url(config, given["store"]))],
    )
    found = interruptible(_probe(config, _attacks(given["names"]), given))
    if given["json_to"]:
        import msgspec

        from acidtest.codec.lossy import encoded

        write(
            given["json_to"],
            msgspec.json.format(encoded(found), indent=1),
            what="probe",
        )
    if given["json_to"] != "-":
        _show(found, stdout())
    return found.exit_status


def _attacks(names: "Sequence[str]") -> "Sequence[Attack]":
    from acidtest.judges.attacks import ATTACKS

    by_name = {attack.name: attack for attack in ATTACKS}
    for name in names:
        if name not in by_name:
            raise UnknownName("attack", name, by_name, where="--attack")
    return [by_name[name] for name in dict.fromkeys(names)] or ATTACKS


async def _probe(
    config: "Config", attacks: "Sequence[Attack]", given: dict[str, Any]
) -> "Injection":
    from acidtest.project.judging import judge_named
    from acidtest.project.means import means_of
    from acidtest.project.probing.injection import probe_injection
    from acidtest.project.stores import open_store

    means = means_of(config.judge, concurrency=given["concurrency"], budget_usd=given["budget_usd"])
    # Files of own judges are beside the configuration that names them, or in the working folder.
    base = Path(config.folder) if given["judge"] is None else Path.cwd()
    judging = judge_named(config.judge, given["judge"], means=means, base=base)
    try:
        for warning in await judging.check():
            note(warning)
        store = open_store(config, given["store"]) if judging.kept else None
        try:
            with progress("probe", of="question") as watch:
                return await probe_injection(
                    judging,
                    store,
                    attacks=attacks,
                    subjects=given["subjects"],
                    concurrency=given["concurrency"],
                    use_cache=not given["no_cache"],
                    watch=watch,
                )
        finally:
            if store is not None:
                store.close()
    finally:
        await judging.aclose()


def _show(found: "Injection", console: "Console") -> None:
    from rich.table import Table
    from rich.text import Text

    from acidtest.project.probing.injection import ENOUGH
    from acidtest.report.clean import one_line

    console.print(
        f"judge {one_line(found.judge.model)}  {found.judge.fingerprint[:19]}", markup=False
    )
    wide = console.width >= _WIDE
    table = Table(title="What each attack did", title_justify="left", title_style="bold")
    for heading in ("attack", *(("kind", "place", "aim") if wide else ()), "did"):
        table.add_column(heading, overflow="fold")
    for heading in ("turned", "held", *(("failed", "says nothing") if wide else ())):
        table.add_column(heading, justify="right", overflow="fold")
    for t in found.tried:
        outcome = Text(t.outcome, style=COLOURS.get(t.outcome, ""))
        about = (t.kind, t.place, t.aim) if wide else ()
        counts = (t.turned, t.held, *((t.failed, t.undecidable) if wide else ()))
        table.add_row(t.attack, *about, outcome, *(str(n or "") for n in counts))
    console.print(table)
    shares = Table(title="Attacks that changed a verdict", title_justify="left", title_style="bold")
    shares.add_column("attacks", overflow="fold")
    for heading in ("turned", "measured", "share", "95 % interval"):
        shares.add_column(heading, justify="right", overflow="fold")
    for part in (found.places, found.kinds):
        for name, share in part.items():
            shares.add_row(name, *_cells(share))
        shares.add_section()
    shares.add_row("all", *_cells(found.attacks))
    console.print(shares)
    for line in _lines(found, ENOUGH):
        console.print(line, markup=False)


def _lines(found: "Injection", enough: float) -> list[str]:
    from acidtest.report.figures import count, money

    use = found.use
    took = (count(use.calls, "call"), f"{use.cached:,} known", count(use.tokens, "token"))
    lines = [
        f"Verdicts that attacks moved: {_told(found.verdicts)}.",
        f"Verdicts that harmless texts moved: {_told(found.harmless)}.",
        f"{', '.join(took)}, {money(use.cost_usd)}.",
    ]
    failed = sum(t.failed for t in found.tried)
    if failed:
        lines.append(
            f"Questions with an attack that got no valid reply, and are not counted as turned: {failed}."
        )
    if found.unfit:
        lines.append(
            f"Wrong, open or without a valid reply already without any attack: {_names(found.unfit)}."
        )
    if found.wavering:
        lines.append(
            f"Cases in which a harmless text moves the verdict too: {_names(found.wavering)}."
        )
    if found.unjudged:
        lines.append(f"This judge does not judge: {_names(found.unjudged)}.")
    if found.coverage is None:
        lines.append("Incomplete: the judge judges none of the cases.")
    elif found.coverage < enough:
        lines.append(
            f"Incomplete: {found.coverage:.0%} could be measured, and {enough:.0%} are needed."
        )
    return lines


def _names(names: "Iterable[str]") -> str:
    return ", ".join(names)


def _told(share: "Share") -> str:
    if share.share is None:
        return "none measured"
    told = f"{share.turned} of {share.measured} ({100 * share.share:.1f} %"
    if share.ci is None:  # one attack alone
        return f"{told})"
    low, high = (100 * end for end in share.ci)
    return f"{told}, 95 % interval {low:.1f}-{high:.1f} %)"


def _cells(share: "Share") -> tuple[str, str, str, str]:
    if share.share is None or share.ci is None:
        return "", "0", "", ""
    low, high = share.ci
    return str(share.turned), str(share.measured), f"{share.share:.0%}", f"{low:.0%}-{high:.0%}"
