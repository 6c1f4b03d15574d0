"""A group of commands, each in a file that is imported when its command is called."""

import importlib
import keyword
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are known by name and by a line of help.

    Args:
        package: The package that holds a module for each command, with its click command as `command`.
        commands: Command name -> a line of help.
        more: As for `click.Group`.
    """

    def __init__(self, *, package: str, commands: Mapping[str, str], **more: Any) -> None:
        super().__init__(**more)
        self.package, self.known = package, commands

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names, in the order of the help."""
        return list(self.known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name."""
        if cmd_name not in self.known:
            return None
        if ctx.resilient_parsing:
            return click.Command(cmd_name)
        # No module is called `import`.
        file = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"{self.package}.{file}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest name for one that is not known."""
        name = args[0] if args else ""
        if name and name not in self.known and not name.startswith("-"):
            from acidtest.errors import suggestion

            raise click.UsageError(f"no command {name!r}. {suggestion(name, self.known)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands from their lines of help: nothing is imported."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.known.items()))
