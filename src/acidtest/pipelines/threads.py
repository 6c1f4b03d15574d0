"""Sync code beside the event loop, in daemon threads.

A pipeline that hangs must stop neither a time-out nor the interpreter's exit. The threads of
`concurrent.futures` and `asyncio.to_thread` are joined at exit; daemon threads of our own are not.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from acidtest.errors import PipelineError

T = TypeVar("T")

MAX_STUCK = 64


@dataclass(frozen=True)
class Raised:
    """An exception, carried as a value: a future does not take every kind (StopIteration)."""

    error: BaseException


class Threads(Generic[T]):
    """Runs calls in daemon threads, and counts those that were given up but never came back.

    Args:
        where: The pipeline, for messages.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._stuck: set[threading.Thread] = set()

    async def call(self, work: Callable[[], T]) -> T | Raised:
        """Run `work` in a thread of its own, with the caller's context variables.

        Returns:
            What it returned, or what it raised.

        Raises:
            PipelineError: Too many earlier calls still hang.
        """
        self._stuck = {thread for thread in self._stuck if thread.is_alive()}
        if len(self._stuck) >= MAX_STUCK:
            raise PipelineError(
                f"{len(self._stuck)} earlier calls never came back",
                where=self._where,
                fix="Give the pipeline's own calls a time-out, or raise timeout_s.",
            )
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

        thread = threading.Thread(target=run, name="acidtest-pipeline", daemon=True)
        thread.start()
        try:
            return await done
        except asyncio.CancelledError:
            self._stuck.add(thread)
            raise


def _deliver(done: "asyncio.Future[T | Raised]", result: T | Raised) -> None:
    if done.done():
        _drop(result)
    else:
        done.set_result(result)


def _drop(result: object) -> None:
    # A coroutine that nobody will await any more warns when it is collected, unless it is closed.
    if asyncio.iscoroutine(result):
        result.close()
