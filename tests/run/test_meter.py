"""What a meter sums up: seconds of those verdicts that were asked for."""

import msgspec
from msgspec import UNSET

from acidtest.data.use import JudgeUse
from acidtest.ports import Verdict
from acidtest.run.meter import Meter


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
