"""Async work from synchronous code: in a script, in a notebook, inside a running event loop."""

import asyncio
import threading
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Do the work and return what comes of it; beside a running loop in a thread with a loop of its own."""
    whole = _leaving_nothing(work)
    return _in_thread(whole) if _in_loop() else asyncio.run(whole)


def _in_loop() -> bool:
    """Say whether a loop runs here; apart from the work, whose errors would seem to come of this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _leaving_nothing(work: Coroutine[Any, Any, T]) -> T:
    """Do the work, and close what the caller's own judge or embedder has opened in this loop."""
    from acidtest.judges.session import close_all

    try:
        return await work
    finally:
        await close_all()


def _in_thread(work: Coroutine[Any, Any, T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - carried over to the calling thread
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), name="acidtest-blocking")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
