"""Keys of a labelling session: from a terminal one by one, else a line each."""

import re
import sys
from collections import deque
from collections.abc import Callable

import click

ReadKey = Callable[[], str]
"""Return the next key; EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""

KEYS = {
    "0": "not relevant",
    "1": "touches the subject",
    "2": "holds an important part",
    "3": "answers the question",
    "s": "skip: leave this chunk without a label",
    "u": "unsure: somebody else decides",
    "b": "back to the chunk before",
    "n": "next case; what is left out stays open",
    "m": "more of the text (space, down and page down too)",
    "k": "back in the text (up and page up too)",
    "h": "help",
    "q": "quit; the same command goes on",
}

_SEQUENCE = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|\x1b|.", re.DOTALL)
_SAME = {
    " ": "m",
    "j": "m",
    "\x1b[B": "m",
    "\x1bOB": "m",
    "\x1b[6~": "m",
    "\x1b[A": "k",
    "\x1bOA": "k",
    "\x1b[5~": "k",
    "?": "h",
}


def from_terminal() -> ReadKey:
    """Return what reads one key of a terminal at a time; keys that were typed ahead wait."""
    waiting: deque[str] = deque()

    def read() -> str:
        while not waiting:
            waiting.extend(keys_in(click.getchar()))
        return waiting.popleft()

    return read


def from_lines() -> ReadKey:
    """Return what reads a key from each line of the standard input."""

    def read() -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return named(line.strip() or "m")

    return read


def keys_in(typed: str) -> list[str]:
    """Return the keys in what a terminal sent."""
    return [named(key) for key in _SEQUENCE.findall(typed)]


def named(key: str) -> str:
    """Return the key that this one stands for."""
    return _SAME.get(key, key.lower())
