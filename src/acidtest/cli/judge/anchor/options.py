"""Options that the commands of `acidtest judge anchor` share."""

from collections.abc import Callable
from typing import Any

import click

from acidtest.cli.options import amount, filled

Decorated = Callable[..., Any]


def anchor_options(command: Decorated) -> Decorated:
    """Add --anchor and --config."""
    for option in (
        click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file."),
        click.option(
            "--anchor",
            type=filled,
            metavar="F",
            help="The anchor's file; by default anchor.jsonl beside the configuration.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def cost_options(command: Decorated) -> Decorated:
    """Add who judges, and what that may take."""
    for option in (
        click.option(
            "--concurrency",
            type=click.IntRange(min=1),
            default=8,
            metavar="N",
            help="Judge calls in flight.",
        ),
        click.option(
            "--budget-usd", type=amount, metavar="X", help="Stop when it has cost this much."
        ),
        click.option("--dry-run", is_flag=True, help="Say what it would take, and spend nothing."),
        click.option(
            "--judge",
            type=filled,
            metavar="MODEL",
            help="Which judge; by default the configured one for init, and the anchor's for run.",
        ),
    ):
        command = option(command)
    return command
