"""A model that fails in every way, asked by everything together over real sockets: nothing is lost."""

import asyncio
import random

import pytest

from acidtest.judges.backend import Request
from acidtest.judges.circuit import EndpointGone
from acidtest.judges.limit import Limiter
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.retry import Patience, Retrying, Tries
from acidtest.judges.session import Session

SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"enum": ["supported"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
QUICK = Patience(first_s=0.005, most_s=0.02)


def requests(count):
    return [
        Request(text=f"Case {n}", schema=SCHEMA, schema_name="x", max_tokens=9)
        for n in range(count)
    ]


def faulty(stub, share, seed=5):
    """Answer, but fail a share of the calls in one of the ways."""
    rng = random.Random(seed)
    faults = [
        stub.says({}, 429, headers={"Retry-After": "0.02"}),
        stub.says({}, 429),
        stub.says({"error": {"message": "oops"}}, 500),
        stub.says({}, 529),
        stub.Reply(b'{"choi', fault="cut"),
        stub.Reply(fault="hang"),
        stub.Reply(b"<html>busy</html>", content_type="text/html"),
        stub.Reply(b"", 502),
        stub.says({"choices": []}),
    ]

    def answer(asked):
        return rng.choice(faults) if rng.random() < share else stub.chat(asked)

    return answer


async def ask_all(endpoint, count, most):
    shared = Session(timeout_s=0.3)
    backend = OpenAIBackend("m", base_url=f"{endpoint.origin}/v1", session=shared)
    tries = Tries(backend.endpoint, limiter=Limiter(most), patience=QUICK, rng=random.Random(1))
    retrying = Retrying(backend, tries)
    try:
        calls = (retrying.complete(request) for request in requests(count))
        return await asyncio.gather(*calls, return_exceptions=True)
    finally:
        await shared.aclose()


@pytest.mark.parametrize("share", [0.05, 0.3])
async def test_nothing_is_lost_and_the_limit_holds(stub, share):
    async with stub.serving(faulty(stub, share), latency_s=0.002) as endpoint:
        got = await ask_all(endpoint, 200, 12)
        assert [one for one in got if isinstance(one, BaseException)] == []
        assert {one.text for one in got} == {'{"verdict": "supported"}'}
        assert len(endpoint.asked) > 200
        texts = {asked.json["messages"][0]["content"] for asked in endpoint.asked}
        assert len(texts) == 200


async def test_never_more_in_flight_than_allowed(stub):
    async with stub.serving(stub.chat, latency_s=0.01) as endpoint:
        await ask_all(endpoint, 150, 10)
        assert endpoint.peak == 10
        assert endpoint.connections <= 10


async def test_a_bad_key_is_asked_once_or_twice_and_stops_the_rest(stub):
    async with stub.serving(stub.says({"error": {"message": "bad key"}}, 401)) as endpoint:
        got = await ask_all(endpoint, 100, 2)
        assert all(isinstance(one, EndpointGone) for one in got)
        assert len(endpoint.asked) <= 2
