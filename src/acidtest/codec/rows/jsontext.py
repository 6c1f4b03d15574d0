"""Strict JSON: what the standard decoder lets pass in silence is refused with its line.

Refused: a key given twice in one object, NaN and infinite numbers, integers beyond 64 bits, half
surrogates, nesting beyond the interpreter's depth.
"""

import json
import math
import re
from typing import Any

from acidtest.codec.rows.fault import LineFault

_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str, *, nan: bool = False) -> Any:
    """Return the value of a whole JSON text.

    Args:
        text: The JSON.
        nan: Let NaN and infinite numbers through, as other programs' results hold them: the reader has
            to tell them from numbers.

    Raises:
        LineFault: It is not strict JSON.
    """
    start = skip(text, 0)
    value, end = value_at(text, start, nan=nan)
    rest = skip(text, end)
    if rest < len(text):
        raise LineFault(
            f"there is more after the JSON value, at column {column_of(text, rest)}",
            line=line_of(text, rest),
            fix="Write one JSON value a line in JSONL, and a single list in JSON.",
        )
    return value


def value_at(text: str, at: int, *, nan: bool = False) -> tuple[Any, int]:
    """Return the JSON value that starts at a place, and where it ends.

    Raises:
        LineFault: There is no strict JSON value.
    """
    try:
        value, end = (_LENIENT if nan else _DECODER).raw_decode(text, at)
    except json.JSONDecodeError as fault:
        if fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated"):
            what, fix = (
                "not JSON: the text ends too early",
                "The file looks cut off; write it again.",
            )
        else:
            what = f"not JSON: {_lower(fault.msg)} at column {column_of(text, fault.pos)}"
            fix = None
        raise LineFault(what, line=line_of(text, fault.pos), fix=fix) from fault
    except LineFault as fault:
        raise LineFault(fault.what, line=line_of(text, at), fix=fault.fix) from fault
    except StopIteration as fault:
        raise LineFault("not JSON: a value is missing", line=line_of(text, at)) from fault
    except (RecursionError, ValueError) as fault:
        raise LineFault(
            "not JSON that can be read: it nests too deep or has a number with too many digits",
            line=line_of(text, at),
        ) from fault
    if _HALF.search(text, at, end):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as fault:
            raise LineFault(
                r"a \u escape is one half of a surrogate pair", line=line_of(text, at)
            ) from fault
    return value, end


def skip(text: str, at: int) -> int:
    """Return the first place from `at` on that is not white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def line_of(text: str, at: int) -> int:
    """Return the line, from 1, that a place is in."""
    return text.count("\n", 0, at) + 1


def column_of(text: str, at: int) -> int:
    """Return the column, from 1, of a place in its line."""
    return at - (text.rfind("\n", 0, at) + 1) + 1


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise LineFault(f"the key {key[:60]!r} is given twice in one object")
            seen.add(key)
    return value


def _constant(name: str) -> Any:
    raise LineFault(f"{name} is not a JSON number", fix="Write null where a value is missing.")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise LineFault(f"the number {digits[:20]} is too large")
    return value


def _int(digits: str) -> int:
    value = int(digits)
    if not -(2**63) <= value < 2**64:
        raise LineFault(f"the number {digits[:20]}... is too large", fix="Write it as text.")
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
)
_LENIENT = json.JSONDecoder(object_pairs_hook=_object, parse_float=float, parse_int=_int)
