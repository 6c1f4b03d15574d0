"""A reply's JSON Schema in the dialects that providers enforce.

`strict` is the schema as `schema.schema` makes it: closed objects, everything required. `bare` is the
same without limits on lengths and numbers, for those that refuse them. `open` lacks closed objects
too, which Google's older `responseSchema` does not know. What is left out is checked in the reply.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from acidtest.judges.form import kept

Dialect = Literal["strict", "bare", "open"]

_LIMITS = frozenset({
    "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
    "minProperties", "maxProperties",
})  # fmt: skip


def encoded(schema: Mapping[str, Any], dialect: Dialect) -> msgspec.Raw:
    """Return a schema as JSON in a dialect."""
    return kept(schema, dialect, lambda: _encoded(schema, dialect))


def limited(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema has limits that a dialect leaves out."""
    return encoded(schema, "strict") != encoded(schema, "bare")


def _encoded(schema: Mapping[str, Any], dialect: Dialect) -> msgspec.Raw:
    if dialect == "strict":
        return msgspec.Raw(msgspec.json.encode(schema))
    dropped = _LIMITS if dialect == "bare" else _LIMITS | {"additionalProperties"}
    return msgspec.Raw(msgspec.json.encode(_node(schema, dropped)))


def _node(node: Any, dropped: frozenset[str]) -> Any:
    if isinstance(node, list):
        return [_node(each, dropped) for each in node]
    if not isinstance(node, Mapping):
        return node
    return {
        key: (
            # Names of members, not keywords: a member may be called "format".
            {name: _node(each, dropped) for name, each in value.items()}
            if key in {"properties", "$defs"}
            else value
            if key == "enum"
            else _node(value, dropped)
        )
        for key, value in node.items()
        if key not in dropped
    }
