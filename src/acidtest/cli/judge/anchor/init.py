"""`acidtest judge anchor init`: fixed cases of a run with what the judge says of them today."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.judge.anchor.options import anchor_options, cost_options
from acidtest.cli.options import filled, json_option
from acidtest.cli.output import note
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart

if TYPE_CHECKING:
    from acidtest.data.runs import Run
    from acidtest.project.anchoring.planned import Rejudging
    from acidtest.project.anchoring.watch import Status
    from acidtest.project.config import Config


@click.command(name="init")
@click.argument("run", default="latest", metavar="[RUN]", type=filled)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    type=filled,
    metavar="METRIC",
    help="Only this judged metric of the run; may be given several times.",
)
@click.option(
    "--n",
    type=click.IntRange(2, 10_000),
    default=50,
    show_default=True,
    metavar="N",
    help="How many cases.",
)
@click.option(
    "--repeat",
    type=click.IntRange(2, 1_000),
    default=5,
    show_default=True,
    metavar="N",
    help="How often each verdict is asked for: once to hold it, the rest to measure the judge's own noise.",
)
@click.option("--replace", is_flag=True, help="Begin anew: the old anchor and its history go.")
@cost_options
@anchor_options
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@json_option
def command(**given: Any) -> int:
    """Choose cases of a run, and record what the judge says of them.

    RUN is an id, a name, `latest` (by default) or a JSON file. Cases near the threshold, low ones and a
    spread of the rest are chosen.
    """
    from acidtest.cli.judge.anchor.words import config_and_path, tell
    from acidtest.project.anchor import plan_anchor

    set_apart()
    config, path = config_and_path(given)
    source, asked = plan_anchor(
        config,
        path,
        given["run"],
        metrics=given["metrics"],
        n=given["n"],
        repeat=given["repeat"],
        judge=given["judge"],
        replace=given["replace"],
        concurrency=given["concurrency"],
        budget_usd=given["budget_usd"],
        store=given["store"],
    )
    if given["dry_run"]:
        from acidtest.cli.dry_run import tell_estimates

        return tell_estimates(
            [asked.plan],
            config,
            store=given["store"],
            fresh=True,
            use_cache=False,
            json_to=given["json_to"],
        )
    status = interruptible(_made(config, path, source, asked, given))
    tell(status, given["json_to"])
    return 0


async def _made(
    config: "Config", path: Path, source: "Run", asked: "Rejudging", given: dict[str, Any]
) -> "Status":
    from acidtest.project.anchor import make_anchor

    with progress("anchor") as watch:
        return await make_anchor(
            config, path, source, asked, replace=given["replace"], watch=watch, told=note
        )
