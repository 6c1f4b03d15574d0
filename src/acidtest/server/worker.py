"""The worker inside the server, for a single machine: a thread that understands and scores what came in."""

import asyncio
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from acidtest.errors import AcidtestError
from acidtest.project.config import Config
from acidtest.project.online import watch
from acidtest.server.counters import Counters

Work = Callable[[threading.Event], None]
"""Works until the event is set."""

_SOME = 100
"""Spans a second: from here on the worker leaves some of the time."""

_MANY = 1000
"""Spans a second, a tenth of what is taken in where nothing else goes on: here it mostly waits."""

_IN_LINE = 4
"""Requests at a time: then they come in more slowly than they are sent."""

_MUCH, _LITTLE = 0.7, 0.005

_RESTART_S = 5.0
_END_S = 30.0


def share(counters: Counters) -> float:
    """Return which part of the time what comes in leaves for other work; cheap, and from any thread."""
    spans = counters.incoming.now()
    if spans > _MANY or counters.in_flight >= _IN_LINE:
        return _LITTLE
    return _MUCH if spans > _SOME else 1.0


def watching(config: Config, store: str, counters: Counters) -> Work:
    """Return what `acidtest watch` does, with regard to what comes in meanwhile."""

    def work(stop: threading.Event) -> None:
        asyncio.run(watch(config, store, stop=stop, share=lambda: share(counters), told=_tell))

    return work


@contextmanager
def working(work: Work) -> Iterator[None]:
    """Have a thread work as long as the context lasts.

    What fails in it is told, and it begins anew: the server goes on taking spans.
    """
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            try:
                work(stop)
            except AcidtestError as error:
                _tell(str(error))
            except Exception as error:  # noqa: BLE001 - a bug of ours, which costs no span
                traceback.print_exception(error, file=sys.stderr)
            stop.wait(_RESTART_S)

    thread = threading.Thread(target=run, name="acidtest-worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=_END_S)


def _tell(line: str) -> None:
    print(f"acidtest: {line}", file=sys.stderr, flush=True)  # noqa: T201 - the server's log
