import asyncio

import pytest

from acidtest.server.room import _MOST_WAITING, Room


async def test_room_is_handed_out_in_the_order_of_asking():
    room, order = Room(10), []

    async def ask(name, size):
        assert await room.take(size, 5)
        order.append(name)

    assert room.try_take(8)
    asks = [asyncio.create_task(ask(name, size)) for name, size in (("big", 9), ("small", 1))]
    await asyncio.sleep(0)
    assert room.waiting == 2
    assert not room.try_take(1)  # nobody overtakes
    room.give(8)
    await asyncio.gather(*asks)
    assert (order, room.taken) == (["big", "small"], 10)


async def test_who_waits_too_long_leaves_the_line():
    room = Room(10)
    assert room.try_take(5)
    behind = asyncio.create_task(room.take(2, 5))
    assert not await room.take(6, 0.01)
    assert await behind
    assert (room.taken, room.waiting) == (7, 0)
    first = asyncio.create_task(room.take(6, 0.01))
    await asyncio.sleep(0)
    second = asyncio.create_task(room.take(3, 5))
    assert not await first
    assert await second
    assert room.taken == 10


async def test_who_is_cancelled_leaves_the_line():
    room = Room(10)
    assert room.try_take(10)
    task = asyncio.create_task(room.take(5, 5))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    room.give(10)
    assert (room.taken, room.waiting) == (0, 0)


async def test_who_is_cancelled_when_his_turn_came_gives_it_back():
    room = Room(10)
    assert room.try_take(10)
    task = asyncio.create_task(room.take(5, 5))
    await asyncio.sleep(0)
    room.give(10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert room.taken == 0


async def test_the_line_ends_somewhere():
    room = Room(1)
    assert room.try_take(1)
    waiting = [asyncio.create_task(room.take(1, 5)) for _ in range(_MOST_WAITING)]
    await asyncio.sleep(0)
    assert not await room.take(1, 5)
    assert not await room.take(2, 5)  # more than there will ever be
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert room.waiting == 0
