"""Strict JSON: what the standard decoder lets pass in silence is refused with its line.

Refused: a key given twice in one object, NaN and infinite numbers, integers beyond 64 bits, half
surrogates, nesting beyond the interpreter's depth.
"""

import json
import math
import re
from collections.abc import Generator, Iterator
from typing import Any

LISTS = (
    "cases",
    "examples",
    "questions",
    "data",
    "goldens",
    "samples",
    "rows",
    "records",
    "items",
    "dataset",
    "test_cases",
)
_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class JsonFault(Exception):  # noqa: N818 - caught where the file is known, never seen by users
    """What is wrong with a JSON text, at which of its lines."""

    def __init__(self, what: str, *, line: int = 1, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.fix = fix


def parse(text: str) -> Any:
    """Return the value of a whole JSON text.

    Raises:
        JsonFault: It is not strict JSON.
    """
    start = _skip(text, 0)
    value, end = _value(text, start)
    rest = _skip(text, end)
    if rest < len(text):
        raise JsonFault(
            f"there is more after the JSON value, at column {_column(text, rest)}",
            line=_line(text, rest),
            fix="Write one JSON value a line in JSONL, and a single list in JSON.",
        )
    return value


def items(text: str) -> Iterator[tuple[int, Any]]:
    """Yield line and value of each member of a JSON list, or of the list in a JSON object.

    An object must hold exactly one list under a name of `LISTS`; its other members describe the set
    and are passed over.

    Raises:
        JsonFault: It is not strict JSON, or there is no such list.
    """
    start = _skip(text, 0)
    if text[start : start + 1] == "[":
        end = yield from _members(text, start)
    elif text[start : start + 1] == "{":
        place, end = _find_list(text, start)
        yield from _members(text, place)
    else:
        _value(text, start)
        raise JsonFault("not a list of rows", fix="Write [{...}, {...}].")
    if (rest := _skip(text, end)) < len(text):
        raise JsonFault(
            "there is more after the end of the list",
            line=_line(text, rest),
            fix="Keep a single JSON value; a file with one object a line is named .jsonl.",
        )


def _members(text: str, start: int) -> Generator[tuple[int, Any], None, int]:
    # Returns where the list ends.
    line, counted = _line(text, start), start
    at = _skip(text, start + 1)
    if text[at : at + 1] == "]":
        return at + 1
    while True:
        line, counted = line + text.count("\n", counted, at), at
        value, end = _value(text, at)
        yield line, value
        at = _skip(text, end)
        if text[at : at + 1] == "]":
            return at + 1
        at = _expect(text, at, ",")


def _find_list(text: str, start: int) -> tuple[int, int]:
    # Returns where the list starts and where the whole object ends.
    seen: list[str] = []
    found: list[tuple[str, int]] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key, end = _value(text, at)
        if not isinstance(key, str):
            raise JsonFault("an object's key must be text in quotes", line=_line(text, at))
        at = _expect(text, _skip(text, end), ":")
        value, end = _value(text, at)
        seen.append(key)
        if key in LISTS and isinstance(value, list):
            found.append((key, at))
        at = _skip(text, end)
        if text[at : at + 1] != "}":
            at = _expect(text, at, ",")
    if len(found) != 1:
        raise JsonFault(*_no_list(seen, [key for key, _ in found]))
    return found[0][1], at + 1


def _no_list(seen: list[str], found: list[str]) -> tuple[str]:
    if found:
        return (f"the object holds several lists: {', '.join(found)}",)
    named = ", ".join(repr(key[:40]) for key in seen[:8]) or "nothing"
    return (f"an object without a list of rows: it has {named}, and none of {', '.join(LISTS)}",)


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as fault:
        if fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated"):
            what, fix = (
                "not JSON: the text ends too early",
                "The file looks cut off; write it again.",
            )
        else:
            what = f"not JSON: {_lower(fault.msg)} at column {_column(text, fault.pos)}"
            fix = None
        raise JsonFault(what, line=_line(text, fault.pos), fix=fix) from fault
    except JsonFault as fault:
        raise JsonFault(fault.what, line=_line(text, at), fix=fault.fix) from fault
    except StopIteration as fault:
        raise JsonFault("not JSON: a value is missing", line=_line(text, at)) from fault
    except (RecursionError, ValueError) as fault:
        raise JsonFault(
            "not JSON that can be read: it nests too deep or has a number with too many digits",
            line=_line(text, at),
        ) from fault
    if _HALF.search(text, at, end):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as fault:
            raise JsonFault(
                r"a \u escape is one half of a surrogate pair", line=_line(text, at)
            ) from fault
    return value, end


def _expect(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        early = at >= len(text)
        raise JsonFault(
            "not JSON: the text ends too early"
            if early
            else f"not JSON: {mark!r} is missing at column {_column(text, at)}",
            line=_line(text, at),
            fix="The file looks cut off; write it again." if early else None,
        )
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1) + 1


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonFault(f"the key {key[:60]!r} is given twice in one object")
            seen.add(key)
    return value


def _constant(name: str) -> Any:
    raise JsonFault(f"{name} is not a JSON number", fix="Write null where a value is missing.")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise JsonFault(f"the number {digits[:20]} is too large")
    return value


def _int(digits: str) -> int:
    value = int(digits)
    if not -(2**63) <= value < 2**64:
        raise JsonFault(f"the number {digits[:20]}... is too large", fix="Write it as text.")
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
)
