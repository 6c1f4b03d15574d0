"""`acidtest judge probe`: what moves a judge that must not, and which faults it lets pass."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from acidtest.cli.options import amount, filled, json_option
from acidtest.cli.output import note, stdout, write
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from acidtest.project.config import Config
    from acidtest.project.judging import Judging
    from acidtest.run.progress import Watcher
    from acidtest.store.runs import Store

MOST = 4
"""Subjects there are."""

KINDS = (
    "length",
    "verbosity",
    "position",
    "style",
    "praise",
    "rewording",
    "leniency",
    "self-preference",
)
"""Kinds of bias probes; the project has the same list, which a test compares."""

_OF_INJECTION = {"names": "--attack", "subjects": "--cases"}
_OF_BIAS = {
    "run": "RUN",
    "kinds": "--kind",
    "metrics": "--metric",
    "n": "--n",
    "seed": "--seed",
    "repeat": "--repeat",
    "labels": "--labels",
    "dry_run": "--dry-run",
}


@click.command(name="probe")
@click.argument("run", required=False, type=filled)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    metavar="KIND",
    help=f"Only this probe; may be given several times. One of: {', '.join(KINDS)}.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    type=filled,
    metavar="METRIC",
    help="Which judged metric; may be given several times.",
)
@click.option(
    "--n",
    type=click.IntRange(min=1),
    default=40,
    show_default=True,
    metavar="N",
    help="How many items: of RUN, drawn at random, or of the built-in ones.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    metavar="S",
    help="Draws items, orders and faults.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 20),
    default=2,
    show_default=True,
    metavar="N",
    help="Ask every unchanged item so often.",
)
@click.option(
    "--labels",
    type=filled,
    metavar="F",
    help="People's labels of the run's cases, for self-preference.",
)
@click.option("--dry-run", is_flag=True, help="Say what it would take, and ask nobody.")
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
    help="With --injection: only this attack; may be given several times.",
)
@click.option(
    "--cases",
    "subjects",
    type=click.IntRange(1, MOST),
    default=2,
    show_default=True,
    metavar="N",
    help="With --injection: the cases of so many subjects, 1 to 4.",
)
@click.option("--budget-usd", type=amount, metavar="X", help="Stop when it has cost this much.")
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=8,
    metavar="N",
    help="Judge calls in flight.",
)
@click.option("--no-cache", is_flag=True, help="Ask the judge again what it was asked before.")
@click.option("--store", type=filled, metavar="URL", help="Where verdicts are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Probe a judge: does its verdict move with what must not move it, and does it catch faults?

    Items are answers of RUN (an id, a name, `latest` or a JSON file), or built-in ones. Each is judged as
    it is, and made longer, restyled, praised, reworded or with its contexts in another order, which must
    change nothing; then with faults planted, which must be caught. Status 1: something was found. Status
    3: under 95 % of the questions got a verdict.

    --injection plants attacks into what is judged instead (orders to the judge, forged verdicts and more)
    and says how many of them change a verdict. An interrupted probe goes on with the same command.
    """
    from acidtest.project.config import load_config
    from acidtest.project.stores import store_url

    _fitting(given)
    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    inputs = [("the configuration", config.path)] if config.path else []
    inputs += [("the labels", given["labels"])] if given["labels"] else []
    if given["run"] and Path(given["run"]).is_file():
        inputs.append(("the run", given["run"]))
    check_targets(
        {"--json": given["json_to"]},
        [*inputs, *store_files(store_url(config, given["store"]))],
    )
    found, show = _injection(config, given) if given["injection"] else _bias(config, given)
    if given["json_to"]:
        import msgspec

        from acidtest.codec.lossy import encoded

        write(
            given["json_to"],
            msgspec.json.format(encoded(found), indent=1),
            what="probe",
        )
    if given["json_to"] != "-":
        show(found, stdout())
    return 0 if given["dry_run"] else int(found.exit_status)


def _fitting(given: dict[str, Any]) -> None:
    """Refuse options of the other probe: nothing is passed over in silence."""
    context = click.get_current_context()
    foreign = _OF_BIAS if given["injection"] else _OF_INJECTION
    for name, option in foreign.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise UsageError(
                f"{option} does not go {'with' if given['injection'] else 'without'} --injection",
                fix="--injection tries attacks on built-in cases; without it biases are probed.",
            )


def _injection(config: "Config", given: dict[str, Any]) -> tuple[Any, "Callable[..., None]"]:
    from acidtest.cli.judge import probe_injection

    attacks = probe_injection.attacks_named(given["names"])

    async def ask(judging: "Judging", store: "Store | None", watch: "Watcher | None") -> Any:
        return await probe_injection.probe(judging, store, attacks, given, watch)

    return interruptible(_asked(config, given, ask)), probe_injection.show


def _bias(config: "Config", given: dict[str, Any]) -> tuple[Any, "Callable[..., None]"]:
    from acidtest.cli.judge import probe_bias

    chosen = probe_bias.chosen(config, given)
    if given["dry_run"]:
        return interruptible(
            probe_bias.estimate(config, _judging(config, given), chosen, given)
        ), probe_bias.show_estimate

    async def ask(judging: "Judging", store: "Store | None", watch: "Watcher | None") -> Any:
        return await probe_bias.probe(judging, store, chosen, given, watch)

    return interruptible(_asked(config, given, ask)), probe_bias.show


def _judging(config: "Config", given: dict[str, Any]) -> "Judging":
    from acidtest.project.judging import judge_named
    from acidtest.project.means import means_of

    means = means_of(config.judge, concurrency=given["concurrency"], budget_usd=given["budget_usd"])
    # Files of own judges are beside the configuration that names them, or in the working folder.
    base = Path(config.folder) if given["judge"] is None else Path.cwd()
    return judge_named(config.judge, given["judge"], means=means, base=base)


async def _asked(
    config: "Config",
    given: dict[str, Any],
    ask: "Callable[[Judging, Store | None, Watcher | None], Awaitable[Any]]",
) -> Any:
    from acidtest.project.stores import open_store

    judging = _judging(config, given)
    try:
        for warning in await judging.check():
            note(warning)
        store = open_store(config, given["store"]) if judging.kept else None
        try:
            with progress("probe", of="question") as watch:
                return await ask(judging, store, watch)
        finally:
            if store is not None:
                store.close()
    finally:
        await judging.aclose()
