"""Sync code in daemon threads."""

import asyncio
import contextlib
import contextvars
import subprocess
import sys
import threading
import time

import pytest

from acidtest.aside import Raised
from acidtest.errors import PipelineError
from acidtest.pipelines import threads as module
from acidtest.pipelines.threads import Threads

WHO = contextvars.ContextVar("who", default="nobody")


async def test_it_returns_what_the_work_returned_from_another_thread():
    here = threading.get_ident()
    assert await Threads("p").call(threading.get_ident) != here


async def test_context_variables_are_seen():
    WHO.set("me")
    assert await Threads("p").call(WHO.get) == "me"


@pytest.mark.parametrize("error", [ValueError("x"), StopIteration(3), SystemExit(2)])
async def test_whatever_is_raised_comes_back_as_a_value(error):
    def work():
        raise error

    assert await Threads("p").call(work) == Raised(error)


async def test_given_up_calls_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "MAX_STUCK", 2)
    stop = threading.Event()
    threads = Threads("p")
    for _ in range(2):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(threads.call(stop.wait), 0.02)
    with pytest.raises(PipelineError, match="2 earlier calls never came back"):
        await threads.call(lambda: 1)
    stop.set()
    for _ in range(100):
        await asyncio.sleep(0.01)
        with contextlib.suppress(PipelineError):
            if await threads.call(lambda: 1) == 1:
                return
    pytest.fail("threads that came back still count")


async def test_a_late_coroutine_is_closed_without_a_warning():
    async def never():
        pass

    made = []

    def work():
        time.sleep(0.1)
        made.append(never())
        return made[0]

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(Threads("p").call(work), 0.02)
    await asyncio.sleep(0.2)
    assert made[0].cr_frame is None


HANGS = """
import asyncio, time
from acidtest.pipelines.threads import Threads
async def main():
    try:
        await asyncio.wait_for(Threads("p").call(lambda: time.sleep(60)), 0.05)
    except TimeoutError:
        print("given up")
asyncio.run(main())
"""


def test_a_hanging_thread_does_not_keep_the_interpreter_alive():
    done = subprocess.run(
        [sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=20, check=True
    )
    assert done.stdout == "given up\n"
