"""JSON of a record that must be kept, whatever it holds.

What a pipeline or a judge hands over may hold what JSON cannot: half a surrogate pair, an object, a
mapping with odd keys, a nesting without end. Losing that detail is better than losing the run.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.text.surrogates import without_halves

_DEPTH = 60
_SHOWN = 200
"""Characters kept of an object that JSON has no form for."""


def encoded(value: Any) -> bytes:
    """Return the JSON of a record; never raises.

    Halves of surrogate pairs become U+FFFD, objects and keys that JSON has no form for become their
    `repr`, and what nests deeper than 60 levels becomes "...".
    """
    try:
        return msgspec.json.encode(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return msgspec.json.encode(_plain(value, 0))


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return without_halves(str.__str__(value))
    if value is None or isinstance(value, bool | int | float):
        return value
    return "..." if depth > _DEPTH else _nested(value, depth)


def _nested(value: Any, depth: int) -> Any:
    if isinstance(value, Struct):
        return _struct(value, depth)
    if isinstance(value, Mapping):
        return {_key(key): _plain(member, depth + 1) for key, member in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(member, depth + 1) for member in value]
    return _shown(value)


def _struct(value: Struct, depth: int) -> dict[str, Any]:
    # Not `msgspec.to_builtins`: it raises on the same members that brought us here.
    config = value.__struct_config__
    built: dict[str, Any] = {} if config.tag_field is None else {config.tag_field: config.tag}
    for field in msgspec.structs.fields(type(value)):
        built[field.encode_name] = _plain(getattr(value, field.name), depth + 1)
    return built


def _key(key: Any) -> str:
    return without_halves(str.__str__(key)) if isinstance(key, str) else _shown(key)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - somebody else's code, asked for a description only
        text = f"<{type(value).__name__}>"
    return without_halves(text[:_SHOWN])
