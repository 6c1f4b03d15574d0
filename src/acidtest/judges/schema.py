"""The JSON Schema of a reply: made once a Struct, strict, with the lengths that are known.

It is the dialect that every provider's structured output takes: a plain object at the root, references
written out, every property required, nothing beside them, no titles or defaults. A list of the reply
that bears the name of a numbered field of the prompt (`sentences`, `passages`) has as many items as the
field. The verdict by which rule-based judges abstain is not offered.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from acidtest.judges.checking import checking
from acidtest.judges.form import Form, kept
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
    check = kept(form, "misfit", lambda: checking(form))
    fault = check(value) if check else None
    return None if fault is None else f"${fault}"


def _numbered(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


@lru_cache(maxsize=1024)
def _counted(
    reply: type[msgspec.Struct], abstain: str | None, counts: tuple[tuple[str, int], ...]
) -> Schema:
    made = _made(reply, abstain)
    sized = {name: {**made["properties"][name], "minItems": n, "maxItems": n} for name, n in counts}
    return Form({**made, "properties": {**made["properties"], **sized}})


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
