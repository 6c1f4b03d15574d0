"""The command line: one file a command, imported only when its command runs."""

import gc
import sys
from collections.abc import Mapping

try:
    import click

    from acidtest.cli.lazy import LazyGroup
except KeyboardInterrupt:  # Ctrl-C this early has nothing to clean up, and wants no traceback
    sys.exit(130)

COMMANDS: Mapping[str, str] = {
    "init": "Make a configuration, a golden set and a pipeline that run as they are.",
    "demo": "Evaluate a real RAG system over acidtest's own handbook.",
    "doctor": "Say what works here and what is missing.",
    "run": "Evaluate pipelines, or recorded outputs, on the golden set.",
    "gate": "Decide whether a run may be released.",
    "runs": "List, show, export, import and delete runs.",
    "compare": "Say what changed between runs, and which stage changed it.",
    "report": "Write the report of one or more runs.",
    "retrieval": "Evaluate a TREC run file against a qrels file.",
    "golden": "Check, mend, label and grow a golden set.",
    "convert": "Turn other tools' files into ours and back, and tell what is lost.",
    "serve": "Take traces of the live system, and show runs in the browser.",
    "traces": "Read, list, show, export and delete traces of the live system.",
    "watch": "Understand and score live traces, within a budget.",
    "judge": "See how far the judge can be trusted.",
}


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value:
        from importlib.metadata import version

        click.echo(f"acidtest {version('acidtest')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    package=__name__,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def group() -> None:
    """Evaluate retrieval-augmented generation: the two stages apart, on one golden set.

    \b
    Exit status: 0 fine; 1 a requested check failed; 2 bad input or usage;
    3 incomplete or inconclusive; 130 interrupted.
    """  # noqa: D301 - click reads the backspace as "do not wrap"


def main() -> None:
    """Run the command line; every expected error is one message and an exit status."""
    status = 130
    gc.set_threshold(20_000, 20, 50)  # records hold no cycles: looking for them is a tenth of a run
    try:
        from acidtest.cli.signals import terminable
        from acidtest.cli.streams import prepare, settle

        prepare()
        with terminable():
            status = _status()
            settle()
    except KeyboardInterrupt:
        status = _interrupted()
    sys.exit(status)


def _status() -> int:
    from acidtest.errors import AcidtestError

    try:
        status = group.main(standalone_mode=False)
    except click.exceptions.Abort:
        status = _interrupted()
    except click.ClickException as error:
        error.show()
        status = 2
    except AcidtestError as error:
        from acidtest.cli.streams import harmless

        click.echo(f"Error: {harmless(str(error))}", err=True)
        status = error.exit_status
    except OSError as error:
        # What is read is checked where it is read: here a result could not be written.
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"Error: {where}{error.strerror or error}.", err=True)
        status = 2
    return status if isinstance(status, int) else 0


def _interrupted() -> int:
    from acidtest.cli.signals import leave_alone

    leave_alone()
    click.echo("Interrupted. What was done is kept: the same command goes on.", err=True)
    return 130
