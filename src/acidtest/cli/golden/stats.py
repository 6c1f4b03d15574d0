"""`acidtest golden stats`: what a golden set holds."""

import click

from acidtest.cli.options import filled


@click.command(name="stats")
@click.argument("golden", type=filled)
def command(golden: str) -> None:
    """Say what a golden set holds."""
    from acidtest.golden.load import load_golden

    cases = load_golden(golden)
    click.echo(f"{len(cases)} cases, version {cases.version}")
