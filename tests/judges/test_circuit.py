"""The circuit, in virtual time."""

import asyncio

import pytest

from acidtest.judges.backend import Stumbled, Unreachable
from acidtest.judges.circuit import Circuit, EndpointGone, ShutOut

STUMBLED = Stumbled("it replied 500", where="http://x")
DOWN = Unreachable("no connection", where="http://x", fix="Start it.")


def test_opens_after_enough_failures_over_enough_time(virtual):
    async def main():
        circuit = Circuit("http://x", failures=5, silence_s=10)
        for _ in range(4):
            circuit.failed(DOWN)
            await asyncio.sleep(3)
        circuit.admit()
        with pytest.raises(EndpointGone) as raised:
            circuit.failed(DOWN)
        with pytest.raises(EndpointGone):
            circuit.admit()
        return raised.value

    gone = virtual.run(main())
    assert gone.endpoint == "http://x"
    assert str(gone) == "http://x: no connection. Start it."
    assert gone.__cause__ is DOWN


def test_a_blip_met_by_many_calls_at_once_is_not_the_end(virtual):
    async def main():
        circuit = Circuit("http://x", failures=5, silence_s=10)
        for _ in range(100):
            circuit.failed(DOWN)
        circuit.admit()
        return "open to calls"

    assert virtual.run(main()) == "open to calls"


def test_an_answer_starts_the_count_anew(virtual):
    async def main():
        circuit = Circuit("http://x", failures=3, silence_s=1)
        for _ in range(20):
            circuit.failed(DOWN)
            await asyncio.sleep(1)
            circuit.heard()
        circuit.admit()
        return True

    assert virtual.run(main())


@pytest.mark.parametrize(("answered", "error", "calls", "gone"), [
    (True, DOWN, "aaaaaaa", False),
    (True, DOWN, "aaaaaab", True),
    (False, DOWN, "aaaaaaa", True),
    (False, STUMBLED, "aaaaaaa", False),
    (False, STUMBLED, "aaaaaab", True),
])  # fmt: skip
def test_one_call_that_always_fails_where_the_endpoint_is_there_is_not_the_end(
    virtual, answered, error, calls, gone
):
    async def main():
        circuit = Circuit("http://x", failures=5, silence_s=10)
        if answered:
            circuit.heard()
        try:
            for call in calls:
                circuit.failed(error, call)
                await asyncio.sleep(3)
        except EndpointGone:
            return True
        return False

    assert virtual.run(main()) is gone


def test_after_a_rest_one_call_tries_and_its_answer_closes_it(virtual):
    async def main():
        circuit = Circuit("http://x", rest_s=60)
        with pytest.raises(EndpointGone):
            circuit.open(ShutOut("bad key"))
        await asyncio.sleep(59)
        with pytest.raises(EndpointGone, match="bad key"):
            circuit.admit()
        await asyncio.sleep(2)
        circuit.admit()
        with pytest.raises(EndpointGone):  # the others wait
            circuit.admit()
        circuit.heard()
        circuit.admit()
        return True

    assert virtual.run(main())


def test_a_failed_trial_opens_it_again(virtual):
    async def main():
        circuit = Circuit("http://x", failures=2, silence_s=1, rest_s=60)
        circuit.failed(DOWN)
        await asyncio.sleep(2)
        with pytest.raises(EndpointGone):
            circuit.failed(DOWN)
        await asyncio.sleep(61)
        circuit.admit()
        with pytest.raises(EndpointGone):
            circuit.failed(DOWN)
        with pytest.raises(EndpointGone):
            circuit.admit()
        return True

    assert virtual.run(main())
