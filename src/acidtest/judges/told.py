"""What an endpoint's reply tells, read as far as it can be: the reply is paid for, whatever is odd about it.

A body that JSON or its form forbids in small things (a byte order mark, half a surrogate pair, NaN as a
count) still holds the verdict. What is told beside the verdict is never a reason to ask again: a count
that cannot be is unknown, a name that is no text is none.
"""

import json
from typing import Any

import msgspec

from acidtest.text.surrogates import without_halves_in

MOST_TOKENS = 1_000_000_000
"""More than any call takes: a greater count is none."""

_LONGEST_NAME = 200
_LONGEST_INTEGER = 30


def read(body: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """Decode a body.

    Raises:
        ValueError: It is no such reply, in one line.
    """
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        why = str(error)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    try:
        plain = json.loads(
            body.decode("utf-8-sig"), parse_int=_integer, parse_constant=lambda _: None
        )
        return msgspec.convert(without_halves_in(plain), decoder.type)
    except (ValueError, RecursionError):
        raise ValueError(why) from None


def count(told: Any, *names: str) -> int:
    """Return a count of tokens among what is told of them; 0 when it is not told, or cannot be.

    Args:
        told: What the reply tells of its tokens, an object if all is well.
        names: The member, or the path to it.
    """
    for name in names:
        told = told.get(name) if isinstance(told, dict) else None
    if isinstance(told, bool) or not isinstance(told, int | float):
        return 0
    return int(told) if 0 <= told <= MOST_TOKENS else 0


def word(told: Any) -> str | None:
    """Return a text as it is told; None for anything else."""
    return told if isinstance(told, str) else None


def named(told: Any, otherwise: str) -> str:
    """Return the name that the endpoint calls its model by, or another one when it tells none."""
    return (word(told) or otherwise)[:_LONGEST_NAME]


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else None
