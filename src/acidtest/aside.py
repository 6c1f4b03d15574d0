"""Sync code beside the event loop, each call in a daemon thread of its own.

The threads of `concurrent.futures` and `asyncio.to_thread` are joined at exit; a daemon thread that
hangs stops neither a time-out nor the interpreter's exit.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Raised(Struct, frozen=True):
    """An exception, carried as a value: no future takes every kind, and some end the event loop."""

    error: BaseException


def start_aside(
    work: Callable[[], T], name: str
) -> tuple[threading.Thread, "asyncio.Future[T | Raised]"]:
    """Start work in a thread of its own, with the caller's context variables.

    Args:
        work: What to run.
        name: What the thread is called.

    Returns:
        The thread, and what the work will have returned or raised. A coroutine that comes after the
        future was cancelled, or after the loop was closed, is closed too.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T | Raised] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        result: T | Raised
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - told to the caller, whatever it is
            result = Raised(error)
        try:
            loop.call_soon_threadsafe(_deliver, done, result)
        except RuntimeError:  # the run is over, its loop closed: nobody waits any more
            _drop(result)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread, done


def _deliver(done: "asyncio.Future[T | Raised]", result: T | Raised) -> None:
    if done.done():
        _drop(result)
    else:
        done.set_result(result)


def _drop(result: object) -> None:
    # A coroutine that nobody will await any more warns when it is collected, unless it is closed.
    if asyncio.iscoroutine(result):
        result.close()
