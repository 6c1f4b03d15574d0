"""The room of one request: held for what comes, given back for what does not, as long as others wait."""

import asyncio

import pytest

from acidtest.server import held, room
from acidtest.server.held import EARNEST, Held
from acidtest.server.refusal import Refused
from acidtest.server.room import Room

MANY = 1_000_000


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(room, "LOOK_S", 0.01)
    monkeypatch.setattr(held, "_PROMPT_S", 0.02)
    monkeypatch.setattr(held, "_STALLED_S", 0.2)


async def test_what_is_announced_holds_nothing_until_it_begins_to_come():
    shared = Room(2 * MANY)
    async with asyncio.timeout(5) as limit:
        with Held(shared, 1) as one:
            one.begin(MANY, limit)
            await one.grow_to(EARNEST - 1)
            assert shared.taken == 0
            await one.grow_to(EARNEST)
            assert shared.taken == MANY
            await one.grow_to(MANY + 5)  # more than was announced
            assert shared.taken == MANY + 5
    assert (shared.taken, shared.holders) == (0, {})


async def test_what_does_not_come_is_given_back_when_others_wait_and_taken_again_when_it_comes():
    shared = Room(MANY)
    async with asyncio.timeout(5) as limit:
        with Held(shared, 1) as slow, Held(shared, 1) as other:
            slow.begin(MANY, limit)
            await slow.grow_to(EARNEST)
            await asyncio.sleep(0.05)
            assert shared.taken == MANY  # nobody waits
            other.begin(500_000, limit)
            await other.grow_to(500_000)
            assert shared.taken == EARNEST + 500_000
            await slow.grow_to(EARNEST + 100)
            assert shared.taken == EARNEST + 100 + 500_000


async def sending(shared, times, piece):
    """Send a piece every 20 ms; returns how it was refused."""
    with Held(shared, 1) as one:
        try:
            async with asyncio.timeout(5) as limit:
                one.begin(MANY, limit)
                for n in range(1, times + 1):
                    await one.grow_to(EARNEST + n * piece)
                    await asyncio.sleep(0.02)
                one.end()
        except TimeoutError:
            return one.too_slow()
    return None


async def test_who_sends_next_to_nothing_is_ended_when_others_wait():
    shared = Room(MANY)
    stalled = asyncio.create_task(sending(shared, 100, 1))
    slow = asyncio.create_task(sending(shared, 30, 1000))
    await asyncio.sleep(0.03)
    assert not await shared.take(MANY, 0.5)
    refused = await stalled
    assert isinstance(refused, Refused)
    assert (refused.status, refused.retry_s) == (503, 5)
    assert await slow is None
    assert (shared.taken, shared.waiting) == (0, 0)


async def test_nobody_is_ended_when_none_waits():
    assert await sending(Room(MANY), 20, 1) is None


async def test_who_has_begun_comes_before_who_is_new():
    shared, order = Room(10), []

    async def ask(name, size, begun):
        assert await shared.take(size, 5, begun=begun)
        order.append(name)

    assert shared.try_take(10)
    asks = [asyncio.create_task(ask("new", 5, begun=False))]
    await asyncio.sleep(0)
    asks.append(asyncio.create_task(ask("begun", 5, begun=True)))
    await asyncio.sleep(0)
    shared.give(5)
    shared.give(5)
    await asyncio.gather(*asks)
    assert order == ["begun", "new"]
