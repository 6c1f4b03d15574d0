"""The members of a JSON list, each with its line.

The list is the whole text, or stands in an object under one of the names of `LISTS`.
"""

from collections.abc import Generator, Iterator
from typing import Any

from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.jsontext import column_of, line_of, skip, value_at

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


def items(text: str, *, nan: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield line and value of each member of a JSON list, or of the list in a JSON object.

    An object must hold exactly one list under a name of `LISTS`; its other members describe the set
    and are passed over. `nan` is as for `jsontext.parse`.

    Raises:
        LineFault: It is not strict JSON, or there is no such list.
    """
    start = skip(text, 0)
    if text[start : start + 1] == "[":
        end = yield from _members(text, start, nan=nan)
    elif text[start : start + 1] == "{":
        place, end = _find_list(text, start, nan=nan)
        yield from _members(text, place, nan=nan)
    else:
        value_at(text, start)
        raise LineFault("not a list of rows", fix="Write [{...}, {...}].")
    if (rest := skip(text, end)) < len(text):
        raise LineFault(
            "there is more after the end of the list",
            line=line_of(text, rest),
            fix="Keep a single JSON value; a file with one object a line is named .jsonl.",
        )


def _members(text: str, start: int, *, nan: bool) -> Generator[tuple[int, Any], None, int]:
    # Returns where the list ends.
    line, counted = line_of(text, start), start
    at = skip(text, start + 1)
    if text[at : at + 1] == "]":
        return at + 1
    while True:
        line, counted = line + text.count("\n", counted, at), at
        value, end = value_at(text, at, nan=nan)
        yield line, value
        at = skip(text, end)
        if text[at : at + 1] == "]":
            return at + 1
        at = _expect(text, at, ",")


def _find_list(text: str, start: int, *, nan: bool) -> tuple[int, int]:
    # Returns where the list starts and where the whole object ends.
    seen: list[str] = []
    found: list[tuple[str, int]] = []
    at = skip(text, start + 1)
    while text[at : at + 1] != "}":
        key, end = value_at(text, at)
        if not isinstance(key, str):
            raise LineFault("an object's key must be text in quotes", line=line_of(text, at))
        at = _expect(text, skip(text, end), ":")
        value, end = value_at(text, at, nan=nan)
        seen.append(key)
        if key in LISTS and isinstance(value, list):
            found.append((key, at))
        at = skip(text, end)
        if text[at : at + 1] != "}":
            at = _expect(text, at, ",")
    if len(found) != 1:
        raise LineFault(*_no_list(seen, [key for key, _ in found]))
    return found[0][1], at + 1


def _no_list(seen: list[str], found: list[str]) -> tuple[str]:
    if found:
        return (f"the object holds several lists: {', '.join(found)}",)
    named = ", ".join(repr(key[:40]) for key in seen[:8]) or "nothing"
    return (f"an object without a list of rows: it has {named}, and none of {', '.join(LISTS)}",)


def _expect(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        early = at >= len(text)
        raise LineFault(
            "not JSON: the text ends too early"
            if early
            else f"not JSON: {mark!r} is missing at column {column_of(text, at)}",
            line=line_of(text, at),
            fix="The file looks cut off; write it again." if early else None,
        )
    return skip(text, at + 1)
