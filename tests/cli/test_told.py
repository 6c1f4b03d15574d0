"""Amounts in words, and a line that fits."""

import pytest

from acidtest.cli.told import GAP, clean, clock, fitted, money, pieces, speed, spent, tokens, took
from acidtest.run.progress import Progress

STEP = Progress(
    done=120,
    total=200,
    failed=2,
    doing="answering",
    judged=480,
    judgements=800,
    judge_failed=1,
    calls=380,
    cached=160,
    tokens=12_345,
    cost_usd=0.0123,
    elapsed_s=35.0,
)


@pytest.mark.parametrize(
    ("say", "value", "words"),
    [
        (clock, 0.4, "0:00"),
        (clock, 62, "1:02"),
        (clock, 3599.7, "1:00:00"),
        (clock, 100_000, "27:46:40"),
        (took, 0.44, "0.4 s"),
        (took, 9.96, "0:10"),
        (speed, None, ""),
        (speed, 120.4, "120/s"),
        (speed, 9.97, "10/s"),
        (speed, 3.44, "3.4/s"),
        (speed, 0.2, "12/min"),
        (speed, 0.01, "36/h"),
        (speed, 0.00001, "1/h"),
        (tokens, 999, "999"),
        (tokens, 12_345, "12.3k"),
        (tokens, 99_960, "100k"),
        (tokens, 412_300, "412k"),
        (tokens, 999_700, "1.0M"),
        (money, None, "cost unknown"),
        (money, 0.0, ""),
        (money, 0.00001, "<$0.0001"),
        (money, 0.0123, "$0.0123"),
        (money, 0.314, "$0.31"),
        (money, 1234.5, "$1,234.50"),
    ],
)
def test_amounts(say, value, words):
    assert say(value) == words


def test_what_judging_took():
    assert ", ".join(spent(STEP)) == (
        "380 calls, 160 cached, 2 cases failed, 1 judgement failed, 12.3k tokens, $0.0123"
    )
    assert spent(Progress(1, 1, 0, "scoring")) == []
    assert spent(Progress(1, 1, 0, "scoring", cached=5)) == ["0 calls", "5 cached"]
    assert spent(Progress(1, 1, 1, "scoring", calls=1, cost_usd=None)) == [
        "1 call",
        "1 case failed",
        "cost unknown",
    ]


@pytest.mark.parametrize(
    ("room", "bar", "text"),
    [
        (
            150,
            20,
            "120/200  3.4/s  380 calls  160 cached  3 failed  12.3k tokens  $0.0123  0:24 left",
        ),
        (74, 5, "120/200  3.4/s  380 calls  160 cached  3 failed  $0.0123  0:24 left"),
        (70, 10, "120/200  3.4/s  380 calls  3 failed  $0.0123  0:24 left"),
        (50, 0, "120/200  380 calls  3 failed  $0.0123  0:24 left"),
        (20, 0, "120/200  0:24 left"),
        (3, 0, ""),
    ],
)
def test_a_line_that_fits(room, bar, text):
    assert fitted(pieces(STEP, "3.4/s", "0:24 left"), room) == (bar, text)


def test_every_room_is_kept():
    some = pieces(STEP, "3.4/s", "0:24 left")
    for room in range(160):
        bar, text = fitted(some, room)
        assert len(text) + (bar + GAP if bar else 0) <= room


def test_a_name_that_no_terminal_obeys():
    hostile = "a\x1b]0;x\x07b\r\nc\u202ed\x9bm[red]\ud800"
    assert clean(hostile) == "a?]0;x?b??c?d?m[red]?"
    assert clean("München 東京") == "München 東京"
