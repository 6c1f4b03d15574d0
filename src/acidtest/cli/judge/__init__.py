"""`acidtest judge`: how far the judge can be trusted, and what it was asked; one file a command."""

from collections.abc import Mapping

import click

from acidtest.cli.lazy import LazyGroup

COMMANDS: Mapping[str, str] = {
    "check": "Ask a judge cases whose right verdict is known.",
    "calibrate": "Hold a run's scores against people's labels.",
    "probe": "Find what moves the judge that must not, and which faults it lets pass.",
    "anchor": "Watch for a change of the judge: fixed cases, judged again and again.",
    "card": "Put together what was measured of a judge, and what it may be used for.",
    "cache": "See what is kept of verdicts, and delete from it.",
}


@click.group(name="judge", cls=LazyGroup, package=__name__, commands=COMMANDS)
def command() -> None:
    """See how far the judge can be trusted."""
