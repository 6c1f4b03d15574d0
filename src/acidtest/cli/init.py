"""`acidtest init`: files to start from, which run as they are."""

from importlib.resources import files
from pathlib import Path

import click

from acidtest.errors import UsageError

FILES = ("acidtest.toml", "golden.jsonl", "my_rag.py")


@click.command(name="init")
@click.argument("folder", default=".")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def command(folder: str, force: bool) -> int:  # noqa: FBT001
    """Make a configuration, a golden set and a pipeline in FOLDER, by default here."""
    target = Path(folder)
    there = [name for name in FILES if (target / name).exists()]
    if there and not force:
        raise UsageError(
            f"{', '.join(there)} is there already",
            where=str(target),
            fix="Name another folder, or say --force to overwrite.",
        )
    source = files("acidtest.cli") / "scaffold"
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (target / name).write_bytes((source / name).read_bytes())
            click.echo(f"Made {target / name}")
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}",
            where=str(error.filename or target),
            fix="Check that you may write there, or name another folder.",
        ) from error
    go = "" if folder == "." else f"cd {folder} && "
    click.echo(f"Now run: {go}acidtest run")
    return 0
