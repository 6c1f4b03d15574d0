"""`acidtest judge anchor status`: what the looks so far amount to."""

from typing import Any

import click

from acidtest.cli.judge.anchor.options import anchor_options
from acidtest.cli.options import json_option
from acidtest.cli.streams import set_apart


@click.command(name="status")
@anchor_options
@json_option
def command(**given: Any) -> int:
    """Say what the looks so far amount to; nothing is asked.

    Status 1: the judge drifted, or changed in the last look. Status 3: the last look is incomplete.
    """
    from acidtest.cli.judge.anchor.words import config_and_path, tell
    from acidtest.project.anchor import anchor_status

    set_apart()
    _, path = config_and_path(given)
    status = anchor_status(path)
    tell(status, given["json_to"], history=True)
    return status.exit_status
