"""How far a run is, told on stderr while it goes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from acidtest.cli.output import stderr

if TYPE_CHECKING:
    from acidtest.run.engine import Progress as Step
    from acidtest.run.engine import Watcher


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
            bar.update(task, description=told, completed=step.done, total=step.total, rate=shown)

        yield watch
