"""`acidtest judge`: how far the judge can be trusted, and what it was asked; one file a command."""

import importlib
from collections.abc import Mapping

import click

COMMANDS: Mapping[str, str] = {
    "check": "Show how often the local judge was right.",
    "probe": "Plant attacks into what the judge judges, and count those that turn it.",
    "cache": "See what is kept of verdicts, and delete from it.",
}


class _Lazy(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(name="judge", cls=_Lazy)
def command() -> None:
    """See how far the judge can be trusted."""
