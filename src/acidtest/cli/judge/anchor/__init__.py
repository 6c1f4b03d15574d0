"""`acidtest judge anchor`: fixed cases by which a change of the judge shows; one file a command."""

from collections.abc import Mapping

import click

from acidtest.cli.lazy import LazyGroup

COMMANDS: Mapping[str, str] = {
    "init": "Record what a judge says of cases of a run.",
    "run": "Ask the judge again, and say whether it changed.",
    "status": "Say what the looks so far amount to; nothing is asked.",
}


@click.group(name="anchor", cls=LazyGroup, package=__name__, commands=COMMANDS)
def command() -> None:
    """See whether a judge is still the judge that it was."""
