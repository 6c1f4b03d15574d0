"""The closed words of a reply: which verdicts it gives, wherever they stand in it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from acidtest.judges.schema import Schema, full_schema


def words(reply: msgspec.Struct) -> tuple[str, ...]:
    """Return every word of a reply that comes from a closed list, in order."""
    return tuple(words_in(msgspec.to_builtins(reply), full_schema(type(reply))))


def words_in(value: Any, node: Schema) -> Iterator[str]:
    """Yield the words of a part of a reply; `node` is that part's schema, without references."""
    if "anyOf" in node:
        for option in node["anyOf"]:
            yield from words_in(value, option)
    elif "enum" in node:
        if isinstance(value, str):
            yield value
    elif isinstance(value, Mapping):
        inside = node.get("properties", {})
        for name, each in value.items():
            yield from words_in(each, inside.get(name, {}))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_in(each, node.get("items", {}))
