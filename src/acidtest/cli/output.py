"""Where a command's words go: results to stdout, progress to stderr, artifacts to files."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from acidtest.atomic import write_whole
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from acidtest.run.engine import Progress as Step
    from acidtest.run.engine import Watcher


def stdout() -> "Console":
    """Return the console for results: plain in a pipe, without colour under NO_COLOR."""
    from rich.console import Console

    return Console(soft_wrap=False, highlight=False)


def stderr() -> "Console":
    """Return the console for progress and notes."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """Tell one line beside the result."""
    click.echo(text, err=True)


def write(target: str, content: bytes, *, what: str) -> None:
    """Write an artifact to a file, whole or not at all, or to stdout for `-`.

    Raises:
        UsageError: The file cannot be written.
    """
    if target == "-":
        sys.stdout.buffer.write(content)
        if not content.endswith(b"\n"):
            sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()
        return
    try:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    except OSError as error:
        raise UsageError(
            f"the {what} cannot be written: {error.strerror}",
            where=target,
            fix="The run itself is kept; see: acidtest runs list",
        ) from error
    note(f"Wrote {what} to {target}")


def writable(*targets: str | None) -> None:
    """Refuse artifact paths that cannot be written, before anything is run for them.

    Raises:
        UsageError: A path is a folder, or its folder cannot be written.
    """
    for target in targets:
        if target in (None, "-"):
            continue
        path = Path(str(target))
        if path.is_dir():
            raise UsageError("this is a folder, not a file", where=str(target))
        folder = next((p for p in path.absolute().parents if p.exists()), None)
        if folder is None or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise UsageError(
                f"the folder {str(path.parent)!r} cannot be written", where=str(target)
            )


@contextmanager
def progress(title: str) -> "Iterator[Watcher]":
    """Show how far a run is, with rate and time left; in a pipe, nothing moves."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=stderr(),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    with bar:
        task = bar.add_task(title, total=None, rate="")

        def watch(step: "Step") -> None:
            speed = bar.tasks[task].speed
            rate = f"{speed:.1f}/s" if speed else ""
            shown = f"{rate} {step.failed} failed" if step.failed else rate
            told = title if step.doing == "answering" else f"{title}: {step.doing}"
            bar.update(
                task, description=told, completed=step.done, total=step.total, rate=shown
            )

        yield watch
