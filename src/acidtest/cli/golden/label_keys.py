"""Keys of a labelling session: from a terminal one by one, else a line each."""

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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

_END = b"\x04"  # Ctrl-D
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


@contextmanager
def from_terminal() -> Iterator[ReadKey]:
    """Hand out what reads one key of a terminal at a time; keys that were typed ahead wait.

    The terminal takes keys without a line end, and without showing them, for as long as this lasts: between
    two keys as well, or what is typed while a chunk is being shown would be lost.
    """
    waiting: deque[str] = deque()
    with _single_keys() as typed:

        def read() -> str:
            while not waiting:
                waiting.extend(keys_in(typed()))
            return waiting.popleft()

        yield read


@contextmanager
def _single_keys() -> Iterator[Callable[[], str]]:
    try:
        import termios
        import tty
    except ImportError:  # a system with another kind of terminal
        yield click.getchar
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)

    def typed() -> str:
        some = os.read(number, 1024)
        if not some or some == _END:
            raise EOFError
        return some.decode(errors="ignore")

    try:
        tty.setcbreak(number, termios.TCSADRAIN)
        yield typed
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


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
