"""The JSON Schema of a reply: made once a Struct, strict, with the lengths that are known.

It is the dialect that every provider's structured output takes: a plain object at the root, references
written out, every property required, nothing beside them, no titles or defaults. A list of the reply
that bears the name of a numbered field of the prompt (`sentences`, `passages`) has as many items as the
field. The verdict by which rule-based judges abstain is not offered.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from acidtest.ports import Prompt

Schema = Mapping[str, Any]

_DROPPED = {"title", "description", "default"}
_SCALARS = {"string", "integer", "number", "boolean"}
_TYPES = {str: "string", int: "integer", bool: "boolean"}


def schema(prompt: Prompt[Any], fields: Mapping[str, Any]) -> Schema:
    """Return the schema of the reply to a prompt; the same object whenever the lengths are the same.

    Nobody may change it: it is shared.
    """
    reply: type[msgspec.Struct] = prompt.reply
    lists = _lists(reply, prompt.abstain)
    counts = tuple((name, len(fields[name])) for name in lists if _numbered(fields.get(name)))
    return _counted(reply, prompt.abstain, counts)


def schema_name(prompt: Prompt[Any]) -> str:
    """Return the prompt's name as providers allow it: letters, digits, `_` and `-`, up to 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", prompt.name)[:64] or "reply"


def full_schema(reply: type[msgspec.Struct]) -> Schema:
    """Return the schema of a reply with every verdict, the abstaining one too, and no lengths."""
    return _made(reply, None)


def in_words(form: Schema) -> str:
    """Return the request for a form of reply, for models that can only be asked for it."""
    text = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON value, and nothing else, that satisfies this JSON Schema:\n{text}"


def misfit(value: Any, form: Schema) -> str | None:
    """Say in what a decoded reply departs from the lists and lengths of its schema, or None.

    Types, required members and scales are the decoder's business: this looks at closed lists of words
    and at lengths, which may be narrower than the Struct's.
    """
    fault = _misfit(value, form, form.get("$defs", {}))
    return None if fault is None else f"${fault}"


def _misfit(value: Any, node: Schema, defs: Schema) -> str | None:
    """Return where and what, from this node on; the path is only written when there is a fault."""
    if "$ref" in node:
        node = defs[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        options = [o for o in node["anyOf"] if (o.get("type") == "null") == (value is None)]
        faults = [_misfit(value, option, defs) for option in options]
        return None if None in faults or not faults else faults[0]
    if "enum" in node and value not in node["enum"]:
        said = json.dumps(value, ensure_ascii=False, default=str)
        return f" is {said[:60]}, and must be one of {', '.join(map(str, node['enum']))}"
    if isinstance(value, list | tuple) and not (
        node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value))
    ):
        return f" has {len(value)} items, and {node['minItems']} were asked for"
    for step, each, inner in _parts(value, node):
        fault = _misfit(each, inner, defs)
        if fault is not None:
            return f".{step}{fault}" if isinstance(step, str) else f"[{step}]{fault}"
    return None


def _parts(value: Any, node: Schema) -> Iterator[tuple[str | int, Any, Schema]]:
    """Yield the parts of a value with their schemas, where these can hold words or lengths."""
    if isinstance(value, dict) and "properties" in node:
        inside = node["properties"]
        for name, each in value.items():
            inner = inside.get(name)
            if inner is not None and ("enum" in inner or inner.get("type") not in _SCALARS):
                yield name, each, inner
    elif isinstance(value, list | tuple) and "items" in node:
        for n, each in enumerate(value):
            yield n, each, node["items"]


def _numbered(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


@lru_cache(maxsize=1024)
def _counted(
    reply: type[msgspec.Struct], abstain: str | None, counts: tuple[tuple[str, int], ...]
) -> Schema:
    made = _made(reply, abstain)
    if not counts:
        return made
    sized = {name: {**made["properties"][name], "minItems": n, "maxItems": n} for name, n in counts}
    return {**made, "properties": {**made["properties"], **sized}}


@lru_cache(maxsize=256)
def _lists(reply: type[msgspec.Struct], abstain: str | None) -> tuple[str, ...]:
    properties = _made(reply, abstain)["properties"]
    return tuple(name for name, node in properties.items() if node.get("type") == "array")


@lru_cache(maxsize=256)
def _made(reply: type[msgspec.Struct], abstain: str | None) -> Schema:
    raw = msgspec.json.schema(reply)
    defs = raw.get("$defs", {})
    root = defs[raw["$ref"].rpartition("/")[2]] if "$ref" in raw else raw
    kept: dict[str, Any] = {}
    made: dict[str, Any] = _strict(root, defs, abstain, (), kept)
    return {**made, "$defs": kept} if kept else made


def _strict(
    node: Any, defs: Schema, abstain: str | None, above: tuple[str, ...], kept: dict[str, Any]
) -> Any:
    """Write a node out; a reference to what it stands in stays one, and its target goes to `kept`."""
    if isinstance(node, list):
        return [_strict(each, defs, abstain, above, kept) for each in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name in above:
            if name not in kept:
                kept[name] = None  # it is on its way: its own references must not make it again
                kept[name] = _strict(defs[name], defs, abstain, (name,), kept)
            return {"$ref": f"#/$defs/{name}"}
        return _strict(defs[name], defs, abstain, (*above, name), kept)
    if "enum" in node:
        offered = [each for each in node["enum"] if each != abstain]
        kinds = {type(each) for each in offered}
        typed = {"type": _TYPES[kinds.pop()]} if len(kinds) == 1 and kinds <= _TYPES.keys() else {}
        return {**typed, "enum": offered}
    inner = {
        key: (
            {name: _strict(each, defs, abstain, above, kept) for name, each in value.items()}
            if key == "properties"
            else _strict(value, defs, abstain, above, kept)
        )
        for key, value in node.items()
        if key not in _DROPPED
    }
    if "properties" in inner:
        inner |= {"required": list(inner["properties"]), "additionalProperties": False}
    return inner
