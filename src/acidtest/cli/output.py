"""Where a command's words go: results to stdout, progress to stderr, artifacts to files."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from acidtest.atomic import write_whole, written_whole
from acidtest.cli.streams import harmless, notes, results
from acidtest.errors import AcidtestError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

UNKNOWN_WIDTH = 80


def stdout() -> "Console":
    """Return the console for results: plain in a pipe, without colour under NO_COLOR."""
    from rich.console import Console

    return _wide(Console(file=results(), soft_wrap=False, highlight=False))


def stderr() -> "Console":
    """Return the console for progress and notes."""
    from rich.console import Console

    return _wide(Console(file=notes(), highlight=False))


def _wide(console: "Console") -> "Console":
    """Take a width of 0, which some build machines and editors report, for one that is not known."""
    if console.width < 1:
        console.width = UNKNOWN_WIDTH
    return console


def note(text: str) -> None:
    """Tell one line beside the result."""
    click.echo(harmless(text).replace("\n", " "), file=notes())


def write(target: str, content: bytes, *, what: str, fix: str | None = None) -> None:
    """Write an artifact to a file, whole or not at all, or to stdout for `-`.

    Args:
        target: Where to.
        content: What.
        what: What it is, in words.
        fix: What to do when it cannot be written.

    Raises:
        UsageError: It cannot be written.
    """
    try:
        if target == "-":
            stream = results()
            stream.flush()
            stream.buffer.write(content if content.endswith(b"\n") else content + b"\n")
            stream.buffer.flush()
            return
        Path(os.path.realpath(target)).parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    except OSError as error:
        raise UsageError(
            f"the {what} cannot be written: {error.strerror or error}",
            where="stdout" if target == "-" else target,
            fix=fix,
        ) from error
    note(f"Wrote {what} to {target}")


def write_parts(target: str, parts: Iterable[bytes], *, what: str) -> None:
    """Write an artifact as it is made, so that it is never held as a whole; otherwise like `write`.

    Args:
        target: Where to.
        parts: What, in order; the last one ends the line.
        what: What it is, in words.

    Raises:
        UsageError: It cannot be written.
    """
    try:
        if target == "-":
            stream = results()
            stream.flush()
            stream.buffer.writelines(parts)
            stream.buffer.flush()
            return
        Path(os.path.realpath(target)).parent.mkdir(parents=True, exist_ok=True)
        with written_whole(target) as file:
            file.writelines(parts)
    except OSError as error:
        raise UsageError(
            f"the {what} cannot be written: {error.strerror or error}",
            where="stdout" if target == "-" else target,
            fix="Check that you may write there and that the disk has room, or name another file.",
        ) from error
    note(f"Wrote {what} to {target}")


def write_each(
    artifacts: Iterable[tuple[str | None, str, Callable[[], bytes]]], *, fix: str | None = None
) -> list[AcidtestError]:
    """Make and write artifacts; one that fails does not keep the others from being written.

    Args:
        artifacts: Where each goes (None: it is not wanted), what it is, and what makes it.
        fix: What to do when one cannot be written.

    Returns:
        What went wrong, to be told when everything else was.
    """
    errors: list[AcidtestError] = []
    for target, what, make in artifacts:
        if target is None:
            continue
        try:
            write(target, make(), what=what, fix=fix)
        except AcidtestError as error:
            errors.append(error)
    return errors


def told_errors(errors: list[AcidtestError]) -> int:
    """Tell what went wrong beside the result, and return the exit status."""
    for error in errors:
        note(f"Error: {error}")
    return max((error.exit_status for error in errors), default=0)
