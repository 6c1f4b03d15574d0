"""Attribute values of OTLP as plain values that JSON can hold.

A list of pairs becomes a mapping (of a key given twice the last counts), an array a list, bytes their
base64 text, an int64 written as text a number, and a double that is no number the text for it: `NaN`,
`Infinity`, `-Infinity`. What nests deeper than `DEPTH` is cut off with a remark.
"""

import math
from base64 import b64encode
from collections.abc import Iterable
from typing import Any

DEPTH = 60
CUT = "(nested too deep to be kept)"

_LOW, _HIGH = -(1 << 63), 1 << 64
_FIELDS = (
    ("stringValue", "string_value"),
    ("intValue", "int_value"),
    ("doubleValue", "double_value"),
    ("boolValue", "bool_value"),
    ("arrayValue", "array_value"),
    ("kvlistValue", "kvlist_value"),
    ("bytesValue", "bytes_value"),
)


def number(value: float) -> float | str:
    """Return a number that JSON can hold, and the text of any other."""
    if isinstance(value, int):
        return (
            value if _LOW <= value < _HIGH else str(value) if value.bit_length() < 10_000 else CUT
        )
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def from_message(pairs: Iterable[Any], depth: int = 0) -> dict[str, Any]:
    """Return the attributes of `KeyValue` messages."""
    return {pair.key: _of_message(pair.value, depth) for pair in pairs}


def _of_message(value: Any, depth: int) -> Any:
    kind = value.WhichOneof("value")
    if kind in ("string_value", "int_value", "bool_value"):
        return getattr(value, kind)
    if kind == "double_value":
        return number(value.double_value)
    if kind == "bytes_value":
        return b64encode(value.bytes_value).decode()
    if kind in ("array_value", "kvlist_value") and depth >= DEPTH:
        return CUT
    if kind == "array_value":
        return [_of_message(each, depth + 1) for each in value.array_value.values]
    return from_message(value.kvlist_value.values, depth + 1) if kind == "kvlist_value" else None


def from_json(pairs: Any, depth: int = 0) -> dict[str, Any]:
    """Return the attributes of a list of `{"key": ..., "value": {...}}`; anything else gives none."""
    if not isinstance(pairs, list):
        return {}
    return {
        pair["key"]: _of_json(pair.get("value"), depth)
        for pair in pairs
        if isinstance(pair, dict) and isinstance(pair.get("key"), str)
    }


def _of_json(value: Any, depth: int) -> Any:
    if not isinstance(value, dict):
        return plain(value, depth)  # some exporters write the bare value
    for names in _FIELDS:
        for name in names:
            if (given := value.get(name)) is not None:
                return _unwrapped(names[0], given, depth)
    return None


def _unwrapped(kind: str, given: Any, depth: int) -> Any:
    if kind == "intValue" and isinstance(given, str):
        return whole(given)
    if kind == "doubleValue" and isinstance(given, str):
        return _double(given)
    if kind in ("arrayValue", "kvlistValue"):
        if depth >= DEPTH:
            return CUT
        values = given.get("values") if isinstance(given, dict) else None
        if kind == "kvlistValue":
            return from_json(values, depth + 1)
        return [_of_json(each, depth + 1) for each in values] if isinstance(values, list) else []
    return plain(given, depth)


def whole(text: str) -> int | str:
    """Return the whole number of 64 bits that a text is; the text itself where it is none."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 20:
        return text
    value = int(text)
    return value if _LOW <= value < _HIGH else text


def _double(text: str) -> float | str:
    try:
        return number(float(text))
    except ValueError:
        return text


def plain(value: Any, depth: int = 0) -> Any:
    """Return any JSON-like value as one that our JSON can hold: numbers of 64 bits, no NaN, not too deep."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return number(value)
    if depth >= DEPTH:
        return CUT
    if isinstance(value, dict):
        return {str(key): plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, depth + 1) for each in value]
    return str(value)
