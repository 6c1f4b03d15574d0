"""Reading JSON whose syntax was checked as it came: numbers of any size, and nothing raised."""

import json
from typing import Any

import msgspec

from acidtest.text.surrogates import without_halves_in

_DIGITS = 400


def lenient(body: bytes) -> Any:
    """Return the value of a JSON text, with numbers too long to be numbers as text; None if it is none."""
    if not body:
        return None
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, ValueError, RecursionError):
        pass
    try:
        text = body.decode(errors="replace")
        return without_halves_in(json.loads(text, parse_int=_whole, parse_constant=str))
    except (ValueError, RecursionError):
        return None


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits[:_DIGITS] + "..."
