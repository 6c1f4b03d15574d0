"""Time-outs and retries."""

import asyncio
import time

import pytest

from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines import attempt as module
from acidtest.pipelines.attempt import Busy, Hopeless, attempt, checked, within
from acidtest.ports import PipelineOptions


class Clock:
    def __init__(self):
        self.waits = []

    async def sleep(self, seconds):
        self.waits.append(seconds)


def failing(times, error=None):
    calls = []

    async def once():
        calls.append(1)
        if len(calls) <= times:
            raise error or PipelineError("it broke", where="p")
        return len(calls)

    return once


async def run(once, **options):
    clock = Clock()
    try:
        result = await attempt(
            once, PipelineOptions(**options), key="q1", where="p", sleep=clock.sleep
        )
    except PipelineError as error:
        return error, clock.waits
    return result, clock.waits


async def test_a_failure_is_final_without_retries():
    error, waits = await run(failing(1))
    assert str(error) == "p: it broke"
    assert waits == []


async def test_a_retry_waits_longer_each_time_and_alike_in_every_run():
    result, waits = await run(failing(3), retries=3)
    assert result == 4
    assert all(low <= w <= 2 * low for w, low in zip(waits, (0.25, 0.5, 1.0), strict=True))
    assert (await run(failing(3), retries=3))[1] == waits


async def test_the_wait_is_bounded():
    _, waits = await run(failing(12), retries=12)
    assert max(waits) <= 30


async def test_the_last_failure_says_how_often_it_was_tried():
    error, _ = await run(failing(9), retries=2)
    assert str(error) == "p: it broke, at attempt 3 of 3"


async def test_what_cannot_be_mended_is_not_repeated():
    error, waits = await run(failing(1, Hopeless("no such page", where="p")), retries=5)
    assert (str(error), waits) == ("p: no such page", [])


async def test_a_server_that_says_when_is_obeyed_within_reason():
    busy = Busy("slow down", where="p")
    busy.after_s = 7.0
    assert await run(failing(1, busy), retries=1) == (2, [7.0])
    error, waits = await run(failing(1, busy), retries=1, timeout_s=5)
    assert (error, waits) == (busy, [])


async def test_a_hanging_call_is_cancelled():
    cancelled = []

    async def hang():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    with pytest.raises(PipelineError, match=r"p: it gave no answer within 0\.05 s"):
        await within(0.05, hang(), where="p")
    assert cancelled == [1]


async def test_a_call_that_refuses_to_be_cancelled_is_left_behind(monkeypatch):
    monkeypatch.setattr(module, "GRACE_S", 0.05)
    over = asyncio.Event()

    async def stubborn():
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue
        raise ValueError("late")

    start = time.monotonic()
    with pytest.raises(PipelineError, match="no answer within"):
        await within(0.05, stubborn(), where="p")
    assert time.monotonic() - start < 5
    over.set()
    await asyncio.sleep(0.01)
    assert len(asyncio.all_tasks()) == 1


async def test_a_call_that_cancels_itself_fails_its_case_only():
    async def gives_up():
        raise asyncio.CancelledError

    with pytest.raises(PipelineError, match="cancelled its own task"):
        await within(1, gives_up(), where="p")


async def test_cancelling_from_outside_reaches_the_call():
    ended = []

    async def hang():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)

    task = asyncio.create_task(within(60, hang(), where="p"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [1]


def test_an_interrupt_ends_the_loop():
    async def interrupts():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(within(1, interrupts(), where="p"))


@pytest.mark.parametrize(
    "options",
    [{"concurrency": 0}, {"timeout_s": 0}, {"timeout_s": float("nan")}, {"retries": -1}, {"k": 0}],
)
def test_impossible_options_are_refused(options):
    with pytest.raises(UsageError, match=f"p: {next(iter(options))} is"):
        checked(PipelineOptions(**options), where="p")
