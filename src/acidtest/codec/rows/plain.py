"""Python objects to plain JSON-like values: what a file could not have held is refused."""

import math
from collections.abc import Mapping
from typing import Any

from acidtest.codec.rows.row import shown
from acidtest.errors import DataError

MAX_DEPTH = 60


class _NotPlain(Exception):  # noqa: N818 - a message on its way to `plain`
    pass


def plain(values: Mapping[Any, Any], where: str, error: type[DataError]) -> dict[str, Any]:
    """Return a row's values as text, numbers, lists and mappings only.

    A field that is NaN is None, as pandas marks what is missing; a NaN deeper inside is an error.

    Raises:
        DataError: Of the kind `error`; the message names row and field.
    """
    built: dict[str, Any] = {}
    for name, value in values.items():
        if not isinstance(name, str):
            raise error(f"the field name {shown(name)} is not text", where=where)
        try:
            built[_text(name)] = None if _missing(value) else _plain(value, 0)
        except _NotPlain as fault:
            raise error(str(fault), where=f"{where}: field {shown(name)}") from fault
    return built


def _missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _plain(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise _NotPlain("it nests too deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        return {_key(name): _plain(member, depth + 1) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member, depth + 1) for member in value]
    # NumPy's scalars and arrays, as data frames hand them out.
    inner = getattr(value, "tolist", None)
    if callable(inner):
        return _plain(inner(), depth + 1)
    raise _NotPlain(f"a {type(value).__name__} is not text, a number, a list or a mapping")


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as fault:
        raise _NotPlain("the text holds half of a surrogate pair") from fault
    return str(value)


def _number(value: float) -> float:
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise _NotPlain("the number is too large; write it as text")
        return int(value)
    if not math.isfinite(value):
        raise _NotPlain(f"it holds {value}, which is not a number that can be kept")
    return float(value)


def _key(name: Any) -> str:
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise _NotPlain(f"the key {shown(name)} is not text")
    return _text(str(name))
