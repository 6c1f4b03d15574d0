"""Hostile text: eight times the length may take about eight times as long, never sixty-four."""

import time
from collections.abc import Callable

import pytest

from acidtest.text.citations import markers
from acidtest.text.names import names
from acidtest.text.negation import cues
from acidtest.text.numbers import numbers
from acidtest.text.quotations import quotations
from acidtest.text.refusal import declined
from acidtest.text.secrets import secrets
from acidtest.text.sentences import sentences
from acidtest.text.squad import tokens
from acidtest.text.words import words

FUNCTIONS = [
    markers, names, cues, numbers, quotations, declined, secrets, sentences, tokens, words,
]  # fmt: skip
PIECES = [
    "A ", "a", "a.b@", "x_", "A-", "password:", "eyJ", "1 ", "1,", "1.", "-", "[1, ", "[", "“", "'", '"',
    "the documents do not ", "i do not ", "if ", "but ", ". ", "\n", "http://", "好", "กา ", "十", "`",
    "twenty ", "5 March ", "5:", "$", "GB12 ", "n't ", "no information ",
]  # fmt: skip
SMALL = 4_000
GROWTH = 8


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__module__.rsplit(".", 1)[1])
def test_time_grows_with_length(function: Callable[[str], object]) -> None:
    slow = []
    for piece in PIECES:
        short, long = (
            seconds(function, piece * (n // len(piece))) for n in (SMALL, SMALL * GROWTH)
        )
        if too_slow(short, long):
            # A busy machine may stumble once, not three times: what is quadratic stays so.
            again = [seconds(function, piece * (SMALL * GROWTH // len(piece))) for _ in range(2)]
            long = min(long, *again)
        if too_slow(short, long):
            slow.append((piece, short, long))
    assert slow == []


def too_slow(short: float, long: float) -> bool:
    return long > 0.25 and long > 3 * GROWTH * max(short, 0.005)


def seconds(function: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    function(text)
    return time.process_time() - start
