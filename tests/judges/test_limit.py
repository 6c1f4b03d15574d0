"""The adaptive limiter, in virtual time."""

import asyncio
import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.judges.limit import Limiter


async def call(limiter, seconds=1.0, ok=True, pause=None, seen=None):
    ticket = await limiter.enter()
    try:
        if seen is not None:
            seen.append((asyncio.get_running_loop().time(), limiter.in_flight, limiter.limit))
        await asyncio.sleep(seconds)
        if ok:
            limiter.succeeded()
        else:
            limiter.throttled(ticket, pause)
    finally:
        limiter.leave()


def test_never_more_in_flight_than_the_limit_and_the_limit_never_over_the_most(virtual):
    async def main():
        limiter, seen = Limiter(20, start=4), []
        await asyncio.gather(*(call(limiter, seen=seen) for _ in range(400)))
        return limiter, seen

    limiter, seen = virtual.run(main())
    assert all(running <= limit <= 20 for _, running, limit in seen)
    assert max(running for _, running, _ in seen) == 20
    assert limiter.in_flight == 0


def test_starts_modestly_and_doubles_each_round(virtual):
    async def main():
        seen = []
        limiter = Limiter(1000, start=4)
        await asyncio.gather(*(call(limiter, seen=seen) for _ in range(60)))
        return [sum(at == t for at, *_ in seen) for t in (0.0, 1.0, 2.0, 3.0)]

    assert virtual.run(main()) == [4, 8, 16, 32]


def test_grows_only_when_the_limit_is_used(virtual):
    async def main():
        limiter = Limiter(100, start=8)
        for _ in range(50):
            await call(limiter)
        return limiter.limit

    assert virtual.run(main()) == 8


def test_a_wave_of_refusals_halves_once(virtual):
    async def main():
        limiter = Limiter(64, start=16)
        await asyncio.gather(*(call(limiter, ok=False) for _ in range(16)))
        first = limiter.limit
        await asyncio.gather(*(call(limiter, ok=False) for _ in range(first)))
        return first, limiter.limit

    assert virtual.run(main()) == (8, 4)


def test_never_below_one_and_never_stuck(virtual):
    async def main():
        limiter = Limiter(8)
        for _ in range(20):
            await call(limiter, ok=False)
        assert limiter.limit == 1
        await asyncio.gather(*(call(limiter) for _ in range(5)))
        return limiter.in_flight

    assert virtual.run(main()) == 0


def test_after_a_refusal_it_grows_by_two_a_round(virtual):
    async def main():
        limiter = Limiter(64, start=16)
        await asyncio.gather(*(call(limiter, ok=i > 0) for i in range(16)))
        after = limiter.limit
        await asyncio.gather(*(call(limiter) for _ in range(after * 4)))
        return after, limiter.limit

    after, later = virtual.run(main())
    assert after in {8, 9}
    assert after + 4 <= later <= after + 9


def test_a_second_refusal_in_a_row_holds_all_starts_back(virtual):
    async def main():
        limiter, seen = Limiter(4), []
        await asyncio.gather(*(call(limiter, ok=False, pause=30.0) for _ in range(2)))
        await asyncio.gather(*(call(limiter, seen=seen) for _ in range(6)))
        return [at for at, *_ in seen]

    starts = virtual.run(main())
    assert min(starts) == pytest.approx(31.0)
    assert len(starts) == 6


def test_a_single_refusal_among_answers_holds_nobody_back(virtual):
    async def main():
        limiter, seen = Limiter(4), []
        for _ in range(5):
            await call(limiter, ok=False, pause=30.0)
            await call(limiter, seen=seen)
        return [at for at, *_ in seen]

    assert virtual.run(main()) == [1.0, 3.0, 5.0, 7.0, 9.0]


def test_the_longer_pause_wins(virtual):
    async def main():
        limiter, seen = Limiter(4), []
        limiter.hold(20.0)
        limiter.hold(5.0)
        await call(limiter, seen=seen)
        return seen[0][0]

    assert virtual.run(main()) == pytest.approx(20.0)


def test_a_pause_that_grows_while_others_wait_holds_them_too(virtual):
    async def main():
        limiter, seen = Limiter(4), []
        limiter.hold(5.0)
        waiting = asyncio.create_task(call(limiter, seen=seen))
        await asyncio.sleep(1.0)
        limiter.hold(20.0)
        await waiting
        return seen[0][0]

    assert virtual.run(main()) == pytest.approx(21.0)


def test_first_come_first_served(virtual):
    async def main():
        limiter, order = Limiter(1), []

        async def one(i):
            await limiter.enter()
            order.append(i)
            await asyncio.sleep(1)
            limiter.leave()

        await asyncio.gather(*(one(i) for i in range(10)))
        return order

    assert virtual.run(main()) == list(range(10))


def test_cancelled_calls_leak_no_place(virtual):
    async def main():
        limiter = Limiter(2)
        tasks = [asyncio.create_task(call(limiter)) for _ in range(30)]
        await asyncio.sleep(0.5)
        for task in tasks[::2]:  # one that runs, and many that wait
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert limiter.in_flight == 0
        # Cancelled in the very moment in which it was given its place.
        first = asyncio.create_task(call(Limiter(1)))
        narrow = Limiter(1)
        holder = asyncio.create_task(call(narrow))
        await asyncio.sleep(0)
        waiter = asyncio.create_task(call(narrow))
        await holder
        waiter.cancel()
        await asyncio.gather(first, waiter, return_exceptions=True)
        await call(narrow)
        return narrow.in_flight

    assert virtual.run(main()) == 0


def test_no_room_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        Limiter(0)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 6),
    st.lists(
        st.tuples(
            st.floats(0, 5), st.booleans(), st.sampled_from([None, 0.0, 2.0]), st.floats(0, 9)
        ),
        max_size=30,
    ),
)
def test_whatever_comes_no_place_is_lost_and_nobody_waits_for_ever(virtual, most, calls):
    async def main():
        limiter, seen = Limiter(most, start=3), []

        async def one(seconds, ok, pause, patience):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await call(limiter, seconds=seconds, ok=ok, pause=pause, seen=seen)

        await asyncio.gather(*(one(*what) for what in calls))
        await call(limiter)
        return limiter, seen

    limiter, seen = virtual.run(main())
    assert limiter.in_flight == 0
    assert 1 <= limiter.limit <= most
    assert all(running <= most for _, running, _ in seen)
