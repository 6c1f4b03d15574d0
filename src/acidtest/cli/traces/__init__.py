"""`acidtest traces`: what a live system did; one file a command."""

from collections.abc import Mapping

import click

from acidtest.cli.lazy import LazyGroup

COMMANDS: Mapping[str, str] = {
    "import": "Read trace files of other tools into the store.",
    "list": "List traces, the newest first.",
    "show": "Show one trace: contexts, scores, and spans as a tree.",
    "digest": "Say what a week brought: new questions, failures that are alike, what moved.",
    "export": "Write traces as recorded outputs.",
    "delete": "Delete traces with everything derived from them.",
}


@click.group(name="traces", cls=LazyGroup, package=__name__, commands=COMMANDS)
def command() -> None:
    """Read, list, show, export and delete traces of the live system."""
