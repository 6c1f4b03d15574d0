"""A pipeline's sync code in threads: how many calls may hang before no more are made."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from acidtest.aside import Raised, start_aside
from acidtest.errors import PipelineError

T = TypeVar("T")

MAX_STUCK = 64


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
        thread, done = start_aside(work, "acidtest-pipeline")
        try:
            return await done
        except asyncio.CancelledError:
            self._stuck.add(thread)
            raise
