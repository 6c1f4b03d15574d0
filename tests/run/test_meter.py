"""What a meter sums up: seconds of those verdicts that were asked for, and calls of which nothing came."""

import asyncio

import msgspec
import pytest
from msgspec import UNSET

from acidtest.data.use import JudgeUse
from acidtest.errors import StoreError
from acidtest.judges.cache import Cached
from acidtest.ports import Prompt, Verdict
from acidtest.run.meter import Meter, metered
from acidtest.testing import FakeJudge


def test_seconds_are_those_of_calls_and_left_out_where_nobody_tells_them():
    meter = Meter()
    meter.count(Verdict(reply=1))
    assert meter.use.seconds is UNSET
    assert b"seconds" not in msgspec.json.encode(meter.use)
    meter.count(Verdict(reply=1, seconds=1.5))
    meter.count(Verdict(reply=1, seconds=9.0, cached=True))  # the cache has it from another time
    assert meter.use.seconds == 1.5
    again = Meter(msgspec.json.decode(msgspec.json.encode(meter.use), type=JudgeUse))
    again.count(Verdict(reply=1, seconds=0.5))
    assert again.use.seconds == 2.0


class Reply(msgspec.Struct, frozen=True):
    word: str


class Kept:
    """A journal in which nothing is, and of which each write ends in some way."""

    def __init__(self, end):
        self.end = end
        self.began = asyncio.Event()

    async def get(self, _key):
        return None

    async def put(self, _key, _model, _body):
        self.began.set()
        await self.end()


async def full():
    raise StoreError("no space left")


@pytest.mark.parametrize("end", [full, asyncio.Event().wait])
async def test_what_was_answered_counts_though_it_could_not_be_kept_or_used(end):
    """The reply is paid for; a look that is cut off here finds it kept the next time, and does not ask again."""
    meter, journal = Meter(), Kept(end)
    judge = metered(Cached(FakeJudge({"p": {"word": "yes"}}), journal), meter)
    prompt = Prompt(name="p", version="1", template="{{text}}", reply=Reply)
    asked = asyncio.create_task(judge.ask(prompt, text="t"))
    await journal.began.wait()
    asked.cancel()
    with pytest.raises((StoreError, asyncio.CancelledError)):
        await asked
    assert meter.use.calls == 1
