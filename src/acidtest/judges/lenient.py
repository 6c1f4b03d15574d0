"""Reading a JSON value at a place of a text: exactly, or leniently with the leniency recorded.

Leniency is for what has one meaning only: strings in single quotes, a comma before a closing bracket,
Python's True, False and None, and line ends inside strings. Unquoted words, comments and missing
brackets are not read: they could mean anything.
"""

import json
import re
from typing import Any

from msgspec import Struct

DEPTH = 64
"""Brackets inside brackets that are followed."""

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,4})?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null|True|False|None)(?!\w)")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_SINGLE = re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_DOUBLE = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_BARE_QUOTE = re.compile(r'\\.|"', re.DOTALL)


class Candidate(Struct, frozen=True):
    """A value, where it ends in the text, and whether leniency was needed."""

    value: Any
    end: int
    repaired: bool = False


class _Broken(Exception):  # noqa: N818 - the place where reading stopped, not an error to show
    def __init__(self, at: int) -> None:
        self.at = at


def as_json(text: str) -> Candidate | None:
    """Return the JSON value that a whole text is; None when it is none.

    Doubled keys, NaN and Infinity are not JSON here: the first is ambiguous, the others no numbers.
    """
    try:
        return Candidate(_STRICT.decode(text), len(text))
    except (ValueError, RecursionError):
        return None


def value_at(text: str, start: int) -> Candidate | int:
    """Return the object or list that starts at a place, or where reading it failed."""
    try:
        value, end = _value(text, start, 0)
    except _Broken as broken:
        return broken.at
    exact = as_json(text[start:end])
    return Candidate(exact.value, end) if exact else Candidate(value, end, repaired=True)


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    first = text[at : at + 1]
    if first == "{" and depth < DEPTH:
        return _object(text, at, depth)
    if first == "[" and depth < DEPTH:
        return _list(text, at, depth)
    if first in {'"', "'"}:
        return _string(text, at)
    if found := _WORD.match(text, at):
        return _WORDS[found[0]], found.end()
    if found := _NUMBER.match(text, at):
        try:
            return json.loads(found[0], parse_float=_float), found.end()
        except ValueError:
            raise _Broken(found.end()) from None
    raise _Broken(at)


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    made: dict[str, Any] = {}
    at = _skip(text, at + 1)
    while not text.startswith("}", at):
        if text[at : at + 1] not in {'"', "'"}:
            raise _Broken(at)
        key, at = _string(text, at)
        at = _skip(text, at)
        if not text.startswith(":", at) or key in made:
            raise _Broken(at)
        made[key], at = _value(text, _skip(text, at + 1), depth + 1)
        at = _separator(text, at, "}")
    return made, at + 1


def _list(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    made: list[Any] = []
    at = _skip(text, at + 1)
    while not text.startswith("]", at):
        item, at = _value(text, at, depth + 1)
        made.append(item)
        at = _separator(text, at, "]")
    return made, at + 1


def _separator(text: str, at: int, closing: str) -> int:
    at = _skip(text, at)
    if text.startswith(",", at):
        return _skip(text, at + 1)
    if text.startswith(closing, at):
        return at
    raise _Broken(at)


def _string(text: str, at: int) -> tuple[str, int]:
    single = text[at] == "'"
    found = (_SINGLE if single else _DOUBLE).match(text, at)
    if found is None:
        raise _Broken(len(text))  # it never ends: all that follows is inside it
    inner = found[1]
    if single:
        inner = _BARE_QUOTE.sub(lambda m: {"\\'": "'", '"': '\\"'}.get(m[0], m[0]), inner)
    try:
        return str(json.loads(f'"{inner}"', strict=False)), found.end()
    except ValueError:
        raise _Broken(found.end()) from None


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key comes twice")
    return made


def _float(text: str) -> float | int:
    """Return a finite number; 2.0 is the integer 2, as JSON Schema has it."""
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        raise ValueError("too large")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_STRICT = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_float, parse_constant=_constant)
