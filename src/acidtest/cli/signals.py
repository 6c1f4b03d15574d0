"""Being told to stop: SIGTERM does what Ctrl-C does, so that what was done is kept."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM interrupt as Ctrl-C does, also where Ctrl-C is ignored (a job in the background)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL:  # ignored, or the caller's own
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    # asyncio has a handler of its own while it runs: it cancels the task, and everything cleans up.
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
    else:
        raise KeyboardInterrupt
