"""How far a run is, told on stderr while it goes: a live line on a terminal, else a line now and then.

The run only leaves word of how far it is; a thread of its own draws. So a slow terminal delays nothing,
and a pipeline that hangs is seen to hang.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from acidtest.cli.output import note, stderr
from acidtest.cli.pace import Gauge
from acidtest.cli.streams import notes
from acidtest.cli.told import clean, clock, counted, fitted, pieces, speed, spent, took

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from acidtest.run.progress import Progress, Watcher

FRAME_S = 0.2
"""Between two pictures of the live line."""

PAUSE_S = (30.0, 300.0)
"""Between two lines of a log: never less, never more; in between a tenth of the time that has passed."""


@contextmanager
def progress(title: str, *, of: str = "case") -> "Iterator[Watcher]":
    """Show how far a run is, and at its end what it took; stopped, how far it came.

    Args:
        title: What is told of, such as the run's name; it may hold anything.
        of: What is counted, in the singular.

    Yields:
        Who is to be called with the run's `Progress`.
    """
    teller = Teller(title, of=of)
    try:
        with _shown(teller):
            yield teller.watch
    except BaseException:
        _tell(teller.stopped())
        raise
    _tell(teller.ended())


class Teller:
    """What is told of one run.

    Args:
        title: The run's name.
        now: The clock, in seconds.
        of: What is counted, in the singular.
    """

    def __init__(
        self, title: str, now: Callable[[], float] = time.monotonic, *, of: str = "case"
    ) -> None:
        self._title = clean(title)
        self._of = of
        self._now = now
        self._start = self._lined = now()
        self._gauge = Gauge()
        self._step: Progress | None = None

    def watch(self, step: "Progress") -> None:
        """Keep the newest word; this is all that telling costs the run."""
        self._step = step

    def live(self, console: "Console") -> "RenderableType":
        """Return the line for a terminal, as wide as it is now."""
        from rich.cells import cell_len, set_cell_size
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        step = self._seen()
        known = self._title.encode(console.encoding, "replace").decode(console.encoding)
        told = f"{known}: scoring" if step is not None and step.doing == "scoring" else known
        most = max(console.width // 4, 8)
        if cell_len(told) > most:
            told = set_cell_size(told, most - 3) + "..."
        row: list[RenderableType] = []
        if step is not None:
            # The last column stays free: some terminals break the line there.
            room = console.width - 1 - cell_len(told) - 1
            bar, text = fitted(pieces(step, speed(self._gauge.rate), self._time()), room)
            done, total = self._gauge.share
            row = [ProgressBar(total, done, width=bar)] if bar else []
            row.append(_plain(text))
        line = Table.grid(padding=(0, 1))
        for _ in range(1 + len(row)):
            line.add_column(no_wrap=True)
        line.add_row(_plain(told), *row)
        return line

    def line(self) -> str:
        """Return the line for a log if one is due, else ""."""
        step = self._seen()
        at = self._now()
        least, most = PAUSE_S
        pause = min(max((at - self._start) / 10, least), most)
        if step is None or at - self._lined < pause:
            return ""
        self._lined = at
        judged = f"{step.judged} of {step.judgements} judged" if step.judgements else ""
        told = (
            _reached(step, self._of),
            judged,
            speed(self._gauge.rate),
            *spent(step),
            self._time(),
        )
        return f"{self._title}: {', '.join(piece for piece in told if piece)}"

    def ended(self) -> str:
        """Return what the whole run took."""
        step = self._step
        if step is None:
            return ""
        head = f"{self._title}: {counted(step.total, self._of)} in {took(step.elapsed_s)}"
        return ", ".join([head, *spent(step)])

    def stopped(self) -> str:
        """Return how far a run came that was stopped; "" if it had not begun."""
        step = self._step
        if step is None:
            return ""
        head = (
            f"{self._title}: stopped with {_reached(step, self._of)} after {took(step.elapsed_s)}"
        )
        return ", ".join([head, *spent(step)])

    def _seen(self) -> "Progress | None":
        step = self._step
        if step is not None:
            self._gauge.see(step, self._now())
        return step

    def _time(self) -> str:
        left = self._gauge.left_s
        return clock(self._now() - self._start) if left is None else f"{clock(left)} left"


@contextmanager
def _shown(teller: Teller) -> Iterator[None]:
    console = screen()
    if console is None:
        with _every(1.0, lambda: _tell(teller.line())):
            yield
        return
    from rich.live import Live

    with Live(console=console, auto_refresh=False, transient=True) as live:

        def draw() -> None:
            live.update(teller.live(console), refresh=True)

        with _every(FRAME_S, draw):
            yield


def screen() -> "Console | None":
    """Return the terminal, if a line can be drawn anew there: a build server keeps a log of it."""
    built = os.environ.get("CI", "").lower() not in ("", "0", "false")
    try:
        if built or not notes().isatty():
            return None
    except ValueError:  # closed by code under test
        return None
    console = stderr()
    return console if console.is_terminal and not console.is_dumb_terminal else None


@contextmanager
def _every(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    over = Event()

    def work() -> None:
        while not over.wait(seconds):
            # A terminal that went away, or a stream that code under test has closed, ends no run.
            with suppress(OSError, ValueError):
                act()

    thread = Thread(target=work, name="acidtest-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _tell(text: str) -> None:
    if text:
        with suppress(OSError, ValueError):
            note(text)


def _reached(step: "Progress", of: str) -> str:
    through = {"answering": "answered", "writing": "written"}.get(step.doing, "scored")
    if step.doing == "answering" and (step.calls or step.cached):
        through = "done"  # judged beside the answering: more than these are answered
    return f"{step.done} of {counted(step.total, of)} {through}"


def _plain(text: str) -> "RenderableType":
    from rich.text import Text

    return Text(text)
