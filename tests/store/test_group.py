"""Trips to the database: how items join them, and what becomes of those whose caller has gone."""

import asyncio

import pytest

from acidtest.errors import StoreError
from acidtest.store.group import GroupCommit, Grouped


class Trips:
    """Notes what each trip took; returns ten times each item."""

    def __init__(self):
        self.taken = []

    def __call__(self, items):
        self.taken.append(list(items))
        return [10 * item for item in items]


async def test_each_gets_what_came_of_its_own_item():
    trips = Trips()
    async with Grouped(trips) as group:
        assert await asyncio.gather(*(group.put(n) for n in range(5))) == [0, 10, 20, 30, 40]
    assert trips.taken == [[0, 1, 2, 3, 4]]


async def test_the_patient_wait_for_company_and_leave_at_once_when_they_are_enough():
    trips = Trips()
    async with Grouped(trips, linger_s=30.0, enough=3) as group:
        first = asyncio.create_task(group.put(1, patient=True))
        await asyncio.sleep(0.02)
        assert trips.taken == []
        await asyncio.gather(group.put(2, patient=True), group.put(3, patient=True), first)
    assert trips.taken == [[1, 2, 3]]


async def test_who_is_in_a_hurry_takes_the_patient_along():
    trips = Trips()
    async with Grouped(trips, linger_s=30.0, enough=100) as group:
        patient = asyncio.create_task(group.put(1, patient=True))
        await asyncio.sleep(0.01)
        assert await group.put(2) == 20
        assert await patient == 10
    assert trips.taken == [[1, 2]]


async def test_patience_ends():
    trips = Trips()
    async with Grouped(trips, linger_s=0.01, enough=100) as group:
        assert await group.put(1, patient=True) == 10
        assert await group.put(2, patient=True) == 20
    assert trips.taken == [[1], [2]]


async def test_leaving_brings_what_waits_also_for_callers_that_are_gone():
    stored = []
    async with GroupCommit(stored.extend, linger_s=30.0, enough=100) as group:
        gone = asyncio.create_task(group.put("paid for", patient=True))
        await asyncio.sleep(0)
        gone.cancel()
    assert stored == ["paid for"]
    assert gone.cancelled()


async def test_a_trip_that_fails_is_told_to_all_in_it_and_the_next_goes():
    calls = []

    def fails_once(items):
        calls.append(items)
        if len(calls) == 1:
            raise StoreError("disk full")

    async with GroupCommit(fails_once) as group:
        told = await asyncio.gather(group.put(1), group.put(2), return_exceptions=True)
        assert [str(error) for error in told] == ["disk full", "disk full"]
        await group.put(3)
    assert calls == [[1, 2], [3]]


async def test_an_interrupt_while_a_trip_is_on_its_way_loses_nothing():
    stored = []

    async def interrupted():
        async with GroupCommit(stored.extend) as group:
            task = asyncio.create_task(group.put(1))
            await asyncio.sleep(0)
            raise RuntimeError(task)

    with pytest.raises(RuntimeError) as raised:
        await interrupted()
    assert stored == [1]
    await raised.value.args[0]
