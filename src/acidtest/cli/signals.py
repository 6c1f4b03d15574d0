"""Being told to stop: SIGTERM does what Ctrl-C does, and being told twice breaks nothing.

Programs around a command pass a signal on that it has had already, and people press twice: what is on
its way to the disk is to get there. Who still insists after some seconds ends the command at once.
"""

import asyncio
import atexit
import os
import signal
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_S = 2.0
"""For how long after the first signal further ones are taken for the same."""

_BOTH = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED = 130


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
        if signal.getsignal(signal.SIGTERM) is _interrupt:
            signal.signal(signal.SIGTERM, before)


def interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine; the first signal cancels it, and its cleaning up is left alone."""

    async def heedful() -> T:
        with _first_alone():
            return await work

    return asyncio.run(heedful())


def leave_alone() -> None:
    """From here on take further signals for the same as the first, for a while."""
    if threading.current_thread() is not threading.main_thread():
        return
    began = time.monotonic()

    def again(_number: int, _frame: FrameType | None) -> None:
        if time.monotonic() - began > GRACE_S:
            os._exit(_INTERRUPTED)  # all that counts is stored as it comes, as for `kill -9`

    for each in _BOTH:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, again)
    # Python gives up its handlers before it has ended; what is ignored stays so.
    atexit.register(_ignore, [each for each in _BOTH if signal.getsignal(each) is again])


def _ignore(signals: list[signal.Signals]) -> None:
    for each in signals:
        signal.signal(each, signal.SIG_IGN)


@contextmanager
def _first_alone() -> Iterator[None]:
    # While a loop runs, Ctrl-C is asyncio's: it cancels the task, and everything cleans up.
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return

    def first(number: int, frame: FrameType | None) -> None:
        leave_alone()
        handler(number, frame)

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is first:
            signal.signal(signal.SIGINT, handler)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
    else:
        leave_alone()
        raise KeyboardInterrupt
