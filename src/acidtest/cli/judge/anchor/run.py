"""`acidtest judge anchor run`: the anchor's cases judged once more."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.judge.anchor.options import anchor_options, cost_options
from acidtest.cli.options import json_option
from acidtest.cli.output import note
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart

if TYPE_CHECKING:
    from acidtest.project.anchoring.planned import Rejudging
    from acidtest.project.anchoring.watch import Status
    from acidtest.project.config import Config


@click.command(name="run")
@cost_options
@anchor_options
@json_option
def command(**given: Any) -> int:
    """Judge the anchor's cases once more, and say whether the judge changed.

    The judge is asked afresh every time. Status 1: it drifted, or the provider reports another model.
    Status 3: under 95 % of the verdicts could be had. Made to be run every day.
    """
    from acidtest.cli.judge.anchor.words import config_and_path, tell
    from acidtest.project.anchor import plan_look

    set_apart()
    config, path = config_and_path(given)
    asked, reworded = plan_look(
        config,
        path,
        judge=given["judge"],
        concurrency=given["concurrency"],
        budget_usd=given["budget_usd"],
    )
    if given["dry_run"]:
        from acidtest.cli.dry_run import tell_estimates

        return tell_estimates(
            [asked.plan],
            config,
            store=None,
            fresh=True,
            use_cache=False,
            json_to=given["json_to"],
        )
    status = interruptible(_looked(config, path, asked, reworded))
    tell(status, given["json_to"])
    return status.exit_status


async def _looked(
    config: "Config", path: Path, asked: "Rejudging", reworded: tuple[str, ...]
) -> "Status":
    from acidtest.project.anchor import look_again

    with progress("anchor") as watch:
        return await look_again(config, path, asked, reworded, watch=watch, told=note)
