"""The worker inside the server, for a single machine: a thread that understands and scores what came in."""

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from acidtest.server.counters import Counters

Work = Callable[[threading.Event, Callable[[], bool]], None]
"""Works until the event is set; what it is given second says whether spans are coming in right now."""

_MANY = 2500
"""Spans a second: a quarter of what one core takes in."""

_RESTART_S = 5.0


def busy(counters: Counters) -> bool:
    """Say whether so much comes in that other work had better wait; cheap, and from any thread."""
    return counters.incoming.now() > _MANY


@contextmanager
def working(work: Work | None, is_busy: Callable[[], bool]) -> Iterator[None]:
    """Have a thread work as long as the context lasts; its failures are told, and it begins anew."""
    if work is None:
        yield
        return
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            try:
                work(stop, is_busy)
            except Exception:  # noqa: BLE001 - the server goes on taking spans
                traceback.print_exc(file=sys.stderr)
                stop.wait(_RESTART_S)
            else:
                return

    thread = threading.Thread(target=run, name="acidtest-worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=30)
